import Foundation
import StubDBModel

/// Where `add --file` reads from: a file, or standard input as `-`.
struct DocumentSource {
  private let argument: String

  init(_ argument: String) {
    self.argument = argument
  }

  /// Reads and decodes everything.
  ///
  /// - Throws: ``CommandFailure`` where it cannot be read, `DocumentError` with file and place where
  ///   it is not a document.
  func content() throws -> DocumentContent {
    let isInput = argument == "-"
    let url = CatalogLocator().resolve(argument)
    let folder =
      isInput ? CatalogLocator().currentFolder : url.deletingLastPathComponent()
    let data =
      isInput
      ? try FileHandle.standardInput.readToEnd() ?? Data()
      : try Self.data(at: url, named: argument)
    let name = isInput ? "standard input" : argument
    return try ScenarioDocument.decodeStubs(data, file: name) { path in
      try Self.bytes(at: URL(fileURLWithPath: path, relativeTo: folder))
    }
  }

  /// The bytes of a file.
  ///
  /// - Throws: ``CommandFailure`` that names the file and says why it cannot be read.
  static func data(at url: URL, named name: String) throws -> Data {
    do {
      return try bytes(at: url)
    } catch {
      throw CommandFailure("cannot read \(name): \(error)")
    }
  }

  /// The bytes of a file that a document names.
  ///
  /// - Throws: ``ArgumentProblem`` with the reason only: the document's error names the file.
  static func bytes(at url: URL) throws(ArgumentProblem) -> Data {
    do {
      return try Data(contentsOf: url)
    } catch {
      throw ArgumentProblem(
        FileManager.default.fileExists(atPath: url.path)
          ? "it cannot be read" : "there is no such file")
    }
  }
}
