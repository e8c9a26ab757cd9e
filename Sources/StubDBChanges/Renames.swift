internal import Foundation
internal import StubDBModel
internal import StubDBSupport

/// Recognises scenarios that were renamed.
enum ScenarioRenames {
  /// The least similarity of a renamed scenario.
  private static let threshold = 0.6
  /// The largest number of scenarios that are compared in pairs.
  private static let limit = 24
  /// The largest number of stubs with other keys that are compared in pairs.
  private static let stubLimit = 8

  /// The old name of each renamed scenario, by its new name.
  static func names(
    from old: some ScenarioSource, to new: some ScenarioSource
  ) throws -> [ScenarioName: ScenarioName] {
    let (oldEntries, newEntries) = (try old.entries, try new.entries)
    let oldNames = Set(oldEntries.map(\.name))
    let newNames = Set(newEntries.map(\.name))
    // A scenario without stubs has no content to recognise it by.
    var gone = oldEntries.filter { !newNames.contains($0.name) && $0.stubCount > 0 }
    var come = newEntries.filter { !oldNames.contains($0.name) && $0.stubCount > 0 }
    guard !gone.isEmpty, !come.isEmpty else { return [:] }
    var renames: [ScenarioName: ScenarioName] = [:]
    var byContent: [SHA256Digest.Value: [ScenarioName]] = [:]
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
        let renames = StubRenames.keys(from: old.stubs, to: new.stubs, limit: stubLimit)
        let newKeys = Dictionary(renames.map { ($0.value, $0.key) }) { first, _ in first }
        let same = old.stubs.reduce(0.0) { sum, stub in
          sum + (stubs[newKeys[stub.key] ?? stub.key].map { Similarity.of($0, stub) } ?? 0)
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

/// Recognises stubs whose key was changed.
enum StubRenames {
  /// The least similarity of a renamed stub.
  private static let threshold = 0.75
  /// The largest number of stubs that are compared in pairs.
  private static let limit = 64

  /// The old key of each renamed stub, by its new key.
  static func keys(from old: [Stub], to new: [Stub], limit: Int = limit) -> [Stub.Key: Stub.Key] {
    let oldKeys = Set(old.map(\.key))
    let newKeys = Set(new.map(\.key))
    var gone = old.filter { !newKeys.contains($0.key) }
    var come = new.filter { !oldKeys.contains($0.key) }
    guard !gone.isEmpty, !come.isEmpty else { return [:] }
    var renames: [Stub.Key: Stub.Key] = [:]
    var byContent: [Stub: [Stub.Key]] = [:]
    for stub in gone.reversed() { byContent[stub.withoutKey, default: []].append(stub.key) }
    for stub in come {
      if let key = byContent[stub.withoutKey]?.popLast() { renames[stub.key] = key }
    }
    let found = Set(renames.values)
    gone.removeAll { found.contains($0.key) }
    come.removeAll { renames[$0.key] != nil }
    guard gone.count <= limit, come.count <= limit else { return renames }
    renames.merge(similar(gone, come)) { first, _ in first }
    return renames
  }

  private static func similar(_ gone: [Stub], _ come: [Stub]) -> [Stub.Key: Stub.Key] {
    var scores: [(score: Double, new: Stub.Key, old: Stub.Key)] = []
    for new in come {
      for old in gone {
        let score = Similarity.of(old, new)
        if score >= threshold { scores.append((score, new.key, old.key)) }
      }
    }
    scores.sort { ($1.score, $0.new, $0.old) < ($0.score, $1.new, $1.old) }
    var renames: [Stub.Key: Stub.Key] = [:]
    var taken: Set<Stub.Key> = []
    for (_, new, old) in scores where renames[new] == nil && taken.insert(old).inserted {
      renames[new] = old
    }
    return renames
  }
}

extension Stub {
  fileprivate var withoutKey: Stub {
    var stub = self
    stub.key = .unset
    return stub
  }
}

/// What one side's renames imply for the other side.
enum SharedRenames {
  /// If one side renamed something, and the other side has it under the same new name only, the other side renamed it
  /// too, however much of it was changed.
  ///
  /// Both dictionaries give the old name by the new one.
  static func complete<Name: Hashable>(
    _ left: inout [Name: Name], _ right: inout [Name: Name], ours: Set<Name>, theirs: Set<Name>
  ) {
    let (first, second) = (left, right)
    add(first, to: &right, names: theirs)
    add(second, to: &left, names: ours)
  }

  private static func add<Name: Hashable>(
    _ renames: [Name: Name], to side: inout [Name: Name], names: Set<Name>
  ) {
    let taken = Set(side.values)
    for (new, old) in renames
    where side[new] == nil && !taken.contains(old) && names.contains(new) && !names.contains(old) {
      side[new] = old
    }
  }
}
