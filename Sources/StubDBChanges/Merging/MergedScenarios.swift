package import StubDBModel

/// What a merge makes of a catalog, as changes to our version of it.
package struct MergedScenarios: Sendable {
  /// Names that our catalog has and the merged one has not.
  package var removed: [ScenarioName]
  /// Scenarios that the merged catalog has and ours has not, or has otherwise; by name.
  package var written: [Scenario]
  /// What both sides changed in two ways, in order; our version stands at the place, or the one that
  /// is left where one side removed it.
  package var conflicts: [Conflict]
}
