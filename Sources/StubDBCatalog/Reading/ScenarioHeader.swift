internal import Foundation
internal import StubDBModel

/// What is known of a scenario before its stubs are read.
struct ScenarioHeader {
  /// The scenario, without stubs.
  let scenario: Scenario
  /// How many stubs it has.
  let stubCount: Int
  /// The digest that its stubs must have.
  let stubsDigest: Data
}
