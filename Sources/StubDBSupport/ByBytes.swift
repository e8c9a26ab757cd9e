/// A text, or a value of texts, of a type whose synthesized `==` compares bytes.
///
/// Equal bytes imply equality in Swift, so the hash of the value fits.
@propertyWrapper
public struct ByBytes<Value: ByteComparable>: Hashable, Sendable {
  /// The value.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// Whether the texts of both have the same UTF-8 bytes.
  public static func == (left: ByBytes, right: ByBytes) -> Bool {
    left.wrappedValue.hasSameBytes(as: right.wrappedValue)
  }
}

/// A type whose values can be compared by the bytes of their texts; public only because ``ByBytes`` is.
public protocol ByteComparable: Hashable, Sendable {
  /// Whether the texts of both have the same UTF-8 bytes; implies `==`.
  func hasSameBytes(as other: Self) -> Bool
}

extension String: ByteComparable {
  /// Whether both have the same UTF-8 bytes.
  public func hasSameBytes(as other: String) -> Bool { ByteText.isEqual(self, other) }
}

extension Optional: ByteComparable where Wrapped: ByteComparable {
  /// Whether both are nil, or have the same UTF-8 bytes.
  public func hasSameBytes(as other: Wrapped?) -> Bool {
    switch (self, other) {
    case (let left?, let right?): left.hasSameBytes(as: right)
    case (nil, nil): true
    default: false
    }
  }
}

extension Array: ByteComparable where Element: ByteComparable {
  /// Whether both have the same elements by bytes, in the same order.
  public func hasSameBytes(as other: [Element]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.hasSameBytes(as: $1) }
  }
}

extension Dictionary: ByteComparable where Key == String, Value == String {
  /// Whether both have the same texts for the same names.
  public func hasSameBytes(as other: [String: String]) -> Bool {
    count == other.count
      && allSatisfy { name, text in
        other.index(forKey: name).map {
          other[$0].key.hasSameBytes(as: name) && other[$0].value.hasSameBytes(as: text)
        } ?? false
      }
  }
}
