package import Foundation
package import StubDBJobs
internal import StubDBLock
internal import StubDBRemote

/// A catalog that `stubdb.lock` names, as the argument of `--catalog`.
package struct PublishedCatalog {
  /// Its name in the lock file.
  package let name: String
  /// Where it is edited, or where the cache has it.
  package let url: URL
  /// Whether it is only read here, from the cache.
  package let isReadOnly: Bool

  /// The catalog of a name in the nearest lock file; nil for anything else, and without a lock file.
  ///
  /// - Throws: `JobError` if the lock file has it, and this machine does not; what is wrong with a lock file that
  /// cannot be used.
  package init?(named text: String) throws {
    guard !text.contains("/"), LockFile.reasonAgainst(name: text) == nil,
      let project = try Self.project(naming: text), let entry = project.lock.catalogs[text]
    else { return nil }
    name = text
    isReadOnly = entry.path == nil
    guard let file = try project.working(entry) ?? project.cache.file(entry.digest) else {
      throw JobError(
        .notFound,
        "\(file: project.file) names the catalog \(text), which is not in the cache of this machine yet",
        hints: ["To bring it: \(command: ["pull", text])"])
    }
    url = file
  }

  /// The project of the nearest lock file, which is only read: no store is asked, and nothing is signed.
  private static func nearestProject() throws -> RemoteProject? {
    let environment = ProcessInfo.processInfo.environment
    let transport = FetchTransport { () throws(JobError) in
      throw JobError(.refused, "no store is asked while \(LockFile.fileName) is only read")
    }
    let signing = Signing(program: KeygenProgram(environment: environment) { _ in })
    return try RemoteProject.existing(
      above: CatalogLocator().currentFolder,
      PublishingContext(
        environment: environment, client: RetryingClient(transport: transport), signing: signing))
  }

  /// The project whose lock file may have a name.
  private static func project(naming text: String) throws -> RemoteProject? {
    do {
      return try nearestProject()
    } catch {
      // That is the path of a file, which is not there; the lock file has nothing to do with it.
      if text.hasSuffix(".\(CatalogLocator.fileExtension)") { return nil }
      throw error
    }
  }

  /// The name of a catalog that is read from the cache, for a command to be typed; nil for any other file.
  ///
  /// Nil also if the lock file cannot be used any more: the path of the file does as well.
  package static func name(of url: URL) -> String? {
    // A lock file that cannot be used has an error with its name, which is shown by this as well.
    guard url.lastPathComponent != LockFile.fileName,
      let cache = try? ObjectCache(environment: ProcessInfo.processInfo.environment),
      url.path.hasPrefix(cache.objects.path + "/"),
      let project = try? nearestProject()
    else { return nil }
    return project.lock.catalogs.sorted { $0.key < $1.key }.first {
      $0.value.path == nil && project.cache.url($0.value.digest).path == url.path
    }?.key
  }

  /// The error for a command that would change it.
  package func readOnly() -> JobError {
    JobError(
      .refused,
      "the catalog \(name) is only read here, from the cache, and this command needs a file of yours",
      hints: [
        Self.wayToEdit(name),
        "\(again: "Then", adding: "--catalog", Self.file(name), leavingOut: ["--catalog"])",
      ])
  }

  /// The error for a command that asks git about its file.
  package func outsideGit() -> JobError {
    JobError(
      .notFound, "the catalog \(name) is not in git here: it is read from the cache",
      hints: ["To see what was published: \(command: ["remote", "log", name])"])
  }

  /// How to have a catalog that is only read as a file that can be changed.
  package static func wayToEdit(_ name: String) -> JobText {
    "To edit it: \(command: ["pull", name, "--path", file(name)])"
  }

  private static func file(_ name: String) -> String {
    "\(name).\(CatalogLocator.fileExtension)"
  }

  /// How to use those that the nearest lock file names; empty without any.
  ///
  /// - Throws: What is wrong with a lock file that cannot be used.
  package static func hints(isReading: Bool) throws -> [JobText] {
    try names().prefix(3).map { name in
      isReading
        ? "To read \(name), which \(LockFile.fileName) names: --catalog \(name)"
        : "To edit \(name), which \(LockFile.fileName) names: \(command: ["pull", name, "--path", file(name)])"
    }
  }

  /// Those of the nearest lock file that are only read here, sorted.
  ///
  /// - Throws: What is wrong with a lock file that cannot be used.
  package static func names() throws -> [String] {
    guard let project = try nearestProject() else { return [] }
    return project.lock.catalogs.filter { $0.value.path == nil }.keys.sorted()
  }
}
