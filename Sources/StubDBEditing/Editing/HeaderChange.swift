package import StubDBModel

/// A change of a scenario besides its stubs.
package struct HeaderChange {
  /// An empty text removes the summary; nil leaves it.
  package var summary: String?
  /// The tags that are added.
  package var tags: [String]
  /// The includes that are added, after the others.
  package var includes: [ScenarioReference]
  /// The includes that are removed.
  package var removedIncludes: [ScenarioReference]

  package init(
    summary: String? = nil, tags: [String] = [], includes: [ScenarioReference] = [],
    removedIncludes: [ScenarioReference] = []
  ) {
    (self.summary, self.tags) = (summary, tags)
    (self.includes, self.removedIncludes) = (includes, removedIncludes)
  }

  func apply(to scenario: inout Scenario) throws(EditRefusal) {
    for name in includes where !scenario.includes.contains(name) { scenario.includes.append(name) }
    scenario.tags = Set(scenario.tags).union(tags).sorted()
    if let summary { scenario.summary = summary.isEmpty ? nil : summary }
    if let missing = removedIncludes.first(where: { !scenario.includes.contains($0) }) {
      throw .notIncluded(missing, by: scenario)
    }
    scenario.includes.removeAll(where: removedIncludes.contains)
  }
}
