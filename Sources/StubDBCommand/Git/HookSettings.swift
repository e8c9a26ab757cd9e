import Foundation

/// The configuration of a shared hook in one repository.
struct HookSettings {
  private static let mirror = "stubdb.hookMirror"
  private static let scan = "stubdb.hookScan"

  let git: GitCommand

  /// The configured actions; empty if the hook was not installed for this repository.
  func actions() throws -> PreCommitHook.Actions {
    PreCommitHook.Actions(mirror: try value(Self.mirror), scans: try value(Self.scan) == "true")
  }

  func write(_ actions: PreCommitHook.Actions) throws {
    _ = try remove()
    if let mirror = actions.mirror { _ = try git.run("config", "--local", Self.mirror, mirror) }
    if actions.scans { _ = try git.run("config", "--local", Self.scan, "true") }
  }

  /// - Returns: Whether there was anything to remove.
  func remove() throws -> Bool {
    var isChanged = false
    for key in [Self.mirror, Self.scan] {
      let code = try git.outcome(of: ["config", "--local", "--unset-all", key]).code
      isChanged = isChanged || code == 0
    }
    return isChanged
  }

  private func value(_ key: String) throws -> String? {
    let result = try git.outcome(of: ["config", "--local", "--get", key])
    guard result.code == 0 else { return nil }
    return String(decoding: result.output, as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}
