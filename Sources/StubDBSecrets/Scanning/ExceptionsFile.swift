package import Foundation
internal import StubDBFiles
package import StubDBModel
internal import StubDBSupport

/// Exceptions that a team keeps in a file beside its catalog.
package protocol FiledExceptions {
  static var fileName: String { get }

  init()

  /// Parses the file strictly; `file` is its name in errors.
  init(parsing text: Data, file: String) throws(DocumentError)

  /// The file.
  var text: String { get }
}

/// A file of exceptions beside a catalog.
package struct FileOfExceptions<Exceptions: FiledExceptions> {
  private let url: URL
  /// The name of the file in messages.
  package let name: String
  package private(set) var exceptions = Exceptions()

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
    exceptions = try Exceptions(parsing: text, file: name)
  }

  /// The location of a catalog's file.
  package static func url(beside catalog: URL) -> URL {
    catalog.deletingLastPathComponent().appendingPathComponent(Exceptions.fileName)
  }

  /// Reports that the file cannot be read or written.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Adds exceptions, writes the file if there are any, and returns how many were added.
  package mutating func add(_ adding: (inout Exceptions) -> Int) throws -> Int {
    let count = adding(&exceptions)
    if count == 0 { return 0 }
    do {
      try Data(exceptions.text.utf8).write(to: url, options: .atomic)
    } catch {
      throw Failure(description: "cannot write \(name): \(FileFailure.writing(error))")
    }
    return count
  }
}

extension ScanExceptions: FiledExceptions {}

/// The file of findings that a team accepts.
package typealias ExceptionsFile = FileOfExceptions<ScanExceptions>

extension ExceptionsFile {
  /// The digest that identifies a secret in the file; nil if the file has no salt yet.
  package func fingerprint(of finding: SecretFinding) -> String? {
    exceptions.salt.map { ScanExceptions.fingerprint(of: finding, salt: $0) }
  }

  /// Findings without an exception, and the 1-based numbers of exceptions without a finding.
  package func sort(_ findings: [SecretFinding]) -> (findings: [SecretFinding], stale: [Int]) {
    exceptions.sort(findings)
  }

  /// Adds an exception for each secret without one, writes the file, and returns how many were added.
  package mutating func accept(_ findings: [SecretFinding], reason: String) throws -> Int {
    try add { $0.accept(findings, reason: reason) }
  }
}
