package import Foundation
package import StubDBModel

/// A folder of documents that is kept in step with a catalog, for people to review as text.
///
/// One document a scenario, in folders by name; see ``MirrorLayout`` and ``MirrorDocument``. Only
/// what differs is written; what no mirror has is left alone.
package struct MirrorFolder {
  /// What errors call the folder.
  package let name: String
  let files: MirrorFileSystem

  /// A folder that may not exist yet.
  package init(at url: URL, name: String) {
    files = MirrorFileSystem(root: url.path)
    self.name = name
  }

  /// What says that the folder is a mirror; nil where nothing does.
  package func marker() throws -> MirrorMarker? {
    guard let bytes = try files.bytes(of: MirrorMarker.fileName) else { return nil }
    return try MirrorMarker(parsing: bytes, path: "\(name)/\(MirrorMarker.fileName)")
  }

  /// How the folder differs from a catalog; changes nothing.
  ///
  /// Costs reading both once.
  /// - Parameters:
  ///   - names: The scenarios of the catalog.
  ///   - scenario: Reads one of them, with its bodies in memory.
  /// - Returns: The differences, and what writing needs to know.
  /// - Throws: ``MirrorError``, or what the closure throws.
  package func compare(
    _ names: [ScenarioName], scenario: (ScenarioName) throws -> Scenario?
  ) throws -> MirrorComparison {
    try MirrorComparison(files, name: name, names: names, scenario: scenario)
  }

  /// The scenarios that the folder has documents of, by name.
  ///
  /// - Throws: ``MirrorTextErrors`` with every document that cannot be read.
  package func scenarios() throws -> [Scenario] {
    guard files.kind(of: "") != nil else { throw MirrorError("there is no folder \(name)") }
    var errors: [String] = []
    var paths: [ScenarioName: String] = [:]
    var scenarios: [Scenario] = []
    let listing = try MirrorListing(of: files)
    // Passed over, such a document would count as removed.
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
        scenarios.append(scenario)
      } catch {
        errors.append("\(error)")
      }
    }
    if !errors.isEmpty { throw MirrorTextErrors(messages: errors) }
    return scenarios.sorted { $0.name < $1.name }
  }
}

/// Documents that cannot be read, each with its file and line.
package struct MirrorTextErrors: Error, CustomStringConvertible {
  /// One sentence a document.
  package let messages: [String]
  /// The sentences, one a line.
  package var description: String { messages.joined(separator: "\n") }
}
