import Foundation
internal import StubDBSupport

/// A JSON value, with numbers kept as written.
///
/// Objects are unordered; text made from a value has its keys sorted by Unicode scalars. Equality is structural and
/// compares numbers by their text; use ``JSONNumber/isNumericallyEqual(to:)`` if `1` and `1.0` should be equal.
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
  case object([String: JSONValue])
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
    self = .object(Dictionary(elements) { _, last in last })
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
    case .object(let members): members.mapValues(\.foundationValue)
    }
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

  /// The value as JSON on several lines, indented by two spaces a level, keys sorted by Unicode scalars.
  ///
  /// The first line is not indented; the following lines are indented by `depth` additional levels.
  package func prettyText(depth: Int = 0) -> String {
    var writer = JSONWriter(indent: 2)
    writer.write(self, depth: depth)
    return writer.text
  }
}

extension JSONValue: TextComparable {
  /// Whether both have the same text, where the order of members does not count.
  package func hasSameText(as other: JSONValue) -> Bool {
    switch (self, other) {
    case (.string(let text), .string(let other)): text.hasSameText(as: other)
    case (.array(let elements), .array(let others)): elements.hasSameText(as: others)
    case (.object(let members), .object(let others)):
      members.count == others.count
        && members.allSatisfy { name, value in
          others.member(name).map {
            name.hasSameText(as: $0.name) && value.hasSameText(as: $0.value)
          } ?? false
        }
    default: self == other
    }
  }
}

extension [String: JSONValue] {
  /// The member of a name, with the name as it is written; nil if the object does not have it.
  package func member(_ name: String) -> (name: String, value: JSONValue)? {
    index(forKey: name).map { (self[$0].key, self[$0].value) }
  }
}
