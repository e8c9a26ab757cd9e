import Foundation

/// The commits that changed a catalog's file, newest first.
struct CatalogHistory {
  /// A commit, with the file before and after it.
  struct Commit {
    var id: String
    var author: String
    /// In git's format: `2026-11-20T09:00:00Z`, with the author's offset from UTC.
    var date: String
    var subject: String
    /// The file's object in each parent that has the file.
    var before: [String] = []
    /// The file's object; nil if the commit removed it.
    var after: String?
  }

  /// The unit separator, which names and subjects do not contain.
  private static let separator = "\u{1F}"

  let repository: GitRepository
  /// The file's current path in git; renames are followed.
  let path: String

  /// Reads the history backward from a revision; includes merges only if they differ from all parents.
  ///
  /// - Throws: ``CommandFailure`` if there is no such revision; empty for a repository without commits.
  func commits(from revision: String) throws -> [Commit] {
    guard try repository.has(revision, as: "commit") else {
      if revision == "HEAD" { return [] }
      throw repository.unknownRevision(revision)
    }
    let format = ["%H", "%an", "%aI", "%s"].joined(separator: "%x1f")
    let output = try repository.git.run(
      "log", "--follow", "-c", "--raw", "--no-abbrev", "--format=%x1e\(format)", revision, "--",
      repository.root.path + "/" + path)
    return String(decoding: output, as: UTF8.self).components(separatedBy: "\u{1E}").dropFirst()
      .map { Self.commit($0.components(separatedBy: "\n")) }
  }

  private static func commit(_ lines: [String]) -> Commit {
    let fields = lines[0].components(separatedBy: separator) + ["", "", "", ""]
    var commit = Commit(id: fields[0], author: fields[1], date: fields[2], subject: fields[3])
    for line in lines.dropFirst() where line.hasPrefix(":") {
      // A colon for each parent; the modes of the parents and the result; their objects; the status.
      let parents = line.prefix { $0 == ":" }.count
      let words = line.dropFirst(parents).split(separator: "\t")[0].split(separator: " ")
        .map(String.init)
      let objects = words.dropFirst(parents + 1).prefix(parents + 1).map { id in
        id.allSatisfy { $0 == "0" } ? nil : id
      }
      commit.before += objects.dropLast().compactMap(\.self)
      commit.after = objects.last ?? nil
    }
    return commit
  }
}
