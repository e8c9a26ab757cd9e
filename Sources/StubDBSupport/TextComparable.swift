internal import Foundation

/// A value of a scenario, whose texts can be compared as they are written.
///
/// For Swift's `==`, texts are equal that compose a character differently, such as é in one code point or in two. No
/// request is matched that way, and a catalog stores the bytes: what decides whether something has changed asks for
/// the same text.
package protocol TextComparable: Equatable {
  /// Whether a document has the same text for both, byte by byte; implies that both are equal.
  func hasSameText(as other: Self) -> Bool
}

extension String: TextComparable {
  /// Whether both have the same UTF-8 bytes.
  package func hasSameText(as other: String) -> Bool {
    let result = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { others in
        guard bytes.count == others.count else { return false }
        guard let left = bytes.baseAddress, let right = others.baseAddress else { return true }
        return memcmp(left, right, bytes.count) == 0
      }
    }
    return (result ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}

extension Optional where Wrapped: TextComparable {
  /// Whether both are nil, or have the same text.
  package func hasSameText(as other: Wrapped?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.hasSameText(as: other)
  }
}

extension Array where Element: TextComparable {
  /// Whether both have elements of the same text, in the same order.
  package func hasSameText(as other: [Element]) -> Bool {
    guard count == other.count else { return false }
    for index in 0..<count where !self[index].hasSameText(as: other[index]) { return false }
    return true
  }
}

/// A text that is equal to others with the same bytes, as the key of what is made of texts.
package struct ExactText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.hasSameText(as: right.text)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
