package import Foundation
package import StubDBModel

/// A folder of documents that is kept in step with a catalog, for reviews as text.
///
/// It has one document per scenario, in folders by name; see ``MirrorLayout`` and ``MirrorDocument``. Only files that
/// differ are written, and files that do not belong to a mirror are left alone.
package struct MirrorFolder {
  /// The name of the folder in errors.
  package let name: String
  let files: MirrorFileSystem

  /// Makes a value for a folder, which need not exist yet.
  package init(at url: URL, name: String) {
    files = MirrorFileSystem(root: url.path)
    self.name = name
  }

  /// The marker of the folder; nil if it is not a mirror.
  package func marker() throws -> MirrorMarker? {
    guard let bytes = try files.bytes(of: MirrorMarker.fileName) else { return nil }
    return try MirrorMarker(parsing: bytes, path: "\(name)/\(MirrorMarker.fileName)")
  }

  /// Compares the folder with a catalog; changes nothing.
  ///
  /// Reads both once.
  /// - Parameters:
  ///   - names: The scenarios of the catalog.
  ///   - scenario: Reads one of them, with its bodies in memory.
  /// - Returns: The differences, with what writing needs.
  /// - Throws: ``MirrorError``, or the errors of the closure.
  package func compare(
    _ names: [ScenarioName], scenario: (ScenarioName) throws -> Scenario?
  ) throws -> MirrorComparison {
    try MirrorComparison(files, name: name, names: names, scenario: scenario)
  }

  /// The content of the folder's documents.
  package struct Content {
    /// The scenarios, by name.
    package internal(set) var scenarios: [Scenario] = []
    var record = MirrorRecord()
  }

  /// Reads the folder's documents.
  ///
  /// - Throws: ``MirrorTextErrors`` with all documents that cannot be read.
  package func content() throws -> Content {
    guard files.kind(of: "") != nil else { throw MirrorError("there is no folder \(name)") }
    var errors: [String] = []
    var paths: [ScenarioName: String] = [:]
    var content = Content()
    let listing = try MirrorListing(of: files)
    // If such a document were ignored, it would count as removed.
    for path in listing.links {
      errors.append("\(name)/\(path): symbolic links are not read; put the document itself there")
    }
    for path in listing.documents {
      do {
        let text = try files.document(path, name: name)
        let scenario = text.scenario
        if let other = paths.updateValue(path, forKey: scenario.name) {
          errors.append(
            "\(name)/\(path): /scenario: \(name)/\(other) is of the scenario \(scenario.name) too")
        }
        content.scenarios.append(scenario)
        for file in try files.files(of: text) { content.record.note(file) }
      } catch {
        errors.append("\(error)")
      }
    }
    if !errors.isEmpty { throw MirrorTextErrors(messages: errors) }
    content.scenarios.sort { $0.name < $1.name }
    return content
  }

  /// Records that the catalog agrees with the content, so that its documents are no longer edits.
  package func recordAgreement(on content: Content) throws {
    try content.record.save(in: files)
  }
}

/// Reports documents that cannot be read, each with its file and line.
package struct MirrorTextErrors: Error, CustomStringConvertible {
  /// One sentence for each document.
  package let messages: [String]
  /// The sentences, one per line.
  package var description: String { messages.joined(separator: "\n") }
}

/// The entries of a mirror's folder.
struct MirrorListing {
  /// Files that may be documents, sorted by path.
  private(set) var documents: [String] = []
  /// Files in the folders of documents' bodies.
  private(set) var bodies: Set<String> = []
  /// Entries that do not belong to a mirror: other files, links.
  private(set) var others: [String] = []
  /// Entries among them that have the name of a document but are not files, such as symbolic links.
  private(set) var links: [String] = []
  /// Leftovers of killed processes.
  private(set) var temporaries: [String] = []

  init(of files: MirrorFileSystem) throws {
    switch files.kind(of: "") {
    case nil: return
    case .folder: try add("", isBodies: false, files)
    default: throw MirrorError("\(files.root) is not a folder")
    }
  }

  private mutating func add(_ folder: String, isBodies: Bool, _ files: MirrorFileSystem) throws {
    for name in try files.names(in: folder) {
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      if MirrorMarker.fileNames.contains(path) { continue }
      switch files.kind(of: path) {
      case .folder:
        if name == ".git" || path == MirrorRecord.folder { continue }
        try add(path, isBodies: isBodies || name.hasSuffix(MirrorLayout.filesExtension), files)
      case .file where name.hasPrefix(MirrorFileSystem.temporaryPrefix): temporaries.append(path)
      case .file where isBodies: bodies.insert(path)
      case .file where name.hasSuffix(MirrorLayout.documentExtension) && !name.hasPrefix("."):
        documents.append(path)
      case .other where name.hasSuffix(MirrorLayout.documentExtension) && !isBodies:
        links.append(path)
        others.append(path)
      case .file, .other: others.append(path)
      case nil: continue
      }
    }
  }
}

/// An error in reading or writing a mirror.
package struct MirrorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence that says what failed, on what, and why.
  package var message: String
  package var description: String { message }

  init(_ message: String) {
    self.message = message
  }
}
