import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBMirror
import StubDBModel

extension RootCommand {
  /// Keeps a folder of documents in step with a catalog.
  struct Mirror: CatalogCommand {
    static let configuration = CommandConfiguration.subcommand(
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
          stubdb mirror shop-stubs --check         in continuous integration: 2 if not in step
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

    @OptionGroup var catalog: CatalogOptions

    func validate() throws {
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
      let mirror = MirrorFolder(at: CatalogLocator().resolve(folder), name: folder)
      if fromText {
        try MirrorImport(mirror: mirror, folder: folder, catalogPath: catalog.path).run()
      } else {
        let job = try MirrorJob(mirror: mirror, folder: folder, catalog: catalog.open())
        try check ? job.check(json: json) : job.update(overwriting: force)
      }
    }
  }
}
