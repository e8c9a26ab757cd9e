import Foundation
import Testing

extension Sandbox {
  /// Makes git behave the same on every machine: a fixed author and time, and only the repository's own configuration.
  static let gitEnvironment = [
    "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@shop.test",
    "GIT_AUTHOR_DATE": "2026-11-20T09:00:00Z", "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@shop.test", "GIT_COMMITTER_DATE": "2026-11-20T09:00:00Z",
    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_EDITOR": "true",
    "GIT_PAGER": "cat", "GIT_MERGE_AUTOEDIT": "no", "GIT_TERMINAL_PROMPT": "0",
  ]

  /// Runs git and returns its output and exit code.
  func git(
    _ arguments: String..., environment: [String: String] = [:], in subfolder: String = ""
  ) throws -> CommandResult {
    try run(
      executable: URL(fileURLWithPath: "/usr/bin/env"), arguments: ["git"] + arguments,
      environment: Self.gitEnvironment.merging(environment) { _, given in given }, in: subfolder)
  }

  /// Runs git commands that must succeed, each a list of words.
  func mustGit(_ commands: [String]...) throws {
    for command in commands {
      let result = try run(
        executable: URL(fileURLWithPath: "/usr/bin/env"), arguments: ["git"] + command,
        environment: Self.gitEnvironment)
      try #require(result.code == 0, "git \(command): \(result)")
    }
  }

  /// Runs the command, which must succeed.
  func must(_ arguments: String..., in subfolder: String = "") throws {
    let result = try run(
      executable: Self.binary, arguments: arguments, environment: Self.gitEnvironment,
      in: subfolder)
    try #require(result.code == 0, "stubdb \(arguments): \(result)")
  }

  /// Commits everything.
  func commit(_ subject: String) throws {
    try mustGit(["add", "-A"], ["commit", "-q", "-m", subject])
  }

  /// A sandbox whose folder is a repository with the shop's catalog in its first commit.
  static func repository() throws -> Sandbox {
    try Sandbox(holding: repositoryContents.get())
  }

  private static let repositoryContents = Result {
    let box = try Sandbox.shop()
    try box.mustGit(["init", "-q", "-b", "main", "--template="])
    try box.write(".gitignore", "shop.json\n")
    try box.commit("Add the shop's stubs")
    return try box.contents()
  }
}
