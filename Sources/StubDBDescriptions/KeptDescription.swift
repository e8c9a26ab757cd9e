internal import HTTPTypes
package import StubDBJSON
package import StubDBModel

/// What a description of an API says of its requests and answers, compiled so that it is read without YAML and without other files.
///
/// A catalog keeps it as a scenario whose only stub answers no request of a client: so it travels, is listed, compared
/// and merged as every scenario is, and versions that know nothing of descriptions leave it alone.
package struct KeptDescription: Hashable, Sendable {
  /// A parameter of an operation, whose values are texts.
  package struct Parameter: Hashable, Sendable {
    /// `path`, `query`, `header` or `cookie`.
    package var place: String
    package var name: String
    package var isRequired: Bool
    /// JSON Schema 2020-12; nil if texts are not compared with it.
    package var schema: JSONValue?

    package init(place: String, name: String, isRequired: Bool, schema: JSONValue?) {
      (self.place, self.name, self.isRequired, self.schema) = (place, name, isRequired, schema)
    }
  }

  package struct Operation: Hashable, Sendable {
    package var method: String
    /// The path as the description writes it.
    package var path: String
    /// The same behind the base path of each server, in canonical encoding.
    package var paths: [String]
    /// The place in the file, a JSON pointer.
    package var pointer: String
    package var parameters: [Parameter] = []
    /// Whether requests may have query parameters that are not named, such as the members of an object.
    package var allowsAnyQuery = false
    /// Whether every request has content.
    package var requiresContent = false
    /// The schemas of content by media types, `true` for any content; empty if none is described.
    package var content: [String: JSONValue] = [:]
    /// The schemas of JSON answers by `200`, `4XX` or `default`; they refer to the description's definitions.
    package var answers: [String: JSONValue] = [:]

    package init(method: String, path: String, paths: [String], pointer: String) {
      (self.method, self.path, self.paths, self.pointer) = (method, path, paths, pointer)
    }
  }

  /// The name of the file.
  package var file: String
  package var title: String
  /// The hosts of its servers in lower case, sorted; empty for any.
  package var hosts: [String]
  /// In the order of the description; methods and paths are unique.
  package var operations: [Operation]
  /// What the schemas of answers refer to as `#/$defs/NAME`; nil if answers were not kept, because they were too large or
  /// the version of stubdb did not keep them.
  package var definitions: JSONObject?

  package init(
    file: String, title: String, hosts: [String], operations: [Operation],
    definitions: JSONObject? = nil
  ) {
    (self.file, self.title, self.hosts, self.operations) = (file, title, hosts, operations)
    self.definitions = definitions
  }
}

// MARK: - The scenario

extension KeptDescription {
  /// The tag of the scenarios that are descriptions, and the first segment of their names.
  package static let tag = "openapi"
  private static let key = Stub.Key(stringLiteral: "description")
  /// No client sends it.
  private static let method = "OPENAPI"
  /// The form of the JSON.
  private static let version = 1

  /// Whether a scenario keeps a description, which no test plays.
  package static func isKept(in scenario: Scenario) -> Bool {
    isKept(scenario.name, tags: scenario.tags)
      && scenario.stubs.map(\.key) == [key]
      && scenario.stubs[0].request.methods.map(\.rawValue) == [method]
  }

  /// Whether a scenario of this name and with these tags may keep one.
  package static func isKept(_ name: ScenarioName, tags: [String]) -> Bool {
    name.rawValue.hasPrefix("\(tag)/") && tags.contains(tag)
  }

  /// The name of the scenario that keeps the description of a file.
  package var scenarioName: ScenarioName? {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    let text = String(
      stem.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "-" })
    return ScenarioName("\(Self.tag)/\(text)")
  }

  /// The scenario that keeps it.
  ///
  /// - Throws: `DocumentError` for a name of a file that a URL cannot have.
  package func scenario(named name: ScenarioName) throws(DocumentError) -> Scenario {
    var request = try RequestPattern(url: "https://openapi.invalid/\(name.rawValue)")
    request.methods = [Self.method].compactMap { HTTPRequest.Method($0) }
    return Scenario(
      name: name,
      summary: "\(title): requests of \(operations.count) operations, kept from \(file)",
      tags: [Self.tag],
      stubs: [Stub(key: Self.key, request: request, responses: [.json(json)])])
  }

  /// Reads what a scenario keeps; nil if it keeps no description.
  ///
  /// - Throws: ``Failure`` for one of a newer version of stubdb.
  package init?(_ scenario: Scenario) throws(Failure) {
    guard Self.isKept(in: scenario), let body = scenario.stubs[0].responses[0].body,
      case .bytes(let bytes) = body.content, let value = try? JSONValue(parsing: bytes),
      case .object(let object) = value
    else { return nil }
    guard object["requests"] == .number(JSONNumber(Self.version)) else {
      throw Failure(
        description:
          "the description \"\(scenario.name)\" was kept by a newer version of stubdb, or is damaged; keep it "
          + "again: stubdb check --openapi FILE --keep")
    }
    file = object["file"]?.text ?? ""
    title = object["title"]?.text ?? ""
    hosts = object["hosts"]?.elements.compactMap(\.text) ?? []
    operations = object["operations"]?.members.compactMap { Operation($0.key, $0.value) } ?? []
    if case .object(let definitions) = object["definitions"] { self.definitions = definitions }
  }

  /// Reports a description that cannot be read.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }
}

// MARK: - JSON

extension KeptDescription {
  private var json: JSONValue {
    let named = operations.map { ("\($0.method) \($0.path)", $0.json) }
    var members: JSONObject = [
      "requests": .number(JSONNumber(Self.version)), "file": .string(file),
      "title": .string(title), "hosts": .array(hosts.map { .string($0) }),
      "operations": .object(JSONObject(named)),
    ]
    members["definitions"] = definitions.map(JSONValue.object)
    return .object(members)
  }
}

extension KeptDescription.Operation {
  fileprivate var json: JSONValue {
    var members: JSONObject = [
      "at": .string(pointer), "paths": .array(paths.map { .string($0) }),
      "parameters": .array(parameters.map(\.json)),
    ]
    if allowsAnyQuery { members["anyQuery"] = true }
    if requiresContent { members["contentRequired"] = true }
    if !content.isEmpty {
      members["content"] = .object(JSONObject(content.map { ($0.key, $0.value) }))
    }
    if !answers.isEmpty {
      members["answers"] = .object(JSONObject(answers.map { ($0.key, $0.value) }))
    }
    return .object(members)
  }

  fileprivate init?(_ name: String, _ value: JSONValue) {
    let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2, case .object(let object) = value else { return nil }
    self.init(
      method: parts[0], path: parts[1], paths: object["paths"]?.elements.compactMap(\.text) ?? [],
      pointer: object["at"]?.text ?? "")
    parameters = object["parameters"]?.elements.compactMap(KeptDescription.Parameter.init) ?? []
    allowsAnyQuery = object["anyQuery"] == true
    requiresContent = object["contentRequired"] == true
    for (type, schema) in object["content"]?.members ?? [] { content[type] = schema }
    for (status, schema) in object["answers"]?.members ?? [] { answers[status] = schema }
  }
}

extension KeptDescription.Parameter {
  fileprivate var json: JSONValue {
    var members: JSONObject = ["in": .string(place), "name": .string(name)]
    if isRequired { members["required"] = true }
    members["schema"] = schema
    return .object(members)
  }

  fileprivate init?(_ value: JSONValue) {
    guard case .object(let object) = value, let place = object["in"]?.text,
      let name = object["name"]?.text
    else { return nil }
    self.init(
      place: place, name: name, isRequired: object["required"] == true, schema: object["schema"])
  }
}

extension JSONValue {
  /// Sorted by name, as canonical text has them.
  fileprivate var members: [(key: String, value: JSONValue)] {
    guard case .object(let members) = self else { return [] }
    return members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
