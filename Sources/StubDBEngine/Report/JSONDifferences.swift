import StubDBJSON
import StubDBModel

/// The differences between a JSON value and the expected one.
struct JSONDifferences {
  /// The largest number of places that are listed.
  static let limit = 12

  struct Difference {
    var pointer: JSONPointer
    var expected: String
    var actual: String
  }

  /// The first places in the order of the expected value, members by name.
  private(set) var listed: [Difference] = []
  /// The total number of places.
  private(set) var count = 0

  /// The share of the expected values that differ, from 0 to 1.
  func distance(of expected: JSONValue) -> Double {
    Double(count) / Double(max(Self.leafCount(expected), count))
  }

  /// Adds a place whose value does not match a placeholder.
  mutating func add(
    _ path: [String], _ placeholder: ExpectedJSON.Placeholder, _ actual: JSONValue
  ) {
    let place = JSONPointer(path)
    add(place, placeholder.phrase, Self.text(actual, at: place))
  }

  /// Adds an expected element that an array lacks.
  mutating func addMissing(_ element: ExpectedJSON, _ path: [String]) {
    let place = JSONPointer(path)
    add(place, "an element \(element.text(at: place))", "no such element is left")
  }

  /// Adds a place with the expected and the actual value; nil for a missing value.
  mutating func add(_ path: [String], _ expected: JSONValue?, _ actual: JSONValue?) {
    guard listed.count < Self.limit else {
      count += 1
      return
    }
    let place = JSONPointer(path)
    if case .string(let expected) = expected, case .string(let actual) = actual,
      !Self.isSecret(place)
    {
      let texts = TextExcerpt.quoted(expected, actual)
      add(place, texts.expected, texts.actual)
    } else {
      let texts = [expected, actual].map { $0.map { Self.text($0, at: place) } ?? "absent" }
      add(place, texts[0], ReportPhrase.notEqual(texts[1], texts[0]))
    }
  }

  private mutating func add(_ place: JSONPointer, _ expected: String, _ actual: String) {
    count += 1
    guard listed.count < Self.limit else { return }
    listed.append(Difference(pointer: place, expected: expected, actual: actual))
  }

  /// A value as short text; for large containers only the count is shown.
  static func text(_ value: JSONValue, at place: JSONPointer = JSONPointer()) -> String {
    switch value {
    case .array(let elements) where elements.count > 50: "an array of \(elements.count) elements"
    case .object(let members) where members.count > 50: "an object of \(members.count) members"
    default:
      switch value.hidingSecrets(isSecret: isSecret(place)) {
      case .string(let text): TextExcerpt.quoted(text)
      case let value: TextExcerpt.plain(value.canonicalText)
      }
    }
  }

  /// Whether a member on the path is named like a secret.
  private static func isSecret(_ place: JSONPointer) -> Bool {
    !SecretDisplay.isShown && place.tokens.contains { SensitiveName($0) != .none }
  }

  /// The number of scalars and empty containers in a value; at least 1.
  static func leafCount(_ value: JSONValue) -> Int {
    switch value {
    case .array(let elements): max(1, elements.reduce(0) { $0 + leafCount($1) })
    case .object(let members): max(1, members.values.reduce(0) { $0 + leafCount($1) })
    default: 1
    }
  }
}
