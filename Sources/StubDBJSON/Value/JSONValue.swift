import Foundation
internal import StubDBSupport

/// A JSON value, with numbers kept as written.
///
/// Objects are unordered; text made from a value has its keys sorted by Unicode scalars. Equality compares strings by
/// their bytes and numbers by their text; use ``JSONNumber/isNumericallyEqual(to:)`` if `1` and `1.0` should be equal.
/// https://www.rfc-editor.org/rfc/rfc8259
public enum JSONValue: Hashable, Sendable {
  /// The literal `null`.
  case null
  /// The literals `true` and `false`.
  case bool(Bool)
  /// A number, of any size and precision.
  case number(JSONNumber)
  /// A string of Unicode scalar values.
  case string(String)
  /// An array; may be empty.
  case array([JSONValue])
  /// An object; may be empty, names are unique.
  case object(JSONObject)

  /// Whether both have the same canonical text.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): ByteText.isEqual(left, right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  /// Makes an object of the members of a dictionary.
  @_disfavoredOverload
  public static func object(_ members: [String: JSONValue]) -> JSONValue {
    .object(JSONObject(members))
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Makes a string.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Makes a number without a fraction.
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }

  /// Makes a number; a value that is not finite, which JSON cannot represent, becomes `null`.
  public init(floatLiteral value: Double) {
    self = JSONNumber(value).map(JSONValue.number) ?? .null
  }

  /// Makes `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Makes `null`.
  public init(nilLiteral: ()) { self = .null }

  /// Makes an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// Makes an object; the last of several equal names counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements))
  }
}

extension JSONValue {
  /// The name of the value's type in messages.
  package var typeName: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

extension JSONValue {
  /// The value as a property-list object, for `userInfo`.
  package var foundationValue: Any {
    switch self {
    case .null: NSNull()
    case .bool(let value): value
    case .number(let number): number.integerValue ?? number.doubleValue
    case .string(let value): value
    case .array(let values): values.map(\.foundationValue)
    case .object(let members): members.foundationValue
    }
  }
}

extension JSONObject {
  /// The members as a property list; Foundation compares names as Swift does, so that one of equivalent names remains.
  package var foundationValue: [String: Any] {
    Dictionary(map { ($0, $1.foundationValue) }, uniquingKeysWith: { $1 })
  }
}

extension JSONValue: CustomStringConvertible, CustomDebugStringConvertible {
  /// The value as compact JSON with sorted keys, as a failed comparison of a test shows it.
  public var description: String { canonicalText }

  /// The same as ``description``.
  public var debugDescription: String { canonicalText }
}

extension JSONValue {
  /// The value as compact JSON: keys sorted by Unicode scalars, numbers as written.
  package var canonicalText: String {
    var writer = JSONWriter(indent: nil)
    writer.write(self, depth: 0)
    return writer.text
  }
}
