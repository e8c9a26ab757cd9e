public import Foundation
package import StubDBJSON
public import StubDBModel

/// The text form of a scenario: JSON, decoded strictly and encoded in one canonical form.
///
/// Short forms have one meaning each, and each meaning has one canonical text:
///
/// | in a document | means |
/// |---|---|
/// | `url` | short for `scheme`, `host`, `port`, `path`, and required `query` parameters; written wherever there is a path and either scheme and literal host or none of scheme, host, port |
/// | a part beside `url` | an error unless it says the same; so is a query parameter in both |
/// | a name repeated in the query of `url` | exactly these values |
/// | a fragment or user information in `url` | an error |
/// | `method` | one method or a list, sorted when written; left out for any method |
/// | a string as a pattern | `equalTo`; in `path` a template with `{name}` and `**` |
/// | a list as a pattern | `hasExactly` |
/// | a list as `body` | every pattern must match; `and`, `or`, `not` in a body take body patterns |
/// | `file` | read once: becomes `text` if it is UTF-8 without NUL, else `base64`; never written |
/// | `error` as a string | a `URLError` name in `NSURLErrorDomain` without user information |
/// | a time | a number and `us`, `ms`, `s` or `min`; written in the largest unit in which it is whole |
/// | a response without content for its `error` | `status`, `headers` and content need `afterBytes` |
/// | `$schema` | allowed at the top for editors, ignored, never written |
///
/// Canonical text is indented by two spaces a level and ends in one newline. Keys are in the order of the JSON Schema,
/// names of parameters and JSON content are sorted, defaults are omitted, and a list of strings is on one line if that
/// is at most 80 characters long.
public enum ScenarioDocument {
  /// The JSON Schema (2020-12) of a document, as text with a trailing newline.
  public static var schema: String { DocumentSchema.text }

  /// Decodes one scenario.
  ///
  /// - Parameters:
  ///   - text: JSON text in UTF-8.
  ///   - file: The name of the text in errors, such as its path; nil for none.
  ///   - readFile: Reads the file that `file` in a response names, a path relative to the document; by default it
  ///   throws.
  /// - Returns: The scenario. Includes are names; whether they exist is not checked.
  /// - Throws: ``DocumentError`` for the first error.
  public static func decode(
    _ text: Data, file: String? = nil,
    readFile: @escaping (String) throws -> Data = refuseFile
  ) throws(DocumentError) -> Scenario {
    try DocumentNode.reading(text, file: file, rules: WholeDocument(readFile: readFile)) {
      (root) throws(DocumentError) in
      try root.withoutSchemaKey().scenario()
    }
  }

  /// Decodes a scenario, a list of scenarios, a stub, or a list of stubs.
  ///
  /// An object with `scenario` or `stubs` is a scenario, any other object is a stub. The first element of a list
  /// decides for the list. An empty list is an error.
  ///
  /// Parameters and errors are those of ``decode(_:file:readFile:)``.
  package static func decodeStubs(
    _ text: Data, file: String? = nil,
    readFile: @escaping (String) throws -> Data = refuseFile
  ) throws(DocumentError) -> DocumentContent {
    try DocumentNode.reading(text, file: file, rules: WholeDocument(readFile: readFile)) {
      (root) throws(DocumentError) in
      try root.content()
    }
  }

  /// The canonical text of a scenario, with a trailing newline.
  ///
  /// Bodies must be in memory: one that was left in its catalog is encoded as a `file` named by its digest, which
  /// ``decode(_:file:readFile:)`` rejects.
  public static func encode(_ scenario: Scenario) -> String {
    OrderedJSON.scenario(scenario).text
  }

  /// The canonical text of a stub as in a document, with a trailing newline.
  public static func encode(_ stub: Stub) -> String {
    OrderedJSON.stub(stub).text
  }

  /// Throws; the default for texts without a folder.
  public static func refuseFile(_ path: String) throws -> Data {
    throw DocumentError(
      .unreadableFile, message: "files cannot be read here; use \"text\" or \"base64\"")
  }
}

extension DocumentNode {
  /// The document without the key that names a schema for editors.
  fileprivate func withoutSchemaKey() throws(DocumentError) -> DocumentNode {
    guard case .object(var members) = value, members["$schema"] != nil else { return self }
    _ = try member("$schema", of: members).string()
    members["$schema"] = nil
    return DocumentNode(value: .object(members), place: place, context: context)
  }

  func content() throws(DocumentError) -> DocumentContent {
    switch value {
    case .object(let members):
      return Self.isScenario(members)
        ? .scenarios([try withoutSchemaKey().scenario()]) : .stubs([try stub()])
    case .array:
      let nodes = try list("a list")
      guard let first = nodes.first else {
        throw failure(.invalidValue, "the list is empty; give scenarios or stubs")
      }
      guard case .object(let members) = first.value, Self.isScenario(members) else {
        return .stubs(try stubs())
      }
      return .scenarios(try scenarios(nodes))
    default:
      throw wrongType("a scenario, a stub, or a list of either")
    }
  }

  private static func isScenario(_ members: JSONObject) -> Bool {
    members["scenario"] != nil || members["stubs"] != nil
  }

  private func scenarios(_ nodes: [DocumentNode]) throws(DocumentError) -> [Scenario] {
    var scenarios: [Scenario] = []
    var names: Set<ScenarioName> = []
    for node in nodes {
      let scenario = try node.withoutSchemaKey().scenario()
      if !names.insert(scenario.name).inserted {
        throw node.failure(.duplicate, "the scenario \"\(scenario.name)\" is in the list twice")
      }
      scenarios.append(scenario)
    }
    return scenarios
  }
}

/// The content of a text for `stubdb add --file`.
package enum DocumentContent: Hashable, Sendable {
  /// One or several whole scenarios, in order; their names are unique.
  case scenarios([Scenario])
  /// One or several stubs that belong to no scenario yet, in order; their keys are unique.
  case stubs([Stub])
}

extension ScenarioDocument {
  /// The place in the text of a document of what its scenario has at a place: events became chunks, and files contents.
  package static func place(_ pointer: JSONPointer, in text: Data) -> JSONPointer {
    let tokens = pointer.tokens
    func has(_ tokens: [String]) -> Bool {
      JSONPlaceFinder.offset(of: JSONPointer(tokens), in: text) != nil
    }
    guard !has(tokens) else { return pointer }
    if let index = tokens.firstIndex(of: "chunks"), index + 1 < tokens.count {
      let event = tokens[..<index] + ["events", tokens[index + 1]]
      // Which of its fields it was is not known.
      let fields = ["event", "id", "data", "json"].filter { has(event + [$0]) }
      if has(Array(event)) { return JSONPointer(event + (fields.count == 1 ? fields : [])) }
    }
    let file = tokens.dropLast() + ["file"]
    return has(Array(file)) ? JSONPointer(Array(file)) : pointer
  }
}
