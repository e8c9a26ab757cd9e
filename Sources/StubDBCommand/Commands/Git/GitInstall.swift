import ArgumentParser
import Foundation

/// Sets git up in this clone.
struct GitInstall: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Set this clone up to show and merge catalogs by meaning.",
    discussion: """
      Run it in the repository, in every clone once, and again where stubdb has moved.

      Example:
        stubdb git install
      """)

  func run() throws {
    let setup = GitSetup(
      repository: try GitRepository(containing: CatalogLocator().currentFolder))
    let isWritten = try setup.install()
    Console.note("git in \(setup.repository.root.path) now shows and merges catalogs by meaning.")
    Console.note(
      isWritten
        ? "Added to .gitattributes, to be committed: \(GitSetup.attribute)"
        : ".gitattributes says so already.")
    Console.note("This clone calls \(GitSetup.program).")
    Console.note(
      """
      Teammates who have not run 'stubdb git install' see "Binary files differ", and a conflict of \
      the whole file where two branches changed it; nothing is damaged.
      """)
  }
}

/// Takes the set-up away.
struct GitUninstall: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "uninstall",
    abstract: "Take away what 'stubdb git install' set up.",
    discussion: """
      The line in .gitattributes is taken away too; commit that only if the whole team is to go \
      without.

      Example:
        stubdb git uninstall
      """)

  func run() throws {
    let setup = GitSetup(
      repository: try GitRepository(containing: CatalogLocator().currentFolder))
    Console.note(
      try setup.uninstall()
        ? "git in \(setup.repository.root.path) treats catalogs as binary files again."
        : "There was nothing to take away.")
  }
}
