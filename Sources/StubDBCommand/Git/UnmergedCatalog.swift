import Foundation
import StubDBCatalog

/// A catalog that git lists as unmerged although the file has no conflicts.
///
/// Without the merge driver git leaves our version in the file, as of any binary file: nothing in it
/// shows that theirs is missing.
struct UnmergedCatalog {
  private let catalog: URL
  /// Whether git cannot have merged the file by meaning, as this clone is not set up for it.
  private let isOneSide: Bool
  /// Whether one of the two branches removed the file.
  private let isRemoved: Bool

  /// Nil if the catalog is not in a repository, there is no git, or git lists the file as merged.
  init?(_ catalog: URL) throws {
    let file = catalog.resolvingSymlinksInPath()
    let folder = file.deletingLastPathComponent()
    guard Self.isInRepository(folder), let repository = try? GitRepository(containing: folder)
    else { return nil }
    let git = GitCommand(in: folder)
    let list = try git.run(
      "ls-files", "--unmerged", "-z", "--", ":(literal)" + file.lastPathComponent)
    if list.isEmpty { return nil }
    self.catalog = catalog
    // The mode, the object, the number of the version (2 and 3 are ours and theirs); then the path.
    let versions = list.split(separator: 0).map { entry in
      String(decoding: entry, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
    }.filter { $0.count > 3 }
    isRemoved = !Set(["2", "3"]).isSubset(of: versions.map { $0[2] })
    let setup = GitSetup(repository: repository)
    isOneSide =
      try !setup.hasAttribute() || setup.value(of: "merge.stubdb.driver") == nil
  }

  /// Refuses a file that may contain only one side; for a merged file, only prints the next steps.
  func report() throws {
    let (name, add) = (CatalogLocator.display(catalog), FollowUp.git("add", on: catalog))
    guard isOneSide else {
      return Console.note("git lists \(name) as unmerged until you type: \(add)")
    }
    if isRemoved {
      throw CommandError(
        "one branch removed \(name) and the other one changed it; git waits for a decision",
        hints: ["To keep it: \(add)", "To remove it: \(FollowUp.git("rm", on: catalog))"])
    }
    throw CommandError(
      "git has not merged \(name): it may hold only one of the two versions, and no conflicts to settle",
      hints: [
        "To merge them by meaning, without what was changed in the file since: "
          + FollowUp.command(["git", "install"]) + " && "
          + FollowUp.git("checkout", "--merge", "--", on: catalog),
        "To commit the file as it is: \(add)",
      ])
  }

  /// Whether a folder above has a repository: without one there is no need to start git.
  private static func isInRepository(_ folder: URL) -> Bool {
    if ProcessInfo.processInfo.environment["GIT_DIR"] != nil { return true }
    var path = folder.standardizedFileURL.path
    while path.hasPrefix("/") {
      if FileManager.default.fileExists(atPath: path + "/.git") { return true }
      if path == "/" { return false }
      path = NSString(string: path).deletingLastPathComponent
    }
    return false
  }
}
