internal import Foundation
internal import StubDBModel

/// The data of a scenario that is read before its stubs.
struct ScenarioHeader {
  /// The scenario, without stubs.
  let scenario: Scenario
  /// The number of its stubs.
  let stubCount: Int
  /// The digest that its stubs must have.
  let stubsDigest: Data
}
