internal import Foundation
internal import StubDBModel

/// The content of a mirror's folder, compared with the catalog.
package struct MirrorComparison {
  /// A scenario whose files are not exactly as they would be written.
  struct Entry {
    let name: ScenarioName
    /// The path where its document belongs.
    let path: String
    /// The document of the scenario that exists, perhaps at another path.
    let text: MirrorText?
    /// Whether the document differs from the catalog in meaning.
    let isChanged: Bool
  }

  /// The differences in meaning, by path; empty if the folder is in step.
  package internal(set) var differences: [MirrorDifference] = []
  /// Files that do not belong to a mirror, sorted.
  package internal(set) var foreign: [String] = []
  /// Whether the catalog could take in all documents that differ.
  package var isReadable: Bool { unreadable.isEmpty }
  var entries: [Entry] = []
  /// Documents of scenarios that the catalog does not have.
  var surplus: [MirrorText] = []
  /// A document that cannot be read.
  struct Unreadable {
    let message: String
    /// Whether the only problem is a missing file that it refers to.
    let isMissingFile: Bool
  }

  /// Documents that cannot be read, by path.
  var unreadable: [String: Unreadable] = [:]
  /// The bodies of scenarios whose documents cannot be read.
  var expectedBodies: Set<String> = []
  /// Leftovers of killed processes.
  var temporaries: [String] = []
  /// The files of scenarios that are exactly as they would be written.
  var current: Set<String> = []
  /// The digests of these files.
  var record = MirrorRecord()
}

extension MirrorComparison {
  /// Compares byte by byte, and parses only the documents that are not as they would be written.
  init(
    _ files: MirrorFileSystem, name: String, names: [ScenarioName],
    scenario: (ScenarioName) throws -> Scenario?
  ) throws {
    let layout = MirrorLayout(names)
    let listing = try MirrorListing(of: files)
    temporaries = listing.temporaries
    noteLinks(listing.links, name: name)
    var pending: [(name: ScenarioName, path: String)] = []
    for name in names {
      let path = layout.path(of: name)
      guard let scenario = try scenario(name),
        let written = try Self.filesInStep(MirrorDocument(scenario, path: path), files)
      else {
        pending.append((name, path))
        continue
      }
      for file in written {
        current.insert(file.path)
        record.note(file)
      }
    }
    var texts = read(listing.documents.filter { !current.contains($0) }, files, name: name)
    for (name, path) in pending {
      guard let scenario = try scenario(name) else { continue }
      let text = texts.removeValue(forKey: name)
      note(scenario, path: path, text: text)
    }
    surplus = texts.values.sorted { $0.path < $1.path }
    finish(listing)
  }

  private mutating func noteLinks(_ links: some Sequence<String>, name: String) {
    for path in links {
      unreadable[path] = Unreadable(
        message: "\(name)/\(path): symbolic links are not read; put the document itself there",
        isMissingFile: false)
    }
  }

  /// Adds the differences that need no comparison, and what does not belong to a mirror.
  private mutating func finish(_ listing: MirrorListing) {
    for text in surplus {
      differences.append(
        MirrorDifference(
          kind: .surplus, scenario: text.scenario.name, path: text.path, details: []))
    }
    for (path, problem) in unreadable {
      differences.append(
        MirrorDifference(kind: .unreadable, scenario: nil, path: path, details: [problem.message]))
    }
    differences.sort { $0.path < $1.path }
    let known = current.union(expectedBodies)
    let referenced = (entries.compactMap(\.text) + surplus).reduce(into: known) { all, text in
      all.formUnion(text.references)
    }
    foreign =
      (listing.others.filter { unreadable[$0] == nil } + listing.bodies.subtracting(referenced))
      .sorted()
  }

  /// A scenario's files; nil unless all are as they would be written.
  private static func filesInStep(
    _ document: MirrorDocument, _ files: MirrorFileSystem
  ) throws -> [MirrorDocument.File]? {
    let all = [document.document] + document.bodies
    for file in all {
      guard files.obstacle(onTheWayTo: file.path) == nil,
        files.byteCount(of: file.path) == file.bytes.count,
        try files.bytes(of: file.path) == file.bytes
      else { return nil }
    }
    return all
  }

  /// Parses documents, by scenario; a second document of a scenario counts as one that cannot be read.
  private mutating func read(
    _ paths: [String], _ files: MirrorFileSystem, name: String
  ) -> [ScenarioName: MirrorText] {
    var texts: [ScenarioName: MirrorText] = [:]
    for path in paths {
      do {
        let text = try files.document(path, name: name)
        if let other = texts[text.scenario.name] {
          let scenario = text.scenario.name
          unreadable[path] = Unreadable(
            message: "\(name)/\(path): \(name)/\(other.path) is of the scenario \(scenario) too",
            isMissingFile: false)
        } else {
          texts[text.scenario.name] = text
        }
      } catch {
        let isMissingFile = (error as? DocumentError)?.code == .unreadableFile
        unreadable[path] = Unreadable(message: "\(error)", isMissingFile: isMissingFile)
      }
    }
    return texts
  }

  private mutating func note(_ scenario: Scenario, path: String, text: MirrorText?) {
    let isChanged = text.map { $0.scenario != scenario } ?? true
    entries.append(Entry(name: scenario.name, path: path, text: text, isChanged: isChanged))
    if let text, isChanged {
      differences.append(
        MirrorDifference(
          kind: .changed, scenario: scenario.name, path: text.path,
          details: MirrorDifference.details(catalog: scenario, folder: text.scenario)))
    } else if text == nil, unreadable[path] == nil {
      differences.append(
        MirrorDifference(kind: .missing, scenario: scenario.name, path: path, details: []))
    } else if text == nil {
      expectedBodies.formUnion(MirrorDocument(scenario, path: path).bodies.map(\.path))
    }
  }
}
