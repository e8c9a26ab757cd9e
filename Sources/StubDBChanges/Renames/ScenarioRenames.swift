internal import Foundation
internal import StubDBModel

/// Recognises scenarios that only got another name.
enum ScenarioRenames {
  /// A scenario whose stubs have less in common is another scenario.
  private static let threshold = 0.6
  /// More scenarios than this are not compared each with each.
  private static let limit = 24

  /// For the new name of each scenario that was renamed its old name.
  static func names(
    from old: some ScenarioSource, to new: some ScenarioSource
  ) throws -> [ScenarioName: ScenarioName] {
    let (oldEntries, newEntries) = (try old.entries, try new.entries)
    let oldNames = Set(oldEntries.map(\.name))
    let newNames = Set(newEntries.map(\.name))
    // Without stubs there is nothing to recognise a scenario by.
    var gone = oldEntries.filter { !newNames.contains($0.name) && $0.stubCount > 0 }
    var come = newEntries.filter { !oldNames.contains($0.name) && $0.stubCount > 0 }
    guard !gone.isEmpty, !come.isEmpty else { return [:] }
    var renames: [ScenarioName: ScenarioName] = [:]
    var byContent: [Data: [ScenarioName]] = [:]
    for entry in gone.reversed() { byContent[entry.stubsDigest, default: []].append(entry.name) }
    for entry in come {
      if let name = byContent[entry.stubsDigest]?.popLast() { renames[entry.name] = name }
    }
    let found = Set(renames.values)
    gone.removeAll { found.contains($0.name) }
    come.removeAll { renames[$0.name] != nil }
    guard gone.count <= limit, come.count <= limit, !gone.isEmpty, !come.isEmpty else {
      return renames
    }
    let goneScenarios = try gone.map { try old.scenario(named: $0.name) }
    let comeScenarios = try come.map { try new.scenario(named: $0.name) }
    renames.merge(similar(goneScenarios, comeScenarios)) { first, _ in first }
    return renames
  }

  private static func similar(
    _ gone: [Scenario], _ come: [Scenario]
  ) -> [ScenarioName: ScenarioName] {
    var scores: [(score: Double, new: ScenarioName, old: ScenarioName)] = []
    for new in come {
      let stubs = Dictionary(new.stubs.map { ($0.key, $0) }) { first, _ in first }
      for old in gone {
        let same = old.stubs.reduce(0.0) { sum, stub in
          sum + (stubs[stub.key].map { Similarity.of($0, stub) } ?? 0)
        }
        let score = same / Double(max(old.stubs.count, new.stubs.count))
        if score >= threshold { scores.append((score, new.name, old.name)) }
      }
    }
    scores.sort { ($1.score, $0.new, $0.old) < ($0.score, $1.new, $1.old) }
    var renames: [ScenarioName: ScenarioName] = [:]
    var taken: Set<ScenarioName> = []
    for (_, new, old) in scores where renames[new] == nil && taken.insert(old).inserted {
      renames[new] = old
    }
    return renames
  }
}
