import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBEditing
import StubDBEngine
import StubDBModel
import StubDBPublishing
import StubDBSupport

/// A document in a temporary file that the user edits.
struct DocumentDraft {
  /// The file, named after the scenario because editors show the name.
  let file: URL
  private let folder: URL
  private let name: ScenarioName
  private let known: [Stub]
  private let catalog: URL

  /// Writes the document to a new temporary folder that only the user can read.
  ///
  /// The commands to type next work on `catalog`. Problems of stubs among `known` are not reported.
  init(_ scenario: Scenario, known: [Stub], of catalog: Catalog) throws {
    try self.init(ScenarioDocument.encode(scenario), scenario.name, known: known, of: catalog)
  }

  /// The same for the document of a stub.
  init(_ stub: Stub, in name: ScenarioName, of catalog: Catalog) throws {
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
  /// - Throws: `DocumentError` with line and place, or ``CommandError`` if there are several or the name was changed.
  func scenario(allowsOutside: Bool = false) throws -> CheckedScenario {
    let (checked, text) = try decoded(allowsOutside) { text, readFile throws(DocumentError) in
      try CheckedScenario(text, file: file.path, readFile: readFile)
    }
    let scenario = checked.scenario
    guard scenario.name == name else {
      let rename = FollowUp.command(
        "rename", on: [name.rawValue, scenario.name.rawValue], catalog: catalog)
      throw CommandError(
        "\(file.path): /scenario: the document now says \(scenario.name), and edit does not rename",
        hints: ["To rename it: \(rename)"])
    }
    try DocumentText(text, file: file.path).require(checked, besides: known)
    return checked
  }

  /// Parses the edited file of a stub, which may hold several or none.
  func stubs(allowsOutside: Bool = false) throws -> [CheckedStub] {
    let (content, text) = try decoded(allowsOutside) { text, readFile throws(DocumentError) in
      try CheckedContent(text, file: file.path, readFile: readFile)
    }
    switch content {
    case .stubs(let stubs):
      try DocumentText(text, file: file.path).require(stubs, in: name)
      return stubs
    case .scenarios([]): return []
    case .scenarios:
      throw CommandError(
        "\(file.path): it holds a scenario, and a stub or a list of stubs is asked for")
    }
  }

  private func decoded<Content>(
    _ allowsOutside: Bool,
    _ decode: (Data, @escaping (String) throws -> Data) throws(DocumentError) -> Content
  ) throws -> (Content, text: Data) {
    let text = try DocumentSource.data(at: file, named: file.path)
    let readFile = { (path: String) throws -> Data in
      try DocumentSource.bytes(
        of: path, from: CatalogLocator().currentFolder, allowsOutside: allowsOutside)
    }
    do {
      return (try decode(text, readFile), text)
    } catch {
      throw DocumentSource.withFurtherMistakes(error, in: text, readFile: readFile)
    }
  }

  /// Removes the file and its folder.
  func discard() {
    // The system removes what may be left in the temporary folder.
    try? FileManager.default.removeItem(at: folder)
  }
}

/// The user's editor: `$VISUAL`, else `$EDITOR`, else `vi`.
struct TextEditor {
  /// The command for the shell, such as `code --wait`.
  let command: String

  /// Finds the editor.
  ///
  /// - Throws: ``CommandError`` if none is set and there is no terminal for `vi`.
  init(environment: [String: String] = ProcessInfo.processInfo.environment) throws {
    let chosen = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty }
    guard let command = chosen ?? (Terminal.canAsk ? "vi" : nil) else {
      throw CommandError(
        "no editor is chosen, and there is no terminal to open vi on",
        hints: [
          "To choose one: export EDITOR='code --wait'",
          "To change single things without one: \(FollowUp.program) set",
        ])
    }
    self.command = command
  }

  /// Opens a file and waits until the editor ends.
  ///
  /// - Throws: ``CommandError`` if the editor cannot be run or fails, or removes the file.
  func edit(_ file: URL) throws {
    // system(3), not Process: on Linux Foundation puts the child into a process group of its own,
    // and an editor in the background of its terminal is stopped at its first read.
    let status = system("\(command) \(ShellWord.quoted(file.path))")
    let exited = status & 0x7F == 0
    guard exited, (status >> 8) & 0xFF == 0 else {
      throw CommandError(
        "the editor '\(command)' ended with an error, so nothing was changed",
        hints: ["It is taken from $VISUAL or $EDITOR; to choose another: export EDITOR=nano"])
    }
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw CommandError(
        "the editor '\(command)' removed the file that it was to change, so nothing was changed",
        hints: ["It is taken from $VISUAL or $EDITOR; to choose another: export EDITOR=nano"])
    }
  }
}
