internal import Foundation
internal import StubDBJobs

/// The configuration of a shared hook in one repository.
package struct HookSettings {
  private static let mirror = "stubdb.hookMirror"
  private static let scan = "stubdb.hookScan"
  static let failClosed = "stubdb.hookFailClosed"

  private let git: GitCommand

  package init(git: GitCommand) {
    self.git = git
  }

  /// The configured actions; empty if the hook was not installed for this repository.
  package func actions() throws -> PreCommitHook.Actions {
    PreCommitHook.Actions(
      mirrors: try values(Self.mirror), scans: try values(Self.scan).last == "true",
      failsClosed: try values(Self.failClosed).last == "true")
  }

  func write(_ actions: PreCommitHook.Actions) throws {
    _ = try remove()
    for mirror in actions.mirrors {
      _ = try git.run("config", "--local", "--add", Self.mirror, mirror)
    }
    if actions.failsClosed { _ = try git.run("config", "--local", Self.failClosed, "true") }
    if actions.scans { _ = try git.run("config", "--local", Self.scan, "true") }
  }

  /// - Returns: Whether there was anything to remove.
  func remove() throws -> Bool {
    var isChanged = false
    for key in [Self.mirror, Self.scan, Self.failClosed] {
      if try values(key).isEmpty { continue }
      _ = try git.run("config", "--local", "--unset-all", key)
      isChanged = true
    }
    return isChanged
  }

  private func values(_ key: String) throws -> [String] {
    let result = try git.outcome(of: ["config", "--local", "--null", "--get-all", key])
    guard result.code == 0 else { return [] }
    return result.output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }
}
