internal import Foundation

extension RemoteProject {
  /// The project of the current folder, else that of the catalog that a command would find from there.
  ///
  /// A catalog that is named, by its option or by the environment, comes first.
  package static func current(
    _ catalog: String?, _ context: PublishingContext, isSettling: Bool
  ) throws -> RemoteProject {
    let locator = CatalogLocator()
    let variable = locator.environment[CatalogLocator.variable] ?? ""
    if catalog != nil || !variable.isEmpty {
      return try RemoteProject(
        of: locator.locate(catalog).deletingLastPathComponent(), context,
        isSettling: isSettling)
    }
    let here = try RemoteProject(
      of: locator.currentFolder, context, isSettling: isSettling)
    guard !here.namesCatalogs, let folder = (try? locator.locate(nil))?.deletingLastPathComponent()
    else { return here }
    let found = try RemoteProject(of: folder, context, isSettling: isSettling)
    return found.namesCatalogs ? found : here
  }
}

extension PullJob {
  /// A pull that reports includes that get lost in the catalogs beside the lock file, and in the one that commands use.
  package static func including(_ targets: [String]) -> PullJob {
    var job = PullJob(targets)
    job.including = { project in
      let folder = project.file.deletingLastPathComponent()
      let beside = (try? CatalogLocator.catalogNames(in: folder)) ?? []
      return beside.map { folder.appendingPathComponent($0) }
        + [try? CatalogLocator().locate(nil)].compactMap { $0 }
    }
    return job
  }
}
