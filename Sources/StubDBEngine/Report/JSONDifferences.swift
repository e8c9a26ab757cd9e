import StubDBJSON
import StubDBModel

/// The places where a JSON value is not as expected.
struct JSONDifferences {
  /// How many places are listed.
  static let limit = 12
  /// The longest array whose elements are paired when their order does not count.
  private static let longestPairing = 500

  struct Difference {
    var pointer: JSONPointer
    var expected: String
    var actual: String
  }

  /// The first places in the order of the expected value, members by name.
  private(set) var listed: [Difference] = []
  /// How many there are in all.
  private(set) var count = 0
  private let ignoreArrayOrder: Bool
  private let ignoreExtraElements: Bool
  private let placeholders: JSONPlaceholders

  init(
    _ expected: JSONValue, _ actual: JSONValue, ignoreArrayOrder: Bool = false,
    ignoreExtraElements: Bool = false, placeholders: JSONPlaceholders
  ) {
    self.ignoreArrayOrder = ignoreArrayOrder
    self.ignoreExtraElements = ignoreExtraElements
    self.placeholders = placeholders
    compare(expected, actual, at: JSONPointer())
  }

  /// The share of the expected values that differ, from 0 to 1.
  func distance(of expected: JSONValue) -> Double {
    Double(count) / Double(max(Self.leafCount(expected), count))
  }

  private mutating func compare(_ expected: JSONValue, _ actual: JSONValue, at place: JSONPointer) {
    switch (expected, actual) {
    case (.object(let expected), .object(let actual)):
      compare(expected, actual, at: place)
    case (.array(let expected), .array(let actual)):
      if ignoreArrayOrder {
        pair(expected, actual, at: place)
      } else {
        compare(expected, actual, at: place)
      }
    case (.string(let text), _):
      guard let placeholder = JSONPlaceholder(text) else { fallthrough }
      if placeholders.matches(placeholder, actual) != true {
        add(place, placeholder.phrase, Self.text(actual, at: place))
      }
    default:
      if !JSONComparison.isEqualScalar(expected, actual) { add(place, expected, actual) }
    }
  }

  private mutating func compare(
    _ expected: [String: JSONValue], _ actual: [String: JSONValue], at place: JSONPointer
  ) {
    for (name, value) in expected.sorted(by: { $0.key < $1.key }) {
      if let other = JSONComparison.member(name, of: actual) {
        compare(value, other, at: place.appending(name))
      } else if !JSONPlaceholder.isIgnoredElement(value) {
        add(place.appending(name), value, nil)
      }
    }
    guard !ignoreExtraElements else { return }
    let extra = actual.keys.filter { JSONComparison.member($0, of: expected) == nil }
    for name in extra.sorted() { add(place.appending(name), nil, actual[name]) }
  }

  private mutating func compare(
    _ expected: [JSONValue], _ actual: [JSONValue], at place: JSONPointer
  ) {
    for (index, pair) in zip(expected, actual).enumerated() {
      compare(pair.0, pair.1, at: place.appending(index))
    }
    for index in expected.indices.dropFirst(actual.count) {
      add(place.appending(index), expected[index], nil)
    }
    guard !ignoreExtraElements else { return }
    for index in actual.indices.dropFirst(expected.count) {
      add(place.appending(index), nil, actual[index])
    }
  }

  /// Compares arrays whose order does not count: what has no equal is set against what is left over.
  private mutating func pair(_ expected: [JSONValue], _ actual: [JSONValue], at place: JSONPointer)
  {
    guard max(expected.count, actual.count) <= Self.longestPairing else {
      var comparison = unordered
      if !comparison.isEqual(.array(expected), .array(actual)) {
        add(place, .array(expected), .array(actual))
      }
      return
    }
    var comparison = unordered
    let assigned = comparison.assign(expected, actual)
    let missing = expected.indices.filter { assigned[$0] == nil }
    let taken = Set(assigned.compactMap { $0 })
    let left = actual.indices.filter { !taken.contains($0) }
    if missing.count == 1, left.count == 1 {
      compare(expected[missing[0]], actual[left[0]], at: place.appending(left[0]))
      return
    }
    for index in missing {
      add(place, "an element \(Self.text(expected[index], at: place))", "no such element is left")
    }
    guard !ignoreExtraElements else { return }
    for index in left { add(place.appending(index), nil, actual[index]) }
  }

  private var unordered: JSONComparison {
    JSONComparison(
      ignoreArrayOrder: true, ignoreExtraElements: ignoreExtraElements, placeholders: placeholders)
  }

  private mutating func add(_ place: JSONPointer, _ expected: JSONValue?, _ actual: JSONValue?) {
    guard listed.count < Self.limit else {
      count += 1
      return
    }
    if case .string(let expected) = expected, case .string(let actual) = actual,
      !Self.isSecret(place)
    {
      let texts = TextExcerpt.quoted(expected, actual)
      add(place, texts.expected, texts.actual)
    } else {
      let texts = [expected, actual].map { $0.map { Self.text($0, at: place) } ?? "absent" }
      add(place, texts[0], Phrase.notEqual(texts[1], texts[0]))
    }
  }

  private mutating func add(_ place: JSONPointer, _ expected: String, _ actual: String) {
    count += 1
    guard listed.count < Self.limit else { return }
    listed.append(Difference(pointer: place, expected: expected, actual: actual))
  }

  /// A value as short text; a large container is only counted, since all of it would say nothing.
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

  /// Whether a member on the way to the place is named like a secret.
  private static func isSecret(_ place: JSONPointer) -> Bool {
    !SecretDisplay.isShown && place.tokens.contains { SensitiveName($0) != .none }
  }

  /// How many values without members or elements a value holds; at least 1.
  static func leafCount(_ value: JSONValue) -> Int {
    switch value {
    case .array(let elements): max(1, elements.reduce(0) { $0 + leafCount($1) })
    case .object(let members): max(1, members.values.reduce(0) { $0 + leafCount($1) })
    default: 1
    }
  }
}
