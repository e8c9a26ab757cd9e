internal import Foundation
internal import StubDBModel

/// What is different between two catalogs, by scenario.
package enum CatalogDifferences {
  /// The scenarios that differ, by name; empty where the catalogs say the same.
  ///
  /// Scenarios with the same digest are not read. `progress` is told how many of how many have been
  /// compared.
  package static func between(
    _ old: some ScenarioSource, _ new: some ScenarioSource,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws -> [ScenarioDifference] {
    let (oldEntries, newEntries) = (try old.entries, try new.entries)
    let renames = try ScenarioRenames.names(from: old, to: new)
    let oldByName = Dictionary(oldEntries.map { ($0.name, $0) }) { first, _ in first }
    var differences: [ScenarioDifference] = []
    for (index, entry) in newEntries.enumerated() {
      defer { progress(index + 1, newEntries.count) }
      guard let before = oldByName[renames[entry.name] ?? entry.name] else {
        differences.append(
          ScenarioDifference(before: nil, after: entry.name, stubCount: entry.stubCount))
        continue
      }
      if before.digest == entry.digest { continue }
      let difference = ScenarioDifference(
        from: try old.scenario(named: before.name), to: try new.scenario(named: entry.name))
      if !difference.isEmpty || before.name != entry.name { differences.append(difference) }
    }
    let kept = Set(newEntries.map { renames[$0.name] ?? $0.name })
    differences += oldEntries.filter { !kept.contains($0.name) }
      .map { ScenarioDifference(before: $0.name, after: nil, stubCount: $0.stubCount) }
    return differences.sorted { $0.name < $1.name }
  }
}
