import ArgumentParser
import Foundation
import StubDBEditing
import StubDBJobs
import StubDBMirror
import StubDBModel
import StubDBPublishing
import StubDBSupport
import StubDBTransfer

extension RootCommand {
  struct Mirror: WritingCommand {
    static let configuration = CommandConfiguration(
      commandName: "mirror",
      abstract: "Keep a folder of documents in step with a catalog, for reviews as text.",
      discussion: """
        Writes one document per scenario (checkout/paid is checkout/paid.json), and bodies that are \
        neither JSON nor short text as files beside it. Only files that change are written. \
        Commit the folder with the catalog: a pull request then shows what changed as text, \
        wherever it is read.

        A folder that contains something else is refused; files that are added to a mirror later are \
        left alone. A document that was edited is not overwritten: take it into the catalog with \
        --from-text, or discard it with --force.

        Examples:
          stubdb mirror shop-stubs
          stubdb mirror shop-stubs --check         in continuous integration: exits with 2
          stubdb mirror shop-stubs --from-text     make the catalog match the documents
        """)

    @Argument(help: "The folder; created if it does not exist.", completion: .directory)
    var folder: String

    @Flag(help: "Write nothing; list what is not in step, and exit with 2.")
    var check = false

    @Flag(help: "Make the catalog match the documents; it is created if it does not exist.")
    var fromText = false

    @Flag(
      help:
        "Overwrite documents that stubdb did not write, write beside other files, and let a catalog without scenarios remove all documents."
    )
    var force = false

    @Flag(help: "With --check, print a JSON array of {scenario, path, difference, details}.")
    var json = false

    @OptionGroup var writing: WritingOptions

    func checkUsage() throws {
      if check && fromText { throw ValidationError("--check and --from-text exclude each other.") }
      if force && (check || fromText) {
        throw ValidationError("--force is about writing the folder; leave it out.")
      }
      if json && !check { throw ValidationError("--json goes with --check.") }
      if folder.isEmpty { throw ValidationError("Say which folder.") }
      if CatalogLocator.isURL(folder) {
        throw ValidationError(
          "\(TerminalText.quoted(folder)) is a URL; a mirror is a folder of this machine.")
      }
    }

    func run() throws {
      if fromText { return try takeDocuments() }
      let mirror = try CatalogMirror(folder, of: catalog.open())
      try check ? mirror.check(json: json) : mirror.update(overwriting: force)
    }

    private func takeDocuments() throws {
      let progress = ProgressLine("Reading")
      defer { progress.end() }
      let owner = try MirrorOwner(of: CatalogLocator().resolve(folder), named: folder)
      let job: MirrorImport
      do {
        job = try MirrorImport(of: owner) { scenario, before in
          WriteCheck.problem(of: scenario, besides: before?.stubs ?? []).map {
            "/stubs/\($0.index)\($0.pointer): \($0.reason)"
          }
        } progress: {
          progress.show($0, of: $1, "scenario")
        }
      } catch let errors as MirrorTextErrors {
        throw CommandError(
          errors.messages.prefix(20).joined(separator: "\n"),
          hints: ["The catalog was not changed."])
      } catch let problem as MirrorProblem {
        throw problem.error(for: owner, of: owner.catalog ?? owner.url)
      }
      let url = try place(owner)
      let changes: [MirrorImport.Change]
      do {
        changes = try job.run(into: url)
      } catch MirrorProblem.otherCatalog(let marker) {
        throw MirrorProblem.otherCatalog(marker, owner, instead: url, reading: true)
      } catch let problem as MirrorProblem {
        throw problem.error(for: owner, of: url)
      }
      progress.end()
      for change in changes {
        try Console.line("\(change.kind.rawValue)  \(change.scenario)")
      }
      let name = TerminalText.path(url)
      Console.note(
        changes.isEmpty
          ? "\(name) already had the same content."
          : "\(name) now has the content of \(folder): \(Plural.of(job.scenarioCount, "scenario"))."
      )
    }

    /// The path of the given or found catalog, else of the one that the folder is a mirror of.
    private func place(_ owner: MirrorOwner) throws -> URL {
      let locator = CatalogLocator()
      let isNamed = catalog.path != nil || locator.environment[CatalogLocator.variable] != nil
      return try (isNamed ? nil : owner.catalog) ?? locator.locate(catalog.path)
    }
  }
}
