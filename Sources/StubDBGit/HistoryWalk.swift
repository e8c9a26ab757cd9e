internal import StubDBCatalog
package import StubDBChanges
package import StubDBModel

/// Reads the changes of commits one after another, backward, and follows one scenario through its renames.
package struct HistoryWalk {
  private var reader: HistoryReader
  private var followed: FollowedNames?
  /// The names of all scenarios in the commits so far.
  package private(set) var names: Set<ScenarioName> = []

  /// Only the changes of `scenario` are returned, unless it is nil.
  ///
  /// - Throws: `JobError` if git cannot be started.
  package init(in repository: GitRepository, of scenario: ScenarioName?) throws {
    reader = try HistoryReader(repository)
    followed = scenario.map(FollowedNames.init)
  }

  /// The changes of a commit; `problem` says why a version cannot be read.
  package mutating func changes(
    of commit: CatalogHistory.Commit
  ) throws -> ([ScenarioDifference], problem: String?) {
    var (differences, problem): ([ScenarioDifference], String?) = ([], nil)
    do {
      differences = try reader.differences(of: commit)
    } catch let error as CatalogError {
      problem = error.message
    }
    names.formUnion(differences.flatMap { [$0.before, $0.after].compactMap(\.self) })
    if let wanted = followed?.names(at: commit) {
      differences.removeAll { difference in
        ![difference.after, difference.before].contains { $0.map(wanted.contains) ?? false }
      }
      try followed?.follow(commit, differences, &reader)
    }
    return (differences, problem)
  }
}

/// The names that a scenario had along each line of a history, which is read backward.
private struct FollowedNames {
  /// All names so far.
  private var all: Set<ScenarioName>
  /// Its names in commits that are still to be read.
  private var byCommit: [String: Set<ScenarioName>] = [:]

  init(_ name: ScenarioName) {
    all = [name]
  }

  /// Its names in a commit; all of them if the commit follows no other, as behind a renamed file.
  func names(at commit: CatalogHistory.Commit) -> Set<ScenarioName> {
    byCommit[commit.id] ?? all
  }

  /// Passes the names on to the parents: the old one where the commit, or the other side of a merge, renamed it.
  mutating func follow(
    _ commit: CatalogHistory.Commit, _ differences: [ScenarioDifference],
    _ reader: inout HistoryReader
  ) throws {
    let names = names(at: commit)
    byCommit[commit.id] = nil
    let isMerge = commit.parents.count > 1 && commit.parents.count == commit.before.count
    for (index, parent) in commit.parents.enumerated() {
      let older = try names.map { name in
        isMerge
          ? try reader.name(of: name, in: index, of: commit)
          : differences.first { $0.after == name }?.before ?? name
      }
      byCommit[parent, default: []].formUnion(older)
      all.formUnion(older)
    }
  }
}
