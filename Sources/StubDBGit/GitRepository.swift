package import Foundation
package import StubDBJobs

/// The git repository that contains a file or a folder.
package struct GitRepository {
  /// What a command wants a repository for.
  package enum Purpose {
    /// To read earlier versions, which a new repository would not have.
    case history
    case setup
  }

  package let git: GitCommand
  /// The top folder of the working tree.
  package let root: URL

  /// Finds the repository of a folder; `purpose` says what a command wants there.
  ///
  /// - Throws: `JobError` if there is no repository, or git is not installed.
  package init(containing folder: URL, for purpose: Purpose = .history) throws {
    let local = GitCommand(in: folder)
    if let root = try Self.root(local) {
      (git, self.root) = (local, root)
      return
    }
    let inherited = GitCommand.asInherited()
    guard inherited.environment["GIT_DIR"] != nil, let root = try Self.root(inherited) else {
      throw JobError(
        .notFound,
        "\(folder.path) is not in a git repository",
        hints: [
          purpose == .history
            ? "Earlier versions of a catalog are those that git has."
            : "To make one: \(git: "init")"
        ])
    }
    (git, self.root) = (inherited, root)
  }

  /// The path of a file in git, relative to the top folder.
  ///
  /// - Throws: `JobError` if the file is outside the repository.
  package func path(of file: URL) throws -> String {
    let folder = file.deletingLastPathComponent().resolvingSymlinksInPath().path
    let top = root.resolvingSymlinksInPath().path
    if folder == top { return file.lastPathComponent }
    guard folder.hasPrefix(top + "/") else {
      throw JobError(
        .refused, "\(file.path) is not in the git repository \(top)")
    }
    return "\(folder.dropFirst(top.count + 1))/\(file.lastPathComponent)"
  }

  /// The content of a file in a revision.
  ///
  /// - Throws: `JobError` that says whether the revision or the file does not exist.
  package func bytes(of path: String, at revision: String) throws -> Data {
    let object = "\(revision):\(path)"
    let found = try git.outcome(of: ["cat-file", "blob", object])
    if found.code == 0 { return found.output }
    guard try has(revision, as: "tree") else { throw unknownRevision(revision) }
    throw JobError(
      .notFound, "\(revision) has no \(path)",
      hints: [
        "To see the revisions that have it: \(git: "log", "--follow", "--", ":/" + path)"
      ])
  }

  /// The files of the index that a pattern names, seen from the top folder.
  package func tracked(_ pattern: String) throws -> [String] {
    let list = try git.run("ls-files", "-z", "--full-name", ":(top,glob)\(pattern)")
    return list.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether nothing is to be committed of files or folders.
  package func isClean(_ paths: [String]) throws -> Bool {
    let output = try git.outcome(of: ["status", "--porcelain", "--"] + paths).output
    return output.isEmpty
  }

  /// Whether there is a revision of this kind, such as `commit`.
  package func has(_ revision: String, as kind: String) throws -> Bool {
    let words = ["rev-parse", "--verify", "--quiet", "\(revision)^{\(kind)}"]
    return try git.outcome(of: words).code == 0
  }

  package func unknownRevision(_ revision: String) -> JobError {
    if revision == "HEAD" {
      return JobError(
        .notFound,
        "nothing is committed yet in \(root.path)",
        hints: ["To commit what is there: git add FILE && git commit"])
    }
    return JobError(
      .notFound, "git knows no revision \(quoted: revision) in \(root.path)",
      hints: ["To see those that changed the catalog: \(command: ["log"])"])
  }

  private static func root(_ git: GitCommand) throws -> URL? {
    let result = try git.outcome(of: ["rev-parse", "--show-toplevel"])
    guard result.code == 0 else { return nil }
    let path = String(decoding: result.output, as: UTF8.self)
    return URL(fileURLWithPath: String(path.dropLast()), isDirectory: true)
  }
}
