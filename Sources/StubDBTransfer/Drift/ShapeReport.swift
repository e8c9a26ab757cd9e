package import StubDBDrift
package import StubDBFormats
internal import StubDBJSON
package import StubDBModel

/// The differences that a comparison of shapes found, and what it could not compare.
package struct ShapeReport {
  /// A difference of an answer of a stub.
  package struct Found {
    package var scenario: ScenarioName
    package var key: Stub.Key
    /// Which of several answers of the stub it is, from 1; nil if only one was compared.
    package var response: Int?
    package var difference: ShapeDifference

    package var place: DriftPlace {
      DriftPlace(
        scenario: scenario.rawValue, key: key.rawValue, pointer: difference.pointer.description,
        id: difference.id.rawValue)
    }
  }

  /// A place that could not be compared.
  package struct Unknown {
    package var scenario: ScenarioName
    package var key: Stub.Key
    package var response: Int?
    package var shape: InconclusiveShape
  }

  package var differences: [Found] = []
  package var inconclusive: [Unknown] = []
  package var skipped: [LivePlan.Skipped] = []
  /// How many of those skipped were asked, and got no answer.
  package var failed = 0

  package init() {}

  /// Adds what a comparison found.
  package mutating func add(
    _ comparison: ShapeComparison, of scenario: ScenarioName, _ key: Stub.Key, response: Int? = nil
  ) {
    differences += comparison.differences.map {
      Found(scenario: scenario, key: key, response: response, difference: $0)
    }
    inconclusive += comparison.inconclusive.map {
      Unknown(scenario: scenario, key: key, response: response, shape: $0)
    }
  }

  /// How many differences have a level.
  package func count(of level: ShapeDifference.Level) -> Int {
    differences.count { $0.difference.level == level }
  }
}
