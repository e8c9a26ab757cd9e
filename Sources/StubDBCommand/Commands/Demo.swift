import ArgumentParser
import Foundation
import StubDBPublishing

extension RootCommand {
  struct Demo: CommonCommand {
    static let configuration = CommandConfiguration(
      commandName: "demo",
      abstract: "Show the whole story on a temporary catalog.",
      discussion: """
        Fills a catalog in a temporary folder, looks into it, asks it two questions, and plays one of \
        its scenarios for four customers at once. Nothing goes over the network; the folder is \
        removed at the end.

        Example:
          stubdb demo
        """)

    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("stubdb-demo-\(UUID().uuidString)", isDirectory: true)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      // The system removes what may be left in the temporary folder.
      defer { try? FileManager.default.removeItem(at: folder) }
      let back = FileManager.default.currentDirectoryPath
      // The demo runs the commands that a user would type, in the folder and without --catalog.
      guard FileManager.default.changeCurrentDirectoryPath(folder.path) else {
        throw CommandError("cannot enter the temporary folder \(folder.path)")
      }
      defer { _ = FileManager.default.changeCurrentDirectoryPath(back) }
      unsetenv(CatalogLocator.variable)
      // Standard error of the commands is part of the story, in sequence.
      let errors = dup(STDERR_FILENO)
      dup2(STDOUT_FILENO, STDERR_FILENO)
      defer {
        dup2(errors, STDERR_FILENO)
        close(errors)
      }
      try StartFolder.$path.withValue(nil) { try DemoStory(folder: folder).tell() }
    }
  }
}
