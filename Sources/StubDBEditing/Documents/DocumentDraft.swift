package import Foundation
package import StubDBCatalog
package import StubDBCatalogEditing
internal import StubDBDocuments
internal import StubDBJobs
package import StubDBModel

/// A document in a temporary file that the user edits.
package struct DocumentDraft {
  /// The file, named after the scenario because editors show the name.
  package let file: URL
  private let folder: URL
  private let name: ScenarioName
  private let known: [Stub]
  private let catalog: URL

  /// Writes the document to a new temporary folder that only the user can read.
  ///
  /// The commands to type next work on `catalog`. Problems of stubs among `known` are not reported.
  package init(_ scenario: Scenario, known: [Stub], of catalog: Catalog) throws {
    try self.init(ScenarioDocument.encode(scenario), scenario.name, known: known, of: catalog)
  }

  /// The same for the document of a stub.
  package init(_ stub: Stub, in name: ScenarioName, of catalog: Catalog) throws {
    try self.init(ScenarioDocument.encode(stub), name, known: [], of: catalog)
  }

  private init(
    _ text: String, _ name: ScenarioName, known: [Stub], of catalog: Catalog
  ) throws {
    (self.name, self.known) = (name, known)
    self.catalog = catalog.url
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("stubdb-edit-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let fileName = name.rawValue.replacing("/", with: "-")
    file = folder.appendingPathComponent("\(fileName).json")
    try Data(text.utf8).write(to: file)
  }

  /// Parses the edited file.
  ///
  /// Bodies in files are read from the current folder, and from elsewhere only if `allowsOutside`.
  /// - Throws: `DocumentError` with line and place, or `JobError` if there are several or the name was changed.
  package func scenario(allowsOutside: Bool = false) throws -> CheckedScenario {
    let (checked, text) = try decoded(allowsOutside) { text, readFile throws(DocumentError) in
      try CheckedScenario(text, file: file.path, readFile: readFile)
    }
    let scenario = checked.scenario
    guard scenario.name == name else {
      let names = [name.rawValue, scenario.name.rawValue]
      throw JobError(
        .refused,
        "\(file.path): /scenario: the document now says \(scenario.name), and edit does not rename",
        hints: ["To rename it: \(command: "rename", on: names, catalog: catalog)"])
    }
    try DocumentText(text, file: file.path).require(checked, besides: known)
    return checked
  }

  /// Parses the edited file of a stub, which may hold several or none.
  package func stubs(allowsOutside: Bool = false) throws -> [CheckedStub] {
    let (content, text) = try decoded(allowsOutside) { text, readFile throws(DocumentError) in
      try CheckedContent(text, file: file.path, readFile: readFile)
    }
    switch content {
    case .stubs(let stubs):
      try DocumentText(text, file: file.path).require(stubs, in: name)
      return stubs
    case .scenarios([]): return []
    case .scenarios:
      throw JobError(
        .refused, "\(file.path): it holds a scenario, and a stub or a list of stubs is asked for")
    }
  }

  private func decoded<Content>(
    _ allowsOutside: Bool,
    _ decode: (Data, @escaping (String) throws -> Data) throws(DocumentError) -> Content
  ) throws -> (Content, text: Data) {
    let text = try DocumentSource.data(at: file, named: file.path)
    let readFile = { (path: String) throws -> Data in
      try DocumentSource.bytes(
        of: path, from: DocumentSource.currentFolder, allowsOutside: allowsOutside)
    }
    do {
      return (try decode(text, readFile), text)
    } catch {
      throw DocumentSource.withFurtherMistakes(error, in: text, readFile: readFile)
    }
  }

  /// Removes the file and its folder.
  package func discard() {
    // The system removes what may be left in the temporary folder.
    try? FileManager.default.removeItem(at: folder)
  }
}
