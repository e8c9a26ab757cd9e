import Foundation
import StubDBJobs
import StubDBPublishing
import StubDBRemote
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

  /// The project of the current folder or of the catalog, for this process.
  static func current(
    _ catalog: String? = nil, isSettling: Bool = false
  ) throws -> RemoteProject {
    try current(catalog, .ofThisProcess(), isSettling: isSettling)
  }
}
