import ArgumentParser
import Foundation
import StubDBCatalogEditing
import StubDBGit
import StubDBPublishing
import StubDBSecrets
import StubDBSupport
import StubDBTransfer

struct GitPreCommit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pre-commit",
    abstract: "Check the catalogs that are staged, and update their mirrors; git's hook calls it.",
    shouldDisplay: false)

  @Option(help: "The folder of a mirror, from the top folder; repeatable.")
  var mirror: [String] = []

  @Flag(help: "Refuse catalogs with secrets.")
  var scan = false

  @Flag(help: "What the hook does without this program; nothing here.")
  var failClosed = false

  @Flag(help: "Do what this repository's configuration says.")
  var configured = false

  func run() throws {
    let git = GitCommand.asInherited()
    let settings = try HookSettings(git: git).actions()
    let mirrors = configured ? settings.mirrors : mirror
    let scan = configured ? settings.scans : scan
    let root = URL(
      fileURLWithPath: try git.line("rev-parse", "--show-toplevel"), isDirectory: true)
    let list = try git.run(PreCommitHook.stagedPaths + ["-z"])
    let paths = list.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    let catalogs = paths.filter { $0.hasSuffix(".\(CatalogLocator.fileExtension)") }
    if scan {
      for path in catalogs { try refuseSecrets(in: path, root: root, git) }
    }
    for mirror in mirrors {
      try update(StagedMirror(git: git, root: root, folder: mirror), paths, catalogs)
    }
  }

  /// Updates a mirror if its catalog is among those that are staged.
  private func update(_ mirror: StagedMirror, _ paths: [String], _ catalogs: [String]) throws {
    if catalogs.isEmpty {
      // A commit of documents alone is not stopped: they may be what is reviewed first.
      guard paths.contains(where: { $0.hasPrefix(mirror.folder + "/") }),
        let note = try? mirror.difference()
      else { return }
      return Console.note("stubdb: \(note)")
    }
    let path = try mirror.catalogPath()
    guard catalogs.contains(path) else { return }
    let count = try mirror.update(from: path)
    if count > 0 {
      Console.note("stubdb: \(mirror.folder) follows \(path): \(Plural.of(count, "file")).")
    }
  }

  private func refuseSecrets(in path: String, root: URL, _ git: GitCommand) throws {
    let snapshot = try CatalogSnapshot(
      bytes: git.run("cat-file", "blob", ":\(path)"), name: "the staged \(path)")
    let file = try ExceptionsFile(
      at: ExceptionsFile.url(beside: root.appendingPathComponent(path)))
    let findings = file.sort(try CatalogScan.shown(in: snapshot)).findings
    if findings.isEmpty { return }
    for finding in findings { Console.note(FindingView.line(finding)) }
    let argument = ShellWord.quoted(GitCommand.callerPath(ofHookIn: root, to: path))
    throw CommandError(
      "the commit was stopped: \(Plural.of(findings.count, "secret")) in the staged \(path)",
      hints: [
        "To take them out: stubdb redact --findings --catalog \(argument)",
        "  then: git add \(argument)",
        "To accept them, with a reason: stubdb scan --accept 'why they are harmless' --catalog \(argument)",
      ])
  }
}
