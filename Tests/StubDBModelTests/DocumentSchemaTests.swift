import Foundation
import StubDBDocuments
import StubDBJSON
import StubDBModel
import Testing

/// The JSON Schema and the decoder have the same keys, in the same order.
struct DocumentSchemaTests {
  let schema: JSONValue
  let text: Data

  init() throws {
    text = Data(DocumentSchema.text.utf8)
    schema = try JSONValue(parsing: text)
  }

  @Test func theTextInTheBinaryIsTheFileInDocs() throws {
    let url = DocumentTable.root.appending(path: "docs/stubdb.schema.json")
    #expect(try Data(contentsOf: url) == text, "run scripts/embed-files")
  }

  @Test(arguments: [
    (DocumentObjectKind.stub, "/$defs/stub"), (.request, "/$defs/request"),
    (.basicAuth, "/$defs/basicAuth"), (.response, "/$defs/response"),
    (.delay, "/$defs/delay/oneOf/1"), (.lognormal, "/$defs/lognormal"),
    (.chunks, "/$defs/chunks/oneOf/0"), (.piece, "/$defs/piece"), (.event, "/$defs/event"),
    (.webSocket, "/$defs/webSocket"), (.frame, "/$defs/frame"), (.message, "/$defs/message"),
    (.callback, "/$defs/callback"), (.callbackRequest, "/$defs/callbackRequest"),
    (.error, "/$defs/error/oneOf/1"), (.flow, "/$defs/flow"), (.part, "/$defs/part"),
    (.graphQL, "/$defs/graphql"), (.resource, "/$defs/resource"),
    (.resourceID, "/$defs/resourceID"), (.page, "/$defs/page"),
  ])
  func objectsHaveTheSameKeysInTheSameOrder(kind: DocumentObjectKind, place: String) throws {
    #expect(try properties(at: place) == kind.keys)
    #expect(value(at: place + "/additionalProperties") == false)
  }

  @Test func theDocumentHasTheSameKeysBesidesTheSchemaItself() throws {
    #expect(try properties(at: "") == ["$schema"] + DocumentObjectKind.scenario.keys)
    #expect(value(at: "/additionalProperties") == false)
  }

  @Test func patternsHaveTheSameOperatorsAndOptions() throws {
    let text = try properties(at: "/$defs/textOperators")
    let value = try text + properties(at: "/$defs/valueOperators")
    let body = try text + properties(at: "/$defs/bodyOperators")
    #expect(value == DocumentOperators.value.keys)
    #expect(body == DocumentOperators.body.keys)
    #expect(
      try properties(at: "/$defs/jsonPath/oneOf/1") + body == DocumentObjectKind.jsonPath.keys)
    #expect(try properties(at: "/$defs/xPath/oneOf/1") + value == DocumentObjectKind.xPath.keys)
    #expect(required(at: "/$defs/oneValueOperator/oneOf") == DocumentOperators.value.names)
    #expect(required(at: "/$defs/oneBodyOperator/oneOf") == DocumentOperators.body.names)
  }

  @Test(arguments: DocumentOperators.body.keys)
  func operatorsAndOptionsAreDocumented(name: String) throws {
    let url = DocumentTable.root.appending(path: "docs/matching.md")
    let text = try String(contentsOf: url, encoding: .utf8)
    #expect(text.contains("`\(name)`") || text.contains("\"\(name)\""), "docs/matching.md lacks it")
  }

  @Test(arguments: [
    ("/$defs/stub/properties/then/enum", AfterLastResponse.allCases.map(\.rawValue)),
    ("/$defs/response/properties/fault/enum", ResponseFault.allCases.map(\.rawValue)),
    (
      "/$defs/response/properties/throttle/anyOf/0/enum", NetworkProfile.allCases.map(\.rawValue)
    ),
    (
      "/$defs/webSocket/properties/otherwise/enum",
      WebSocketScript.Otherwise.allCases.map(\.rawValue)
    ),
    ("/$defs/frame/properties/fault/enum", WebSocketScript.Frame.faults.map(\.rawValue)),
    ("/$defs/truncation/enum", DatePattern.Truncation.allCases.map(\.rawValue)),
    (
      "/$defs/textOperators/properties/expectedOffsetUnit/enum",
      DatePattern.Unit.allCases.map(\.rawValue)
    ),
    (
      "/$defs/bodyOperators/properties/schemaVersion/enum",
      JSONSchemaDialect.allCases.map(\.rawValue)
    ),
  ])
  func choicesHaveTheSameWords(place: String, words: [String]) {
    #expect(strings(value(at: place)) == words)
  }

  @Test func errorsHaveTheSameNames() {
    #expect(
      strings(value(at: "/$defs/error/oneOf/0/enum")).sorted() == URLErrorNames.codes.keys.sorted())
  }

  @Test func everyReferenceIsDefinedAndEveryDefinitionIsUsed() throws {
    guard case .object(let definitions)? = value(at: "/$defs") else {
      Issue.record("the schema has no $defs")
      return
    }
    var references: Set<String> = []
    collectReferences(schema, into: &references)
    #expect(references == Set(definitions.keys.map { "#/$defs/\($0)" }))
  }

  @Test(arguments: [
    (["/$defs/request"], RequestPart.all.map(\.rawValue)),
    (["/$defs/response"], ResponsePart.all.map(\.rawValue)),
    (["/$defs/textOperators", "/$defs/valueOperators"], ValueOperator.allCases.map(\.rawValue)),
    (["/$defs/textOperators", "/$defs/valueOperators"], DocumentOperators.value.keys),
    (["/$defs/textOperators", "/$defs/bodyOperators"], BodyPattern.operators.map { $0.name }),
    (["/$defs/textOperators", "/$defs/bodyOperators"], DocumentOperators.body.keys),
    (["/$defs/stub"], DocumentObjectKind.stub.keys), ([""], DocumentObjectKind.scenario.keys),
  ])
  func everyPartAndOperatorIsDescribed(places: [String], names: [String]) {
    for name in names {
      let description = places.compactMap { value(at: "\($0)/properties/\(name)/description") }
      #expect(strings(.array(description)).map(\.isEmpty) == [false], "\(name)")
    }
  }

  @Test func optionsGoWithTheSameOperators() {
    let operators = DocumentOperators.body
    for option in operators.keys where !operators.names.contains(option) {
      let needed = ["textOperators", "bodyOperators"].flatMap { definition in
        strings(value(at: "/$defs/\(definition)/dependentRequired/\(option)"))
          + required(at: "/$defs/\(definition)/dependentSchemas/\(option)/anyOf")
      }
      #expect(
        needed.filter(operators.names.contains) == operators.operators(having: option),
        "\(option)")
    }
  }

  /// The names of the properties in the order of the text.
  private func properties(at place: String) throws -> [String] {
    guard case .object(let members)? = value(at: place + "/properties") else { return [] }
    let pointer = pointer(place + "/properties")
    return try members.keys
      .map { ($0, try #require(JSONPlaceFinder.offset(of: pointer.appending($0), in: text))) }
      .sorted { $0.1 < $1.1 }
      .map(\.0)
  }

  private func required(at place: String) -> [String] {
    guard case .array(let branches)? = value(at: place) else { return [] }
    return branches.flatMap { branch -> [String] in
      guard case .object(let members) = branch else { return [] }
      return strings(members["required"])
    }
  }

  private func pointer(_ text: String) -> JSONPointer {
    JSONPointer(text.split(separator: "/").map(String.init))
  }

  private func value(at place: String) -> JSONValue? {
    pointer(place).tokens.reduce(schema as JSONValue?) { value, token in
      switch value {
      case .object(let members): members[token]
      case .array(let elements): Int(token).flatMap { $0 < elements.count ? elements[$0] : nil }
      default: nil
      }
    }
  }

  private func strings(_ value: JSONValue?) -> [String] {
    guard case .array(let elements)? = value else { return [] }
    return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  private func collectReferences(_ value: JSONValue, into references: inout Set<String>) {
    switch value {
    case .array(let elements):
      for element in elements { collectReferences(element, into: &references) }
    case .object(let members):
      if case .string(let reference)? = members["$ref"] { references.insert(reference) }
      for member in members.values { collectReferences(member, into: &references) }
    default: break
    }
  }
}
