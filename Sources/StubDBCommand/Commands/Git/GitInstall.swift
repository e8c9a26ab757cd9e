import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBGit
import StubDBJobs
import StubDBMirror
import StubDBPublishing

struct GitInstall: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Set this clone up to show and merge catalogs by meaning.",
    discussion: """
      Run it once in every clone, and again if stubdb is moved to another path.

      With --mirror or --scan it also adds a pre-commit hook; a hook that you have still runs. The new \
      hook updates and stages the mirror of the staged catalog, and stops a commit that would add \
      a secret. What it does already it goes on doing; to begin anew: stubdb git uninstall.

      If stubdb is gone or was moved, a hook with --scan stops commits of catalogs, and others pass. With \
      --fail-closed it stops every commit until 'stubdb git install' is run again, or 'git commit --no-verify'.

      Examples:
        stubdb git install
        stubdb git install --mirror shop-stubs --scan
        stubdb git install --scan --fail-closed
      """)

  @Option(
    help: ArgumentHelp(
      "Keep this folder a mirror of the catalog, with each commit.", valueName: "folder"),
    completion: .directory)
  var mirror: String?

  @Flag(help: "Stop commits of catalogs with secrets.")
  var scan = false

  @Flag(help: "Have the hook stop every commit while stubdb cannot be run.")
  var failClosed = false

  @Flag(
    help: """
      Put the hook into a folder that other repositories use too, as a global core.hooksPath has \
      it; there it does nothing for those that have not installed it.
      """)
  var shared = false

  @OptionGroup var catalog: CatalogOptions

  func run() throws {
    let setup = try GitSetup.ofThisProgram()
    try installHook(setup)
    let isWritten = try setup.install()
    Console.note("git in \(setup.repository.root.path) now shows and merges catalogs by meaning.")
    Console.note(
      isWritten
        ? "Added to .gitattributes, to be committed: \(GitSetup.attribute)"
        : ".gitattributes already has the line.")
    if let mirror {
      let attributes = isWritten ? [CatalogLocator.relativePath(setup.attributesFile)] : []
      if try !setup.repository.isClean([mirror] + attributes) {
        Console.note("To commit the mirror: " + FollowUp.git(["add"] + attributes + [mirror]))
      }
    }
    try noteMirrors(setup.repository)
    Console.note("This clone calls \(setup.program).")
    Console.note(
      """
      Teammates who have not run 'stubdb git install' see "Binary files differ", and a conflict of \
      the whole file where two branches changed it; nothing is damaged.
      """)
  }

  /// Names the mirrors that are committed, and that no commit from this clone keeps in step.
  private func noteMirrors(_ repository: GitRepository) throws {
    let kept = try PreCommitHook(repository: repository).actions().mirrors
    for path in try repository.tracked("**/\(MirrorMarker.fileName)") {
      let folder = (path as NSString).deletingLastPathComponent
      if kept.contains(folder) { continue }
      let url = repository.root.appendingPathComponent(folder)
      let shown = CatalogLocator.relativePath(url)
      let owner = try? MirrorOwner(of: url, named: shown)
      Console.note(
        "\(TerminalText.line(shown)) is a mirror of a catalog, and commits from this clone leave it behind. To have them "
          + "keep it in step: "
          + FollowUp.command(
            ["git", "install", "--mirror", shown], catalog: owner?.catalog))
    }
  }

  /// Adds the hook, if requested, and writes the mirror that it maintains.
  private func installHook(_ setup: GitSetup) throws {
    let repository = setup.repository
    var requested = PreCommitHook.Actions(scans: scan, failsClosed: failClosed)
    let hook = try PreCommitHook(repository: repository)
    if !shared, mirror != nil || scan || failClosed {
      try hook.requireOwn(
        (mirror.map { ["--mirror", $0] } ?? []) + (scan ? ["--scan"] : [])
          + (failClosed ? ["--fail-closed"] : []))
    }
    if let mirror {
      let url = CatalogLocator().resolve(mirror)
      requested.mirrors = [try repository.path(of: url)]
      let catalog = try catalog.open()
      _ = try repository.path(of: catalog.url)
      try CatalogMirror(mirror, of: catalog).update(overwriting: false)
    }
    if requested.isEmpty, !failClosed { return try hook.refresh(program: setup.program) }
    let earlier = try remaining(of: hook.actions(), in: repository)
    let actions = earlier.adding(requested)
    guard !actions.isEmpty else {
      throw CommandError(
        "--fail-closed is about the pre-commit hook, and this repository has none of stubdb",
        hints: [FollowUp.again("To have one that refuses secrets", adding: "--scan")])
    }
    try hook.install(actions, program: setup.program)
    Console.note(
      "\(earlier.isEmpty ? "Added to the hook" : "The hook") \(hook.file.path): \(Self.text(actions))"
    )
  }

  /// What the hook does, without folders that are no longer mirrors, which would stop all commits.
  private func remaining(
    of actions: PreCommitHook.Actions, in repository: GitRepository
  ) throws -> PreCommitHook.Actions {
    var remaining = actions
    remaining.mirrors = try actions.mirrors.filter { path in
      let url = repository.root.appendingPathComponent(path)
      if try MirrorFolder(at: url, name: path).marker() != nil { return true }
      Console.note("Taken from the hook: \(TerminalText.line(path)), which is no mirror any more.")
      return false
    }
    return remaining
  }

  private static func text(_ actions: PreCommitHook.Actions) -> String {
    let parts =
      actions.mirrors.map { "keeps \(TerminalText.line($0)) in step" }
      + (actions.scans ? ["refuses secrets"] : [])
      + (actions.failsClosed ? ["stops every commit while stubdb cannot be run"] : [])
    return parts.joined(separator: ", ") + "."
  }
}

struct GitUninstall: CommonCommand {
  static let configuration = CommandConfiguration(
    commandName: "uninstall",
    abstract: "Remove what 'stubdb git install' set up.",
    discussion: """
      The line in .gitattributes stays if it is committed: it is the team's, and other clones merge \
      by it. --attributes removes it from there, which the next commit takes to all.

      A hook in a folder that other repositories share stays there for them, and does nothing in \
      this one; --shared removes it from all of them.

      Examples:
        stubdb git uninstall
        stubdb git uninstall --attributes     the whole team is to do without
        stubdb git uninstall --shared
      """)

  @Flag(help: "Remove the line that the team shares from .gitattributes, too.")
  var attributes = false

  @Flag(help: "Remove the hook from a folder that other repositories share.")
  var shared = false

  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func run() throws {
    let setup = try GitSetup.ofThisProgram()
    let hook = try PreCommitHook(repository: setup.repository)
    let called = try hook.actions()
    var hadHook = try hook.isShared && hook.disable()
    if shared || !hook.isShared {
      hadHook = try hook.uninstall() || hadHook
    } else if try hook.isInstalled() {
      Console.note(
        "The part of the hook \(hook.file.path) stays for the other repositories that use it; to "
          + "take it away from all of them: \(FollowUp.program) git uninstall --shared")
    }
    let isChanged = try setup.uninstall(sharedLine: attributes)
    Console.note(
      isChanged || hadHook
        ? "git in \(setup.repository.root.path) treats catalogs as binary files again."
        : "There was nothing to take away.")
    let gone = [
      !called.mirrors.isEmpty
        ? "\(called.mirrors.count == 1 ? "the mirror is" : "the mirrors are") no longer kept in step"
        : nil,
      called.scans ? "secrets are no longer refused" : nil,
    ].compactMap(\.self)
    if hadHook, !gone.isEmpty {
      Console.note("The pre-commit hook is gone: \(gone.joined(separator: ", ")).")
    }
    if !attributes, try setup.hasSharedLine() {
      Console.note(
        "The line in .gitattributes stays, by which other clones merge; for a team that is to do "
          + "without: \(FollowUp.program) git uninstall --attributes")
    }
  }
}

extension GitSetup {
  /// The set-up of the current folder's repository, which calls the running program.
  static func ofThisProgram() throws -> GitSetup {
    GitSetup(
      repository: try GitRepository(containing: CatalogLocator().currentFolder, for: .setup),
      program: runningProgram)
  }

  /// The absolute path by which the running program was called.
  ///
  /// A symbolic link is not resolved, because a new version of the program may change its target.
  private static var runningProgram: String {
    let name = CommandLine.arguments.first ?? "stubdb"
    if name.contains("/") { return CatalogLocator().resolve(name).path }
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    let paths = folders.map { CatalogLocator().resolve("\($0)/\(name)").path }
    return paths.first(where: FileManager.default.isExecutableFile)
      ?? Bundle.main.executablePath ?? name
  }
}
