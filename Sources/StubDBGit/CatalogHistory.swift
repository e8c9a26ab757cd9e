internal import Foundation
internal import StubDBCatalogEditing
package import StubDBChanges
internal import StubDBJobs
package import StubDBModel

/// The commits that changed a catalog's file, newest first.
package struct CatalogHistory {
  /// A commit, with the file before and after it.
  package struct Commit {
    package var id: String
    package var author: String
    /// In git's format: `2026-11-20T09:00:00Z`, with the author's offset from UTC.
    package var date: String
    package var subject: String
    /// The commits before it that changed the file.
    package var parents: [String] = []
    /// The file's object in each parent; nil if the parent does not have the file.
    package var before: [String?] = []
    /// The file's object; nil if the commit removed it.
    package var after: String?
  }

  /// The unit separator, which names and subjects do not contain.
  private static let separator = "\u{1F}"

  let repository: GitRepository
  /// The file's current path in git; renames are followed.
  package let path: String

  package init(repository: GitRepository, path: String) {
    (self.repository, self.path) = (repository, path)
  }

  /// Reads the history backward from a revision, no commit before those that follow it; includes merges only if they
  /// differ from all parents.
  ///
  /// Without a limit, reads the whole history.
  /// - Throws: `JobError` if there is no such revision; empty for a repository without commits.
  package func commits(from revision: String, limit: Int? = nil) throws -> [Commit] {
    guard try repository.has(revision, as: "commit") else {
      if revision == "HEAD" { return [] }
      throw repository.unknownRevision(revision)
    }
    let format = ["%H", "%P", "%an", "%aI", "%s"].joined(separator: "%x1f")
    let count = limit.map { ["--max-count=\($0)"] } ?? []
    let output = try repository.git.run(
      [
        "log", "--follow", "--parents", "--date-order", "-c", "--raw", "--no-abbrev",
        "--format=%x1e\(format)",
      ] + count + [revision, "--", repository.root.path + "/" + path])
    return String(decoding: output, as: UTF8.self).components(separatedBy: "\u{1E}").dropFirst()
      .map { Self.commit($0.components(separatedBy: "\n")) }
  }

  private static func commit(_ lines: [String]) -> Commit {
    let fields = lines[0].components(separatedBy: separator) + ["", "", "", "", ""]
    var commit = Commit(id: fields[0], author: fields[2], date: fields[3], subject: fields[4])
    commit.parents = fields[1].split(separator: " ").map(String.init)
    for line in lines.dropFirst() where line.hasPrefix(":") {
      // A colon for each parent; the modes of the parents and the result; their objects; the status.
      let parents = line.prefix { $0 == ":" }.count
      let words = line.dropFirst(parents).split(separator: "\t")[0].split(separator: " ")
        .map(String.init)
      let objects = words.dropFirst(parents + 1).prefix(parents + 1).map { id in
        id.allSatisfy { $0 == "0" } ? nil : id
      }
      commit.before += objects.dropLast()
      commit.after = objects.last ?? nil
    }
    return commit
  }
}

/// Reads what commits changed in a catalog, by meaning.
package struct HistoryReader {
  private let objects: GitObjects
  /// Catalogs read last, because the parent of one commit is the result of the next.
  private var recent: [(id: String, source: any ScenarioSource)] = []

  package init(_ repository: GitRepository) throws {
    objects = try GitObjects(repository.git)
  }

  /// The changes of a commit; for a merge, its differences to all parents.
  package mutating func differences(of commit: CatalogHistory.Commit) throws -> [ScenarioDifference]
  {
    let after = try source(commit.after, of: commit)
    let parents = try commit.before.compactMap(\.self).map { try source($0, of: commit) }
    return try CatalogDifferences.between(parents, after)
  }

  /// What a scenario is called in one of a merge's parents; its name after the merge if the parent does not have it.
  package mutating func name(
    of scenario: ScenarioName, in parent: Int, of commit: CatalogHistory.Commit
  ) throws -> ScenarioName {
    let before = try source(commit.before[parent], of: commit)
    if try before.entries.contains(where: { $0.name == scenario }) { return scenario }
    let differences = try CatalogDifferences.between([before], source(commit.after, of: commit))
    return differences.first { $0.after == scenario }?.before ?? scenario
  }

  private mutating func source(
    _ id: String?, of commit: CatalogHistory.Commit
  ) throws -> any ScenarioSource {
    guard let id else { return NoScenarios() }
    if let known = recent.first(where: { $0.id == id }) { return known.source }
    guard let bytes = try objects.bytes(of: id) else {
      throw JobError(
        .notFound, "git has no object \(id); is this a shallow or partial clone?")
    }
    let source: any ScenarioSource =
      bytes.isEmpty
      ? NoScenarios()
      : CatalogScenarios(
        try CatalogSnapshot(bytes: bytes, name: "of commit \(commit.id.prefix(10))"))
    recent.insert((id, source), at: 0)
    if recent.count > 3 { recent.removeLast() }
    return source
  }
}

/// Reads objects of a repository one after another through one process.
///
/// https://git-scm.com/docs/git-cat-file#_batch_output
final class GitObjects {
  private let program: RunningProgram

  init(_ git: GitCommand) throws {
    program = try git.start(["cat-file", "--batch"])
  }

  deinit { _ = program.wait() }

  /// The content of an object; nil if it is missing, as in a shallow clone.
  func bytes(of id: String) throws -> Data? {
    try program.write(Data("\(id)\n".utf8))
    guard let line = program.nextLine() else { throw Self.ended() }
    let header = String(decoding: line, as: UTF8.self).split(separator: " ")
    guard header.count == 3, let size = Int(header[2]) else { return nil }
    guard let bytes = program.next(size + 1) else { throw Self.ended() }
    return bytes.dropLast()
  }

  private static func ended() -> JobError {
    JobError(.program, "git cat-file ended before its answer")
  }
}
