import Foundation
import StubDBDocuments
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

@testable import StubDBEngine

@Suite struct JSONComparisonTests {
  /// Small sets as objects: with extra elements allowed, one "equals" another if it is a subset, so that greedy pairing
  /// often fails.
  @Test(arguments: 0..<200)
  func pairingIsTheBestThereIs(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let expected = (0..<Int.random(in: 1...5, using: &random)).map { _ in subset(&random, 40) }
    let actual = (0..<Int.random(in: 1...6, using: &random)).map { _ in subset(&random, 60) }
    let isEqual = equal(.array(expected), .array(actual), anyOrder: true, extra: true)
    #expect(isEqual == hasPairing(expected[...], Set(actual.indices), actual))
    let differences = try differences(
      .array(expected), .array(actual), anyOrder: true, extra: true)
    #expect((differences.count == 0) == isEqual)
  }

  @Test(arguments: 0..<100)
  func shuffledArraysAreEqualWithoutTheirOrder(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let value = tree(3, &random)
    #expect(equal(value, shuffled(value, &random), anyOrder: true) == true)
    let nested = JSONValue.array([value, .array([value])])
    #expect(equal(.array([value, value]), nested, anyOrder: true) == false)
  }

  @Test func differencesArePlacesInTheJSON() throws {
    let expected: JSONValue = ["a": ["b": [1, 2, ["c": "x"]], "gone": nil], "n": 1, "s": "same"]
    let actual: JSONValue = [
      "a": ["b": [1, "2", ["c": "y"], 4]], "n": 1.0, "s": "same", "new": [],
    ]
    let differences = try differences(expected, actual)
    let lines = differences.listed.map { "\($0.pointer): \($0.expected) | \($0.actual)" }
    #expect(
      lines == [
        "/a/b/1: 2 | \"2\"", "/a/b/2/c: \"x\" | \"y\"", "/a/b/3: absent | 4",
        "/a/gone: null | absent", "/new: absent | []",
      ])
    #expect(differences.count == 5)
  }

  @Test func theOneElementWithoutPartnerIsComparedWithTheOneLeft() throws {
    let expected: JSONValue = [["id": 1, "n": 1], ["id": 2, "n": 2]]
    let actual: JSONValue = [["id": 2, "n": 3], ["id": 1, "n": 1]]
    let differences = try differences(expected, actual, anyOrder: true)
    #expect(differences.listed.map(\.pointer.description) == ["/0/n"])
  }

  private func equal(
    _ expected: JSONValue, _ actual: JSONValue, anyOrder: Bool = false, extra: Bool = false
  ) -> Bool? {
    var comparison = JSONComparison(
      ignoreArrayOrder: anyOrder, ignoreExtraElements: extra, MatchContext())
    return comparison.verdict(.plain(expected), actual)
  }

  private func differences(
    _ expected: JSONValue, _ actual: JSONValue, anyOrder: Bool = false, extra: Bool = false
  ) throws -> JSONDifferences {
    var comparison = JSONComparison(
      ignoreArrayOrder: anyOrder, ignoreExtraElements: extra, reports: true, MatchContext())
    _ = comparison.verdict(.plain(expected), actual)
    return try #require(comparison.differences)
  }

  private func subset(_ random: inout SeededRandom, _ percent: Int) -> JSONValue {
    let names = ["a", "b", "c", "d"].filter { _ in Int.random(in: 0..<100, using: &random) < percent
    }
    return .object(Dictionary(uniqueKeysWithValues: names.map { ($0, 1) }))
  }

  private func hasPairing(
    _ expected: ArraySlice<JSONValue>, _ free: Set<Int>, _ actual: [JSONValue]
  ) -> Bool {
    guard case .object(let first)? = expected.first else { return true }
    return free.contains { index in
      guard case .object(let other) = actual[index] else { return false }
      return Set(first.keys).isSubset(of: other.keys)
        && hasPairing(expected.dropFirst(), free.subtracting([index]), actual)
    }
  }

  private func tree(_ depth: Int, _ random: inout SeededRandom) -> JSONValue {
    guard depth > 0 else { return .number(JSONNumber(Int.random(in: 0...2, using: &random))) }
    let elements = (0..<Int.random(in: 0...4, using: &random)).map { _ in tree(depth - 1, &random) }
    return Bool.random(using: &random) ? .array(elements) : .object(["e": .array(elements)])
  }

  private func shuffled(_ value: JSONValue, _ random: inout SeededRandom) -> JSONValue {
    switch value {
    case .array(let elements):
      return .array(elements.map { shuffled($0, &random) }.shuffled(using: &random))
    case .object(let members):
      return .object(members.mapValues { shuffled($0, &random) })
    default: return value
    }
  }
}
