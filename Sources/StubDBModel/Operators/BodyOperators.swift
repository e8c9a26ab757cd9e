package import Foundation
package import StubDBJSON

/// The operator `binaryEqualTo`.
package struct BinaryOperator: Hashable, Sendable {
  package var bytes: Data
}

extension BinaryOperator: BodyOperator {
  static let name = "binaryEqualTo"
  static let description = "Exactly these bytes, in base64"
  static let schema = ##""$ref": "#/$defs/base64""##

  static func read(
    _ operand: DocumentNode, in object: DocumentNode, _ members: [String: JSONValue]
  ) throws(DocumentError) -> BodyPattern {
    .binaryEqualTo(try operand.base64())
  }

  var members: [(String, DocumentTree)] { [(Self.name, .string(bytes.base64EncodedString()))] }

  func phrase(_ style: any PhraseStyle) -> String {
    style.noun("the \(bytes.count) bytes \(Self.hexadecimal(bytes))")
  }

  /// The first bytes as hexadecimal digits.
  private static func hexadecimal(_ data: Data) -> String {
    data.prefix(32).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      + (data.count > 32 ? "…" : "")
  }
}

extension DocumentNode {
  /// The bytes of a text in base64.
  func base64() throws(DocumentError) -> Data {
    let text = try string()
    guard let data = Data(base64Encoded: text) else {
      throw failure(.invalidValue, "the text is not base64 (RFC 4648 section 4, with padding)")
    }
    return data
  }
}

/// The operator `equalToJson`.
package struct EqualToJSONOperator: Hashable, Sendable {
  package var value: JSONValue
  package var ignoreArrayOrder: Bool
  package var ignoreExtraElements: Bool
}

extension EqualToJSONOperator: BodyOperator {
  static let name = "equalToJson"
  static let options = [
    OperatorOption.flag(
      "ignoreArrayOrder", "With equalToJson: ignore the order of array elements"),
    .flag(
      "ignoreExtraElements",
      "With equalToJson: allow members and elements that are not expected"),
  ]
  static let description = "A JSON value that the content equals"
  static let schema = ""

  static func read(
    _ operand: DocumentNode, in object: DocumentNode, _ members: [String: JSONValue]
  ) throws(DocumentError) -> BodyPattern {
    .equalToJSON(
      operand.value, ignoreArrayOrder: try object.flag("ignoreArrayOrder", of: members),
      ignoreExtraElements: try object.flag("ignoreExtraElements", of: members))
  }

  var members: [(String, DocumentTree)] {
    [(Self.name, .json(value))] + DocumentTree.flag("ignoreArrayOrder", ignoreArrayOrder)
      + DocumentTree.flag("ignoreExtraElements", ignoreExtraElements)
  }

  func phrase(_ style: any PhraseStyle) -> String {
    style.noun("JSON " + style.text(value)) + (ignoreArrayOrder ? ", arrays in any order" : "")
      + (ignoreExtraElements ? ", extra elements allowed" : "")
  }
}

/// The operator `matchesJsonPath`.
package struct JSONPathOperator: Hashable, Sendable {
  package var query: String
  package var pattern: BodyPattern?
}

extension JSONPathOperator: BodyOperator {
  static let name = "matchesJsonPath"
  static let description = "An RFC 9535 query that selects something"
  static let schema = ##""$ref": "#/$defs/jsonPath""##

  static func read(
    _ operand: DocumentNode, in object: DocumentNode, _ members: [String: JSONValue]
  ) throws(DocumentError) -> BodyPattern {
    guard case .object(let members) = operand.value else {
      return .matchesJSONPath(try operand.filledString("the JSONPath"))
    }
    let expression = try operand.object(.jsonPath).required("expression")
    return .matchesJSONPath(
      try expression.filledString("the JSONPath"),
      members.count == 1 ? nil : try operand.bodyPattern(members, besides: ["expression"]))
  }

  var members: [(String, DocumentTree)] {
    guard let pattern else { return [(Self.name, .string(query))] }
    let members = [("expression", DocumentTree.string(query))] + DocumentTree.bodyMembers(pattern)
    return [(Self.name, .object(members))]
  }

  func phrase(_ style: any PhraseStyle) -> String {
    style.plain(query) + " selects "
      + (pattern?.shown(style, selectedBy: query).phrase(style.ofNouns) ?? "something")
  }
}

/// The operator `matchesJsonSchema`.
package struct JSONSchemaOperator: Hashable, Sendable {
  /// The dialect that a document need not name.
  private static let defaultDialect = JSONSchemaDialect.draft202012

  package var schema: JSONValue
  package var dialect: JSONSchemaDialect?
}

extension JSONSchemaOperator: BodyOperator {
  static let name = "matchesJsonSchema"
  static let options = [
    OperatorOption(
      name: "schemaVersion", description: "With matchesJsonSchema: the version of JSON Schema",
      schema: "\"enum\": [\(OperatorOption.words(JSONSchemaDialect.allCases.map(\.rawValue)))], "
        + "\"default\": \"\(defaultDialect.rawValue)\"")
  ]
  static let description = "A JSON Schema that the content satisfies"
  static let schema = #""type": ["object", "boolean"]"#

  static func read(
    _ operand: DocumentNode, in object: DocumentNode, _ members: [String: JSONValue]
  ) throws(DocumentError) -> BodyPattern {
    switch operand.value {
    case .object, .bool: break
    default: throw operand.wrongType("a JSON Schema (an object, true or false)")
    }
    guard members["schemaVersion"] != nil else { return .matchesJSONSchema(operand.value) }
    let dialect: JSONSchemaDialect = try object.member("schemaVersion", of: members)
      .choice("a schema version")
    return .matchesJSONSchema(operand.value, dialect: dialect == defaultDialect ? nil : dialect)
  }

  var members: [(String, DocumentTree)] {
    [(Self.name, .json(schema))]
      + DocumentTree.text(
        "schemaVersion", dialect == Self.defaultDialect ? nil : dialect?.rawValue)
  }

  func phrase(_ style: any PhraseStyle) -> String {
    style.noun("JSON that satisfies the schema " + style.plain(schema.canonicalText))
  }
}

/// The operator `form`.
package struct FormOperator: Hashable, Sendable {
  package var fields: [NamedPattern]
}

extension FormOperator: BodyOperator {
  static let name = "form"
  static let description = "Fields of an application/x-www-form-urlencoded content"
  static let schema = ##""$ref": "#/$defs/namedPatterns""##

  static func read(
    _ operand: DocumentNode, in object: DocumentNode, _ members: [String: JSONValue]
  ) throws(DocumentError) -> BodyPattern {
    .form(try operand.namedPatterns(.form))
  }

  var members: [(String, DocumentTree)] {
    [(Self.name, DocumentTree.named(fields, isCaseSensitive: true))]
  }

  func phrase(_ style: any PhraseStyle) -> String {
    style.noun("a form with " + style.list(fields.map { $0.phrase(style.ofNouns) }))
  }
}

/// The operator `multipart`.
package struct MultipartOperator: Hashable, Sendable {
  package var parts: [PartPattern]
}

extension MultipartOperator: BodyOperator {
  static let name = "multipart"
  static let description =
    "Parts of a multipart/form-data content; each needs a part that satisfies it"
  static let schema = ##""type": "array", "items": {"$ref": "#/$defs/part"}"##

  static func read(
    _ operand: DocumentNode, in object: DocumentNode, _ members: [String: JSONValue]
  ) throws(DocumentError) -> BodyPattern {
    var parts: [PartPattern] = []
    for node in try operand.list("a list of part patterns") {
      let object = try node.object(.part)
      parts.append(
        PartPattern(
          name: try object["name"]?.string(), filename: try object["filename"]?.valuePattern(),
          headers: try object["headers"]?.namedPatterns(.header) ?? [],
          body: try object["body"]?.bodyPatterns() ?? []))
    }
    return .multipart(parts)
  }

  var members: [(String, DocumentTree)] { [(Self.name, .list(parts.map(Self.tree)))] }

  private static func tree(_ part: PartPattern) -> DocumentTree {
    var members = DocumentTree.text("name", part.name)
    if let filename = part.filename { members.append(("filename", DocumentTree.value(filename))) }
    DocumentTree.append("headers", part.headers, isCaseSensitive: false, to: &members)
    DocumentTree.appendBody(part.body, to: &members)
    return .object(members)
  }

  func phrase(_ style: any PhraseStyle) -> String {
    style.noun("multipart with " + style.list(parts.map { $0.phrase(style.ofNouns) }))
  }
}

extension PartPattern {
  /// The pattern in words: `part avatar with filename matches ".+"`.
  package func phrase(_ style: any PhraseStyle) -> String {
    let parts =
      (filename.map { ["filename \($0.phrase(style))"] } ?? [])
      + headers.map { "header " + $0.phrase(style) }
      + body.map { body in
        guard case .value(let value) = body.storage else { return "body " + body.phrase(style) }
        return "body " + style.shown(value, of: name ?? "").phrase(style)
      }
    let title = name.map { "part \(style.plain($0))" } ?? "a part"
    return title + (parts.isEmpty ? "" : " with " + parts.joined(separator: " and "))
  }
}

extension GraphQLPattern: BodyOperator {
  static let name = "graphql"
  static let description = "A GraphQL operation"
  static let schema = ##""$ref": "#/$defs/graphql""##

  static func read(
    _ operand: DocumentNode, in object: DocumentNode, _ members: [String: JSONValue]
  ) throws(DocumentError) -> BodyPattern {
    let object = try operand.object(.graphQL)
    return .graphQL(
      GraphQLPattern(
        operationName: try object["operationName"]?.valuePattern(),
        variables: object["variables"]?.value,
        query: try object["query"]?.filledString("the query")))
  }

  var members: [(String, DocumentTree)] {
    var members: [(String, DocumentTree)] = []
    if let operationName { members.append(("operationName", DocumentTree.value(operationName))) }
    if let variables { members.append(("variables", .json(variables))) }
    members += DocumentTree.text("query", query)
    return [(Self.name, .object(members))]
  }

  func phrase(_ style: any PhraseStyle) -> String {
    style.noun("GraphQL") + (operationName.map { " operation \($0.phrase(style.ofNouns))" } ?? "")
      + (variables.map { " variables \(style.text($0))" } ?? "")
      + (query.map { " query \(style.quoted($0))" } ?? "")
  }
}

extension XMLPattern: BodyOperator {
  static let name = "equalToXml"
  static let options = [
    OperatorOption.flag(
      "enablePlaceholders", "With equalToXml: interpret ${xmlunit.…} placeholders"),
    .flag(
      "ignoreOrderOfSameNode", "With equalToXml: ignore the order of elements with the same name"),
  ]
  static let description = "An XML document that the content equals"
  static let schema = #""type": "string", "minLength": 1"#

  static func read(
    _ operand: DocumentNode, in object: DocumentNode, _ members: [String: JSONValue]
  ) throws(DocumentError) -> BodyPattern {
    .equalToXML(
      XMLPattern(
        try operand.filledString("the XML document"),
        enablePlaceholders: try object.flag("enablePlaceholders", of: members),
        ignoreOrderOfSameNode: try object.flag("ignoreOrderOfSameNode", of: members)))
  }

  var members: [(String, DocumentTree)] {
    [(Self.name, .string(document))] + DocumentTree.flag("enablePlaceholders", enablePlaceholders)
      + DocumentTree.flag("ignoreOrderOfSameNode", ignoreOrderOfSameNode)
  }

  func phrase(_ style: any PhraseStyle) -> String { style.noun("XML " + style.plain(document)) }
}

extension XPathPattern: BodyOperator {
  static let name = "matchesXPath"
  static let description = "An XPath 1.0 expression that selects something"
  static let schema = ##""$ref": "#/$defs/xPath""##

  static func read(
    _ operand: DocumentNode, in object: DocumentNode, _ members: [String: JSONValue]
  ) throws(DocumentError) -> BodyPattern {
    guard case .object(let members) = operand.value else {
      return .matchesXPath(XPathPattern(try operand.filledString("the XPath")))
    }
    let object = try operand.object(.xPath)
    var pattern = XPathPattern(
      try object.required("expression").filledString("the XPath"))
    if let namespaces = object["namespaces"] {
      for (prefix, node) in try namespaces.members("an object of prefixes and namespace URIs") {
        pattern.namespaces[prefix] = try node.filledString("the namespace URI")
      }
    }
    if members.count > 1 + (object.has("namespaces") ? 1 : 0) {
      let name = try operand.mainOperator(
        of: members, .value, besides: ["expression", "namespaces"])
      pattern.value = try operand.valueOperator(name, of: members)
    }
    return .matchesXPath(pattern)
  }

  var members: [(String, DocumentTree)] {
    if namespaces.isEmpty, value == nil { return [(Self.name, .string(expression))] }
    var members = [("expression", DocumentTree.string(expression))]
    if !namespaces.isEmpty {
      members.append(("namespaces", .json(.object(namespaces.mapValues(JSONValue.string)))))
    }
    if let value { members += DocumentTree.valueMembers(value) }
    return [(Self.name, .object(members))]
  }

  func phrase(_ style: any PhraseStyle) -> String {
    style.plain(expression) + " selects "
      + (value.map { style.shown($0, selectedBy: expression).phrase(style.ofNouns) } ?? "something")
  }
}
