internal import Foundation
internal import StubDBJobs
internal import StubDBRemote

extension PushJob {
  /// The catalog to push to.
  func found(in project: RemoteProject) throws -> RemoteTarget {
    let path = try project.path(of: working.url)
    guard let text = target else {
      let names = project.lock.catalogs.filter { $0.value.path == path }.keys.sorted()
      guard let first = names.first else { throw unknown(in: project) }
      guard names.count == 1 else {
        throw JobError(
          .refused,
          "\(file: working.url) is published as \(names.joined(separator: " and ")); say where to push",
          hints: names.map { "\(command: ["push", $0], catalog: working.url)" })
      }
      return try project.target(first)
    }
    let found = try project.target(text, as: name)
    if let entry = found.entry, entry.path != path {
      let problem: JobText =
        if let other = entry.path {
          "\(found.name) is edited in \(other), and not in \(file: working.url)"
        } else {
          "\(found.name) is only read here, from the cache; \(file: working.url) does not come from it"
        }
      throw JobError(
        .refused, problem,
        hints: [
          """
          To edit \(found.name) in a file: \(command: ["pull", found.name, "--path", "FILE"])
          """
        ])
    }
    return found
  }

  private func unknown(in project: RemoteProject) -> JobError {
    // The files that the lock file has, and that are not there.
    let renamed = project.lock.catalogs.values.filter { entry in
      project.working(entry).map { !WorkingCatalog(url: $0).exists } ?? false
    }.compactMap(\.path).sorted()
    return JobError(
      .notFound, "\(file: project.file) does not say where \(file: working.url) is published",
      hints: renamed.map {
        """
        If \(file: working.url) was \($0) before: write its new path there, as the "path" of that catalog
        """
      } + ["To publish it: \(command: ["push", "URL"]), such as s3://BUCKET/shop"])
  }

  /// - Throws: `JobError` if the remote catalog is not the one that this catalog comes from.
  func requireRelated(_ target: RemoteTarget, _ head: RemoteCatalog.Head?) throws {
    if target.entry == nil, let head {
      throw JobError(
        .refused,
        """
        there is a catalog at \(target.url) already (\(head.digest.short)), and nothing says that \
        \(file: working.url) comes from it
        """,
        hints: [
          """
          To merge it into \(file: working.url) first: \
          \(command: ["pull", target.url.description, "--path"], file: working.url)
          """
        ])
    }
    if let entry = target.entry, head == nil {
      throw JobError(
        .notFound,
        """
        there is no catalog at \(target.url) any more, and \(LockFile.fileName) has \(entry.commit.short) of it
        """,
        hints: [
          """
          To publish it anew: remove \(target.name) from \(LockFile.fileName), then \
          \(command: ["push", target.url.description], catalog: working.url)
          """
        ])
    }
  }
}
