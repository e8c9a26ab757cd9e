package import Foundation
package import StubDBDrift
internal import StubDBSupport

/// The file of differences that a team lives with, beside a catalog.
package struct DriftFile {
  private let url: URL
  /// The name of the file in messages.
  package let name: String
  private var exceptions = DriftExceptions()

  /// Reads the file; a missing file means no exceptions.
  ///
  /// - Throws: ``Failure`` if it cannot be read, and `DocumentError` for a mistake in it.
  package init(at url: URL, named name: String) throws {
    (self.url, self.name) = (url, name)
    guard FileManager.default.fileExists(atPath: url.path) else { return }
    let text: Data
    do {
      text = try Data(contentsOf: url)
    } catch {
      throw Failure(description: "cannot read \(name): \(FileFailure.reading(error))")
    }
    exceptions = try DriftExceptions(parsing: text, file: name)
  }

  /// The location of a catalog's file.
  package static func url(beside catalog: URL) -> URL {
    catalog.deletingLastPathComponent().appendingPathComponent(DriftExceptions.fileName)
  }

  /// Reports that the file cannot be read or written.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Whether a difference has an exception.
  package func accepts(_ place: DriftPlace) -> Bool { exceptions.accepts(place) }

  /// Adds an exception for each place without one, writes the file, and returns how many were added.
  package mutating func accept(_ places: [DriftPlace], reason: String) throws -> Int {
    let count = exceptions.accept(places, reason: reason)
    if count == 0 { return 0 }
    do {
      try Data(exceptions.text.utf8).write(to: url, options: .atomic)
    } catch {
      throw Failure(description: "cannot write \(name): \(FileFailure.writing(error))")
    }
    return count
  }
}
