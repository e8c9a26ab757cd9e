import StubDBJSON
import StubDBModel

/// Compares JSON values as `equalToJson` does.
///
/// Numbers are compared as quantities, strings by their bytes. With `ignoreExtraElements` an object may have members,
/// and an array elements at its end (with `ignoreArrayOrder` anywhere), that the expected value does not have.
struct JSONComparison {
  /// How many pairs of array elements are compared at most when the order does not count.
  static let maximumPairs = 100_000

  let ignoreArrayOrder: Bool
  let ignoreExtraElements: Bool
  private let placeholders: JSONPlaceholders
  private var pairsLeft = JSONComparison.maximumPairs

  init(ignoreArrayOrder: Bool, ignoreExtraElements: Bool, placeholders: JSONPlaceholders) {
    self.ignoreArrayOrder = ignoreArrayOrder
    self.ignoreExtraElements = ignoreExtraElements
    self.placeholders = placeholders
  }

  /// Whether it gave up, so that an answer of false means nothing.
  var isExhausted: Bool { pairsLeft < 0 }

  mutating func isEqual(_ expected: JSONValue, _ actual: JSONValue) -> Bool {
    switch (expected, actual) {
    case (.object(let expected), .object(let actual)):
      return areEqual(expected, actual)
    case (.array(let expected), .array(let actual)):
      guard isPossibleCount(expected.count, actual.count) else { return false }
      if ignoreArrayOrder { return !assign(expected, actual).contains(nil) }
      for (expected, actual) in zip(expected, actual) where !isEqual(expected, actual) {
        return false
      }
      return true
    case (.string(let text), _):
      guard let placeholder = JSONPlaceholder(text) else { fallthrough }
      guard let verdict = placeholders.matches(placeholder, actual) else {
        pairsLeft = -1
        return false
      }
      return verdict
    default:
      return Self.isEqualScalar(expected, actual)
    }
  }

  func isPossibleCount(_ expected: Int, _ actual: Int) -> Bool {
    ignoreExtraElements ? expected <= actual : expected == actual
  }

  private mutating func areEqual(
    _ expected: [String: JSONValue], _ actual: [String: JSONValue]
  ) -> Bool {
    var missing = 0
    if !isPossibleCount(expected.count, actual.count) {
      guard expected.values.contains(where: JSONPlaceholder.isIgnoredElement) else { return false }
    }
    for (name, value) in expected {
      if let other = Self.member(name, of: actual) {
        guard isEqual(value, other) else { return false }
      } else {
        guard JSONPlaceholder.isIgnoredElement(value) else { return false }
        missing += 1
      }
    }
    return ignoreExtraElements || expected.count - missing == actual.count
  }

  /// The member whose name has the same bytes.
  static func member(_ name: String, of object: [String: JSONValue]) -> JSONValue? {
    guard let index = object.index(forKey: name), ByteText.isEqual(object[index].key, name) else {
      return nil
    }
    return object[index].value
  }

  static func isEqualScalar(_ expected: JSONValue, _ actual: JSONValue) -> Bool {
    switch (expected, actual) {
    case (.null, .null): true
    case (.bool(let expected), .bool(let actual)): expected == actual
    case (.number(let expected), .number(let actual)): expected.isNumericallyEqual(to: actual)
    case (.string(let expected), .string(let actual)): ByteText.isEqual(expected, actual)
    default: false
    }
  }

  /// For each expected element an actual one of its own that equals it, as many as possible.
  mutating func assign(_ expected: [JSONValue], _ actual: [JSONValue]) -> [Int?] {
    let containers = ignoreExtraElements ? actual.indices.filter { actual[$0].isContainer } : []
    let closed = actual.indices.filter { !ignoreExtraElements || !actual[$0].isContainer }
    let places = Dictionary(grouping: closed) { Self.fingerprint(actual[$0]) }
    var choices: [[Int]] = []
    for element in expected {
      // Containers may have extra elements, so that only comparing tells; anything else that is
      // equal has the same fingerprint.
      let isOpen = ignoreExtraElements && element.isContainer
      let candidates =
        JSONPlaceholder.isHeld(by: element)
        ? Array(actual.indices) : isOpen ? containers : places[Self.fingerprint(element)] ?? []
      var suited: [Int] = []
      for index in candidates {
        pairsLeft -= 1
        guard pairsLeft >= 0 else { return expected.map { _ in nil } }
        if isEqual(element, actual[index]) { suited.append(index) }
      }
      choices.append(suited)
    }
    return BipartiteMatching.assign(choices, to: actual.count)
  }

  /// A number that is the same for values that are equal without extra elements and placeholders.
  ///
  /// Arrays in another order have the same one.
  static func fingerprint(_ value: JSONValue) -> Int {
    var hasher = Hasher()
    switch value {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value.doubleValue)
    case .string(let value): hasher.combine(value)
    case .array(let elements):
      var sum = 0
      for element in elements { sum &+= fingerprint(element) }
      hasher.combine(1)
      hasher.combine(sum)
    case .object(let members):
      var sum = 0
      for (name, value) in members { sum &+= name.hashValue ^ fingerprint(value) &* 31 }
      hasher.combine(2)
      hasher.combine(sum)
    }
    return hasher.finalize()
  }
}

extension JSONValue {
  var isContainer: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }
}
