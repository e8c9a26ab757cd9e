internal import StubDBModel

/// Recognises stubs that only got another key.
enum StubRenames {
  /// A stub with less in common than this is another stub.
  private static let threshold = 0.75
  /// More stubs than this are not compared each with each.
  private static let limit = 64

  /// For the new key of each stub that was renamed its old key.
  static func keys(from old: [Stub], to new: [Stub]) -> [String: String] {
    let oldKeys = Set(old.map(\.key))
    let newKeys = Set(new.map(\.key))
    var gone = old.filter { !newKeys.contains($0.key) }
    var come = new.filter { !oldKeys.contains($0.key) }
    guard !gone.isEmpty, !come.isEmpty else { return [:] }
    var renames: [String: String] = [:]
    var byContent: [Stub: [String]] = [:]
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

  private static func similar(_ gone: [Stub], _ come: [Stub]) -> [String: String] {
    var scores: [(score: Double, new: String, old: String)] = []
    for new in come {
      for old in gone {
        let score = Similarity.of(old, new)
        if score >= threshold { scores.append((score, new.key, old.key)) }
      }
    }
    scores.sort { ($1.score, $0.new, $0.old) < ($0.score, $1.new, $1.old) }
    var renames: [String: String] = [:]
    var taken: Set<String> = []
    for (_, new, old) in scores where renames[new] == nil && taken.insert(old).inserted {
      renames[new] = old
    }
    return renames
  }
}

extension Stub {
  fileprivate var withoutKey: Stub {
    var stub = self
    stub.key = ""
    return stub
  }
}
