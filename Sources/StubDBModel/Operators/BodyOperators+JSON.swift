public import StubDBJSON
package import StubDBSupport

/// The operator `equalToJson`.
package struct EqualToJSONOperator: Hashable, Sendable {
  package var value: JSONValue
  package var ignoreArrayOrder: Bool
  package var ignoreExtraElements: Bool
}

extension EqualToJSONOperator: BodyOperator {
  package static let name = "equalToJson"
  package static let operand = BodyOperand.json
  package static let options = ["ignoreArrayOrder", "ignoreExtraElements"]

  package static func read(
    _ operand: DocumentNode, in object: DocumentNode, _ members: JSONObject
  ) throws(DocumentError) -> BodyPattern {
    .equalToJSON(
      operand.value, ignoreArrayOrder: try object.flag("ignoreArrayOrder", of: members),
      ignoreExtraElements: try object.flag("ignoreExtraElements", of: members))
  }

  package func phrase(_ style: PhraseStyle) -> String {
    style.noun("JSON " + style.text(value)) + (ignoreArrayOrder ? ", arrays in any order" : "")
      + (ignoreExtraElements ? ", extra elements allowed" : "")
  }
}

/// The operator `matchesJsonPath`.
package struct JSONPathOperator: Hashable, Sendable {
  @ByBytes package var query: String
  package var pattern: BodyPattern?
}

extension JSONPathOperator: BodyOperator {
  package static let name = "matchesJsonPath"

  package static func read(
    _ operand: DocumentNode, in object: DocumentNode, _ members: JSONObject
  ) throws(DocumentError) -> BodyPattern {
    guard case .object(let members) = operand.value else {
      return .matchesJSONPath(try operand.filledString("the JSONPath"))
    }
    let expression = try operand.object(.jsonPath).required("expression")
    return .matchesJSONPath(
      try expression.filledString("the JSONPath"),
      members.count == 1 ? nil : try operand.bodyPattern(members, besides: ["expression"]))
  }

  package func phrase(_ style: PhraseStyle) -> String {
    style.plain(query) + " selects "
      + (pattern?.shown(style, selectedBy: query).phrase(style.ofNouns) ?? "something")
  }
}

/// The operator `matchesJsonSchema`.
package struct JSONSchemaOperator: Hashable, Sendable {
  /// The dialect that a document need not name.
  package static let defaultDialect = JSONSchemaDialect.draft202012

  package var schema: JSONValue
  package var dialect: JSONSchemaDialect?
}

extension JSONSchemaOperator: BodyOperator {
  package static let name = "matchesJsonSchema"
  package static let operand = BodyOperand.json
  package static let options = ["schemaVersion"]

  package static func read(
    _ operand: DocumentNode, in object: DocumentNode, _ members: JSONObject
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

  package func phrase(_ style: PhraseStyle) -> String {
    style.noun("JSON that satisfies the schema " + style.plain(schema.canonicalText))
  }
}

extension BodyPattern {
  /// A JSON value that the content equals.
  public static func equalToJSON(
    _ value: JSONValue, ignoreArrayOrder: Bool = false, ignoreExtraElements: Bool = false
  ) -> BodyPattern {
    BodyPattern(
      EqualToJSONOperator(
        value: value, ignoreArrayOrder: ignoreArrayOrder, ignoreExtraElements: ignoreExtraElements))
  }

  /// An RFC 9535 query that selects something, or something that satisfies the pattern.
  public static func matchesJSONPath(
    _ query: String, _ pattern: BodyPattern? = nil
  ) -> BodyPattern {
    BodyPattern(JSONPathOperator(query: query, pattern: pattern))
  }

  /// A JSON Schema that the content satisfies; if `dialect` is nil, the `$schema` of the schema decides, and without
  /// that it is 2020-12.
  public static func matchesJSONSchema(
    _ schema: JSONValue, dialect: JSONSchemaDialect? = nil
  ) -> BodyPattern {
    BodyPattern(JSONSchemaOperator(schema: schema, dialect: dialect))
  }
}

/// A version of JSON Schema.
public struct JSONSchemaDialect: RawRepresentable, Hashable, Sendable, CaseIterable {
  package let kind: JSONSchema.Dialect

  private init(_ kind: JSONSchema.Dialect) { self.kind = kind }

  /// Draft 7. https://json-schema.org/draft-07
  public static let draft07 = JSONSchemaDialect(.draft07)
  /// Draft 2020-12. https://json-schema.org/draft/2020-12
  public static let draft202012 = JSONSchemaDialect(.draft202012)

  /// All of this version; later ones may add others.
  public static var allCases: [JSONSchemaDialect] {
    JSONSchema.Dialect.allCases.map(JSONSchemaDialect.init)
  }

  /// The word in a document.
  public var rawValue: String { kind.rawValue }

  /// The one with this word; nil for a word that this version does not know.
  public init?(rawValue: String) {
    guard let kind = JSONSchema.Dialect(rawValue: rawValue) else { return nil }
    self.kind = kind
  }
}
