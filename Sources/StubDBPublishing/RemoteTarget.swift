internal import StubDBJobs
package import StubDBRemote

/// A remote catalog of a project.
package struct RemoteTarget: Sendable {
  /// Its name in the lock file.
  package let name: String
  package let url: RemoteURL
  /// Nil if the lock file does not have it yet.
  package internal(set) var entry: LockFile.Entry?
}

extension RemoteProject {
  /// The catalog of a name in the lock file, or of a URL.
  package func target(_ text: String, as chosen: String? = nil) throws -> RemoteTarget {
    guard text.contains(":/") else {
      guard let entry = lock.catalogs[text] else { throw unknown(text) }
      try requireInside(entry)
      return RemoteTarget(name: text, url: try RemoteURL(parsing: entry.url), entry: entry)
    }
    let url = try RemoteURL(parsing: text)
    try url.requireName()
    for (name, entry) in lock.catalogs.sorted(by: { $0.key < $1.key }) {
      guard chosen == nil || chosen == name, try RemoteURL(parsing: entry.url) == url else {
        continue
      }
      try requireInside(entry)
      return RemoteTarget(name: name, url: url, entry: entry)
    }
    let name = chosen ?? url.name
    if let reason = LockFile.reasonAgainst(name: name) {
      throw JobError(.invalidArgument, "\(name): \(reason).")
    }
    if let other = lock.catalogs[name] {
      throw JobError(
        .refused, "\(file: file) has another catalog of the name \(name), at \(other.url)",
        hints: ["To give this one another name: --as NAME"])
    }
    return RemoteTarget(name: name, url: url, entry: nil)
  }

  /// The catalogs of these names or URLs; without any, all of the lock file.
  func targets(_ texts: [String]) throws -> [RemoteTarget] {
    if !texts.isEmpty { return try texts.map { try target($0) } }
    guard !lock.catalogs.isEmpty else {
      throw JobError(
        .notFound,
        "there is no \(LockFile.fileName) in this folder or above it that names a catalog",
        hints: [
          "To use a published catalog: \(command: ["pull", "URL"])",
          "To publish one: \(command: ["push", "URL"])",
        ])
    }
    return try lock.catalogs.keys.sorted().map { try target($0) }
  }

  /// The catalog of a name or a URL; without one, the only catalog of the lock file.
  package func only(_ text: String?) throws -> RemoteTarget {
    let targets = try targets(text.map { [$0] } ?? [])
    guard targets.count == 1, let target = targets.first else {
      throw JobError(
        .refused, "\(file: file) names \(targets.count) catalogs; say which",
        hints: ["It has: \(targets.map(\.name).joined(separator: ", "))"])
    }
    return target
  }

  /// Who signed a commit of a catalog; the keys that the lock file has for it are trusted.
  package func signers(
    of commit: ObjectDigest, of target: RemoteTarget
  ) throws -> CommitSigners {
    try remote(target.url).signers(
      of: commit, trusted: target.entry?.keys ?? [], by: context.signing)
  }

  private func unknown(_ name: String) -> JobError {
    let known = lock.catalogs.keys.sorted()
    return JobError(
      .notFound, "\(file: file) has no catalog \(quoted: name)",
      hints: name.contains("/")
        ? ["A place is given as a URL: that of a folder is file:// and an absolute path"]
        : [
          known.isEmpty
            ? "To add one: \(command: ["pull", "URL"]), such as s3://BUCKET/shop"
            : "It has: \(known.joined(separator: ", "))"
        ])
  }
}
