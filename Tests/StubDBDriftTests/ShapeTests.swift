import Foundation
import HTTPTypes
import StubDBDrift
import StubDBJSON
import StubDBTestSupport
import Testing

struct ShapeTests {
  private static func shape(of samples: [JSONValue]) -> Shape {
    samples.reduce(into: Shape()) { $0.add($1) }
  }

  private static func lines(_ comparison: ShapeComparison) -> [String] {
    comparison.differences.map { "\($0.level) \($0.id.rawValue) \($0.pointer)" }
      + comparison.inconclusive.map { "inconclusive \($0.pointer)" }
  }

  @Test(arguments: ShapeCase.all)
  func eachRuleHasItsBorders(row: ShapeCase) throws {
    var comparison = ShapeComparison(rules: row.rules)
    comparison.compare(
      Shape(try JSONValue(parsing: row.stored)), Shape(try JSONValue(parsing: row.live)),
      known: try row.known.map { Shape(try JSONValue(parsing: $0)) })
    #expect(Self.lines(comparison) == row.found)
  }

  @Test func aShapeDoesNotDifferFromItself() {
    for seed in 0..<2_000 {
      var random = SeededRandom(seed: UInt64(seed))
      let value = RandomValue.value(&random, depth: 4)
      let shape = Shape(value)
      var comparison = ShapeComparison()
      comparison.compare(shape, shape, known: shape)
      #expect(comparison.differences == [], "\(value)")
      #expect(comparison.inconclusive == [], "\(value)")
    }
  }

  @Test func samplesCanBeAddedInAnyOrder() {
    for seed in 0..<500 {
      var random = SeededRandom(seed: UInt64(seed))
      let values = (0..<4).map { _ in RandomValue.value(&random, depth: 3) }
      var merged = Shape(values[3])
      for value in values.prefix(3) { merged.merge(Shape(value)) }
      #expect(Self.shape(of: values) == merged, "\(values)")
      #expect(Self.shape(of: values.reversed()) == merged, "\(values)")
    }
  }

  /// What a stub of several samples has, each of the samples satisfies, but for what they do not all have.
  @Test func aSampleLacksNothingThatIsAlwaysThere() {
    for seed in 0..<500 {
      var random = SeededRandom(seed: UInt64(seed))
      let values = (0..<3).map { _ in RandomValue.value(&random, depth: 3) }
      let stored = Self.shape(of: values)
      for value in values {
        var comparison = ShapeComparison()
        comparison.compare(stored, Shape(value), known: stored)
        let found = comparison.differences.map(\.id)
        #expect(!found.contains(.missing) && !found.contains(.type) && !found.contains(.null))
        #expect(!found.contains(.added) && !found.contains(.enum) && !found.contains(.class))
      }
    }
  }

  @Test func noLiveValueIsInTheWords() throws {
    let stored = try JSONValue(parsing: #"{"s":"PAID","t":"1","at":"2026-11-21","n":1}"#)
    let live = try JSONValue(
      parsing: #"{"s":"SECRET_A","t":{"SECRET_B":"SECRET_C"},"at":"SECRET_D","n":"SECRET_E"}"#)
    var comparison = ShapeComparison()
    comparison.compare(Shape(stored), Shape(live))
    #expect(comparison.differences.count == 4)
    for difference in comparison.differences {
      #expect(!"\(difference.stored) \(difference.live) \(difference.pointer)".contains("SECRET"))
    }
    #expect(comparison.differences.contains { $0.liveValue == "SECRET_A" })
  }

  @Test func deepValuesEnd() {
    var value = JSONValue.null
    for _ in 0..<400 { value = .array([value]) }
    let shape = Shape(value)
    var comparison = ShapeComparison()
    comparison.compare(shape, shape)
    #expect(comparison.differences == [])
  }
}

/// JSON values with names and texts that mean something to a comparison.
enum RandomValue {
  private static let names = ["a", "b", "id", "createdAt", "17", "204", "url"]
  private static let texts = [
    "", "paid", "OPEN", "Ada Lovelace", "17", "2026-11-21", "2026-11-21T09:30:00Z", "a@b.test",
    "https://shop.test/a", "0F6A1B1C-58B9-4E0C-9C5D-1A2B3C4D5E6F",
  ]

  static func value(_ random: inout SeededRandom, depth: Int) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .number(JSONNumber(Int.random(in: -5...5, using: &random)))
    case 3: return 1.5
    case 4, 5: return .string(texts.randomElement(using: &random) ?? "")
    case 6:
      let count = Int.random(in: 0...3, using: &random)
      return .array((0..<count).map { _ in value(&random, depth: depth - 1) })
    default:
      var members: JSONObject = [:]
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        members[names.randomElement(using: &random) ?? ""] = value(&random, depth: depth - 1)
      }
      return .object(members)
    }
  }
}
