import Foundation
import StubDBDrift
import StubDBSupport

/// The file of differences that a team lives with, beside a catalog.
struct DriftFile {
  private static let fileName = ".stubdb-verify.json"

  private let url: URL
  private var exceptions = DriftExceptions()

  /// Reads the file; a missing file means no exceptions.
  init(at path: String?, beside catalog: URL) throws {
    url =
      path.map { CatalogLocator().resolve($0) }
      ?? catalog.deletingLastPathComponent().appendingPathComponent(Self.fileName)
    guard FileManager.default.fileExists(atPath: url.path) else {
      if let path { throw CommandError("there is no file \(TerminalText.quoted(path))") }
      return
    }
    let name = CatalogLocator.display(url)
    exceptions = try DriftExceptions(
      parsing: DocumentSource.data(at: url, named: name), file: name)
  }

  /// The name of the file in messages.
  var name: String { CatalogLocator.display(url) }

  /// Whether a difference has an exception.
  func accepts(_ place: DriftPlace) -> Bool { exceptions.accepts(place) }

  /// Adds an exception for each place without one, and writes the file.
  mutating func accept(_ places: [DriftPlace], reason: String) throws {
    let count = exceptions.accept(places, reason: reason)
    guard count > 0 else { return Console.note("There was nothing to add.") }
    do {
      try Data(exceptions.text.utf8).write(to: url, options: .atomic)
    } catch {
      throw CommandError("cannot write \(name): \(FileFailure.writing(error))")
    }
    Console.note(
      "Added \(Plural.of(count, "exception")) to \(name); check that file in.")
  }
}
