import StubDBJSON
import StubDBSupport

/// Compares JSON values as `equalToJson` does, and reports where they differ on request.
///
/// Numbers are compared as quantities, strings by their bytes. With `ignoreExtraElements` an object may have members,
/// and an array elements at its end (with `ignoreArrayOrder` anywhere), that the expected value does not have.
struct JSONComparison {
  /// How many pairs of the elements of two arrays are compared at most if the order does not count.
  private static let maximumPairs = 100_000
  /// The longest array whose elements are paired for a report if their order does not count.
  private static let longestPairing = 500

  let ignoreArrayOrder: Bool
  let ignoreExtraElements: Bool
  private let context: MatchContext
  /// The places that differ; nil to stop at the first difference.
  private(set) var differences: JSONDifferences?
  /// The way to the values at hand, kept only for a report.
  private var path: [String] = []
  /// How many pairs may still be compared; nil before the first one.
  private var pairsLeft: Int?
  private var isUndecided = false

  /// `reports` says whether every place that differs is looked for.
  init(
    ignoreArrayOrder: Bool = false, ignoreExtraElements: Bool = false, reports: Bool = false,
    _ context: MatchContext
  ) {
    self.ignoreArrayOrder = ignoreArrayOrder
    self.ignoreExtraElements = ignoreExtraElements
    self.context = context
    differences = reports ? JSONDifferences() : nil
  }

  /// Whether the values are equal; nil if telling takes too long.
  mutating func verdict(_ expected: ExpectedJSON, _ actual: JSONValue) -> Bool? {
    let isEqual = compare(expected, actual)
    if let pairsLeft { context.putBack(pairsLeft) }
    return isUndecided ? nil : isEqual
  }

  /// Whether the values are equal; means nothing once `isUndecided` is set.
  private mutating func compare(_ expected: ExpectedJSON, _ actual: JSONValue) -> Bool {
    switch (expected, actual) {
    case (.plain(.object(let expected)), .object(let actual)):
      return compareMembers(expected.lazy.map { ($0.key, .plain($0.value)) }, actual) {
        expected[$0] != nil
      }
    case (.object(let expected), .object(let actual)):
      return compareMembers(expected.lazy.map { ($0.key.string, $0.value) }, actual) {
        expected[ByteText($0)] != nil
      }
    case (.plain(.array(let expected)), .array(let actual)):
      return compareElements(expected.lazy.map { .plain($0) }, actual)
    case (.array(let expected), .array(let actual)):
      return compareElements(expected, actual)
    case (.placeholder(let placeholder), _):
      let verdict = placeholder.matches(actual, context)
      if verdict == nil { isUndecided = true }
      if verdict != true { differences?.add(path, placeholder, actual) }
      return verdict == true
    case (.plain(let value), _):
      let isEqual = Self.isEqualScalar(value, actual)
      if !isEqual { differences?.add(path, value, actual) }
      return isEqual
    case (.object, _), (.array, _):
      differences?.add(path, expected.written, actual)
      return false
    }
  }

  private mutating func compareMembers(
    _ expected: some Collection<(String, ExpectedJSON)>, _ actual: JSONObject,
    isExpected: (String) -> Bool
  ) -> Bool {
    guard differences != nil else { return haveEqualMembers(expected, actual) }
    var isEqual = true
    for (name, value) in expected.sorted(by: { $0.0 < $1.0 }) {
      path.append(name)
      if let other = actual[name] {
        isEqual = compare(value, other) && isEqual
      } else if !value.isIgnoredElement {
        isEqual = false
        differences?.add(path, value.written, nil)
      }
      path.removeLast()
    }
    guard !ignoreExtraElements else { return isEqual }
    for name in actual.keys.filter({ !isExpected($0) }).sorted() {
      isEqual = false
      differences?.add(path + [name], nil, actual[name])
    }
    return isEqual
  }

  /// Does the same without a report: ends at the first difference and does not sort the members.
  private mutating func haveEqualMembers(
    _ expected: some Collection<(String, ExpectedJSON)>, _ actual: JSONObject
  ) -> Bool {
    var missing = 0
    if !isPossibleCount(expected.count, actual.count) {
      guard expected.contains(where: \.1.isIgnoredElement) else { return false }
    }
    for (name, value) in expected {
      if let other = actual[name] {
        guard compare(value, other) else { return false }
      } else {
        guard value.isIgnoredElement else { return false }
        missing += 1
      }
    }
    return ignoreExtraElements || expected.count - missing == actual.count
  }

  private mutating func compareElements(
    _ expected: some RandomAccessCollection<ExpectedJSON>, _ actual: [JSONValue]
  ) -> Bool {
    if differences == nil, !isPossibleCount(expected.count, actual.count) { return false }
    if ignoreArrayOrder { return pair(Array(expected), actual) }
    var isEqual = true
    for (index, pair) in zip(expected, actual).enumerated() {
      if differences != nil { path.append(String(index)) }
      isEqual = compare(pair.0, pair.1) && isEqual
      guard differences != nil else {
        if isEqual { continue }
        return false
      }
      path.removeLast()
    }
    for (index, element) in expected.enumerated().dropFirst(actual.count) {
      isEqual = false
      differences?.add(path + [String(index)], element.written, nil)
    }
    guard !ignoreExtraElements else { return isEqual }
    for index in actual.indices.dropFirst(expected.count) {
      isEqual = false
      differences?.add(path + [String(index)], nil, actual[index])
    }
    return isEqual
  }

  private func isPossibleCount(_ expected: Int, _ actual: Int) -> Bool {
    ignoreExtraElements ? expected <= actual : expected == actual
  }

  /// Compares arrays in any order: elements without an equal are paired with the remaining ones.
  private mutating func pair(_ expected: [ExpectedJSON], _ actual: [JSONValue]) -> Bool {
    let isPossible = isPossibleCount(expected.count, actual.count)
    guard differences != nil else { return isPossible && !assign(expected, actual).contains(nil) }
    guard max(expected.count, actual.count) <= Self.longestPairing else {
      let isEqual = isPossible && !assign(expected, actual).contains(nil)
      if !isEqual { differences?.add(path, .array(expected.map(\.written)), .array(actual)) }
      return isEqual
    }
    let assigned = assign(expected, actual)
    let missing = expected.indices.filter { assigned[$0] == nil }
    let taken = Set(assigned.compactMap { $0 })
    let left = actual.indices.filter { !taken.contains($0) }
    if missing.count == 1, left.count == 1 {
      path.append(String(left[0]))
      defer { path.removeLast() }
      return compare(expected[missing[0]], actual[left[0]])
    }
    for index in missing { differences?.addMissing(expected[index], path) }
    guard !ignoreExtraElements else { return missing.isEmpty }
    for index in left { differences?.add(path + [String(index)], nil, actual[index]) }
    return missing.isEmpty && left.isEmpty
  }

  /// Takes a step for a pair; false if there are none left.
  private mutating func takePair() -> Bool {
    let left =
      pairsLeft ?? context.grant(atMost: Self.maximumPairs, atLeast: WorkBudget.allowance)
    pairsLeft = max(0, left - 1)
    return left > 0
  }

  /// Assigns to each expected element an actual element that equals it; as many as possible.
  private mutating func assign(_ expected: [ExpectedJSON], _ actual: [JSONValue]) -> [Int?] {
    let report = differences
    differences = nil
    defer { differences = report }
    let containers = ignoreExtraElements ? actual.indices.filter { actual[$0].isContainer } : []
    let closed = actual.indices.filter { !ignoreExtraElements || !actual[$0].isContainer }
    let places = Dictionary(grouping: closed) { Self.fingerprint(actual[$0]) }
    var choices: [[Int]] = []
    for element in expected {
      // Containers may have extra elements, so they must be compared; other equal values have equal fingerprints.
      let isOpen = ignoreExtraElements && element.isContainer
      let candidates =
        element.plainValue.map { isOpen ? containers : places[Self.fingerprint($0)] ?? [] }
        ?? Array(actual.indices)
      var suited: [Int] = []
      for index in candidates {
        guard takePair() else {
          isUndecided = true
          return expected.map { _ in nil }
        }
        if compare(element, actual[index]) { suited.append(index) }
      }
      choices.append(suited)
    }
    return BipartiteMatching.assign(choices, to: actual.count)
  }
}

extension JSONComparison {
  private static func isEqualScalar(_ expected: JSONValue, _ actual: JSONValue) -> Bool {
    switch (expected, actual) {
    case (.null, .null): true
    case (.bool(let expected), .bool(let actual)): expected == actual
    case (.number(let expected), .number(let actual)): expected.isNumericallyEqual(to: actual)
    case (.string(let expected), .string(let actual)): ByteText.isEqual(expected, actual)
    default: false
    }
  }

  /// A number that is equal for values that are equal without extra elements and placeholders.
  ///
  /// It does not depend on the order of arrays.
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
