import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBMirror

/// Sets git up in this clone.
struct GitInstall: CatalogCommand {
  static let configuration = CommandConfiguration.subcommand(
    commandName: "install",
    abstract: "Set this clone up to show and merge catalogs by meaning.",
    discussion: """
      Run it once in every clone, and again if stubdb is moved to another path.

      With --mirror or --scan it also adds a pre-commit hook; a hook that you have still runs. The new \
      hook updates and stages the mirror of the staged catalog, and stops a commit that would add \
      a secret.

      Examples:
        stubdb git install
        stubdb git install --mirror shop-stubs --scan
      """)

  @Option(
    help: ArgumentHelp(
      "Keep this folder a mirror of the catalog, with each commit.", valueName: "folder"),
    completion: .directory)
  var mirror: String?

  @Flag(help: "Stop commits of catalogs with secrets.")
  var scan = false

  @Flag(
    help: """
      Put the hook into a folder that other repositories use too, as a global core.hooksPath has \
      it; there it does nothing for those that have not installed it.
      """)
  var shared = false

  @OptionGroup var catalog: CatalogOptions

  func run() throws {
    let setup = GitSetup(
      repository: try GitRepository(containing: CatalogLocator().currentFolder))
    try installHook(setup.repository)
    let isWritten = try setup.install()
    Console.note("git in \(setup.repository.root.path) now shows and merges catalogs by meaning.")
    Console.note(
      isWritten
        ? "Added to .gitattributes, to be committed: \(GitSetup.attribute)"
        : ".gitattributes already has the line.")
    if let mirror {
      let attributes = isWritten ? [CatalogLocator.relativePath(setup.attributesFile)] : []
      Console.note("To commit the mirror: " + FollowUp.git(["add"] + attributes + [mirror]))
    }
    Console.note("This clone calls \(GitSetup.program).")
    Console.note(
      """
      Teammates who have not run 'stubdb git install' see "Binary files differ", and a conflict of \
      the whole file where two branches changed it; nothing is damaged.
      """)
  }

  /// Adds the hook, if requested, and writes the mirror that it maintains.
  private func installHook(_ repository: GitRepository) throws {
    var actions = PreCommitHook.Actions(mirror: nil, scans: scan)
    let hook = try PreCommitHook(repository: repository)
    if !shared, mirror != nil || scan {
      try hook.requireOwn((mirror.map { ["--mirror", $0] } ?? []) + (scan ? ["--scan"] : []))
    }
    if let mirror {
      let url = CatalogLocator().resolve(mirror)
      actions.mirror = try repository.path(of: url)
      let folder = MirrorFolder(at: url, name: mirror)
      let catalog = try catalog.open()
      _ = try repository.path(of: catalog.url)
      try MirrorJob(mirror: folder, folder: mirror, catalog: catalog).update(overwriting: false)
    }
    if actions.isEmpty { return try hook.refresh(program: GitSetup.program) }
    try hook.install(actions, program: GitSetup.program)
    Console.note("Added to the hook \(hook.file.path): \(Self.text(actions))")
  }

  private static func text(_ actions: PreCommitHook.Actions) -> String {
    let parts = [
      actions.mirror.map { "keeps \($0) in step" }, actions.scans ? "refuses secrets" : nil,
    ]
    return parts.compactMap { $0 }.joined(separator: ", ") + "."
  }
}

/// Removes the set-up.
struct GitUninstall: CommonCommand {
  static let configuration = CommandConfiguration.subcommand(
    commandName: "uninstall",
    abstract: "Remove what 'stubdb git install' set up.",
    discussion: """
      The line in .gitattributes is removed too; commit that only if the whole team is to do \
      without.

      A hook in a folder that other repositories share stays there for them, and does nothing in \
      this one; --shared removes it from all of them.

      Examples:
        stubdb git uninstall
        stubdb git uninstall --shared
      """)

  @Flag(help: "Remove the hook from a folder that other repositories share.")
  var shared = false

  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func run() throws {
    let setup = GitSetup(
      repository: try GitRepository(containing: CatalogLocator().currentFolder))
    let hook = try PreCommitHook(repository: setup.repository)
    let called = try hook.status() ?? ""
    var hadHook = try hook.isShared && hook.disable()
    if shared || !hook.isShared {
      hadHook = try hook.uninstall() || hadHook
    } else if try hook.isInstalled() {
      Console.note(
        "The part of the hook \(hook.file.path) stays for the other repositories that use it; to "
          + "take it away from all of them: \(FollowUp.program) git uninstall --shared")
    }
    Console.note(
      try setup.uninstall() || hadHook
        ? "git in \(setup.repository.root.path) treats catalogs as binary files again."
        : "There was nothing to take away.")
    let gone = [
      called.contains(" --mirror ") ? "the mirror is no longer kept in step" : nil,
      called.contains(" --scan") ? "secrets are no longer refused" : nil,
    ].compactMap(\.self)
    if hadHook, !gone.isEmpty {
      Console.note("The pre-commit hook is gone: \(gone.joined(separator: ", ")).")
    }
  }
}
