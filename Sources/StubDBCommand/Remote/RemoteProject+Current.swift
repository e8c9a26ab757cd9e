import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBPublishing
import StubDBRemote
import StubDBSecrets
import StubDBTransfer

extension PublishingContext {
  /// Publishing with the programs and variables of this process, which prints what happened.
  static func ofThisProcess() -> PublishingContext {
    PublishingContext(
      environment: ProcessInfo.processInfo.environment,
      client: RetryingClient(transport: FetchTransport(FetchProgram.executable)),
      signing: Signing(program: KeygenProgram.ofThisProcess()), report: PublishingView.show)
  }
}

extension KeygenProgram {
  static func ofThisProcess() -> KeygenProgram {
    KeygenProgram(environment: ProcessInfo.processInfo.environment) {
      Console.note(TerminalText.line($0))
    }
  }
}

extension SigningKeys {
  static var ofThisUser: SigningKeys {
    SigningKeys(
      environment: ProcessInfo.processInfo.environment, resolve: CatalogLocator().resolve)
  }
}

extension PushJob {
  /// A push that refuses the secrets of `stubdb scan`.
  static func scanning(_ url: URL) -> PushJob {
    PushJob(WorkingCatalog(url: url)) { snapshot in
      try ExceptionsFile(beside: url)
        .sort(CatalogScan.shown(in: snapshot, of: url)).findings
    }
  }
}

extension PullJob {
  /// A pull that reports includes that get lost in the catalogs beside the lock file, and in the one that commands use.
  static func including(_ targets: [String]) -> PullJob {
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

extension RemoteProject {
  /// The name of the lock file in messages.
  var name: String { TerminalText.path(file) }

  /// The file of an argument in which a catalog is to be edited.
  static func file(argument path: String) throws -> URL {
    let url = CatalogLocator().resolve(path)
    guard url.pathExtension == CatalogLocator.fileExtension else {
      throw UsageError(
        "\(TerminalText.quoted(path)) does not end in .\(CatalogLocator.fileExtension).")
    }
    return url
  }

  /// The project of the current folder, else that of the catalog that a command would find from there.
  ///
  /// A catalog that is named, by its option or by the environment, comes first.
  static func current(
    _ catalog: String? = nil, isSettling: Bool = false
  ) throws -> RemoteProject {
    let locator = CatalogLocator()
    let variable = locator.environment[CatalogLocator.variable] ?? ""
    if catalog != nil || !variable.isEmpty {
      return try RemoteProject(
        of: locator.locate(catalog).deletingLastPathComponent(), .ofThisProcess(),
        isSettling: isSettling)
    }
    let here = try RemoteProject(
      of: locator.currentFolder, .ofThisProcess(), isSettling: isSettling)
    guard !here.namesCatalogs, let folder = (try? locator.locate(nil))?.deletingLastPathComponent()
    else { return here }
    let found = try RemoteProject(of: folder, .ofThisProcess(), isSettling: isSettling)
    return found.namesCatalogs ? found : here
  }
}
