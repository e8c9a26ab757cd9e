package import StubDBJSON

/// What samples of a JSON value have in common: types, members and elements, without the values.
///
/// A shape is made of one value or of several at the same place, such as the elements of an array. It knows which
/// members are always there and which only sometimes.
package struct Shape: Hashable, Sendable {
  /// The JSON types of the samples.
  package struct Types: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let null = Types(rawValue: 1)
    package static let boolean = Types(rawValue: 2)
    /// Numbers without a fraction; `1.0` is one.
    package static let integer = Types(rawValue: 4)
    /// Numbers with a fraction.
    package static let number = Types(rawValue: 8)
    package static let string = Types(rawValue: 16)
    package static let array = Types(rawValue: 32)
    package static let object = Types(rawValue: 64)
  }

  /// A member of objects: how many of them have it, and what its values are.
  package struct Member: Hashable, Sendable {
    package var count = 0
    package var shape = Shape()
  }

  /// Values inside of more arrays and objects than this are not looked at.
  static let maximumDepth = 128

  /// The types that were seen.
  package internal(set) var types: Types = []
  /// The strings that were seen.
  package internal(set) var texts = TextSamples()
  /// How many of the samples are objects.
  package internal(set) var objectCount = 0
  /// The members of the objects by name.
  package internal(set) var members: [String: Member] = [:]
  /// The shape of all elements of all arrays; nil if there was none.
  package var element: Shape? { elements.first }
  /// Whether an element of XML occurs more than once beside others of its name.
  package internal(set) var isRepeated = false

  /// One shape or none, in a list because a structure cannot contain itself.
  var elements: [Shape] = []

  /// A shape without samples.
  package init() {}

  /// The shape of one value.
  package init(_ value: JSONValue) {
    add(value)
  }

  /// Adds a sample.
  package mutating func add(_ value: JSONValue) {
    add(value, depth: 0)
  }

  private mutating func add(_ value: JSONValue, depth: Int) {
    switch value {
    case .null: types.insert(.null)
    case .bool: types.insert(.boolean)
    case .number(let number): types.insert(number.isWhole ? .integer : .number)
    case .string(let text):
      types.insert(.string)
      texts.add(text)
    case .array(let values):
      types.insert(.array)
      guard depth < Self.maximumDepth, !values.isEmpty else { return }
      var element = elements.popLast() ?? Shape()
      for value in values { element.add(value, depth: depth + 1) }
      elements = [element]
    case .object(let values):
      types.insert(.object)
      guard depth < Self.maximumDepth else { return }
      objectCount += 1
      for (name, value) in values {
        members[name, default: Member()].count += 1
        members[name]?.shape.add(value, depth: depth + 1)
      }
    }
  }

  /// Adds the samples of another shape.
  package mutating func merge(_ other: Shape) {
    types.formUnion(other.types)
    texts.merge(other.texts)
    objectCount += other.objectCount
    isRepeated = isRepeated || other.isRepeated
    for (name, member) in other.members {
      members[name, default: Member()].count += member.count
      members[name]?.shape.merge(member.shape)
    }
    if let element = other.element {
      var merged = elements.popLast() ?? Shape()
      merged.merge(element)
      elements = [merged]
    }
  }

  /// The shape of the values of all members, for objects whose names are ids.
  package var memberValues: Shape {
    var all = Shape()
    for member in members.values { all.merge(member.shape) }
    return all
  }

  /// Whether every object had a member of the name.
  package func always(_ name: String) -> Bool {
    objectCount > 0 && members[name]?.count == objectCount
  }
}

extension Shape: CustomStringConvertible {
  /// The types as words, such as `integer or null`.
  package var description: String { types.description }
}

extension Shape.Types: CustomStringConvertible {
  private static let names: [(Shape.Types, String)] = [
    (.object, "object"), (.array, "array"), (.string, "string"), (.number, "number"),
    (.integer, "integer"), (.boolean, "boolean"), (.null, "null"),
  ]

  /// The types as words, such as `integer or null`; `nothing` for none.
  package var description: String {
    let words = Self.names.filter { contains($0.0) }.map(\.1)
    return words.isEmpty ? "nothing" : words.joined(separator: " or ")
  }
}
