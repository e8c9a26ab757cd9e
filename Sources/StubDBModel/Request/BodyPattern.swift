public import Foundation
public import StubDBJSON

/// What the content of a request must satisfy.
///
/// An operator of a body, or one of a value on the content as text. Operator names and meanings are WireMock's.
/// https://wiremock.org/docs/request-matching/
public struct BodyPattern: Hashable, Sendable {
  /// What the pattern is made of.
  package let storage: Storage

  /// The operators; a new one is a case here and an entry in `BodyOperators.swift`.
  package indirect enum Storage: Hashable, Sendable {
    case value(ValuePattern)
    case and([BodyPattern])
    case or([BodyPattern])
    case not(BodyPattern)
    case binaryEqualTo(BinaryOperator)
    case equalToJSON(EqualToJSONOperator)
    case matchesJSONPath(JSONPathOperator)
    case matchesJSONSchema(JSONSchemaOperator)
    case form(FormOperator)
    case multipart(MultipartOperator)
    case graphQL(GraphQLPattern)
    case equalToXML(XMLPattern)
    case matchesXPath(XPathPattern)
  }

  package init(_ storage: Storage) {
    self.storage = storage
  }
}

extension BodyPattern {
  /// A value pattern on the content as UTF-8 text; an empty body is an absent value.
  ///
  /// `and`, `or` and `not` become those of body patterns, which mean the same.
  public static func value(_ pattern: ValuePattern) -> BodyPattern {
    switch pattern.operator {
    case .and: .and(pattern.patterns.map(BodyPattern.value))
    case .or: .or(pattern.patterns.map(BodyPattern.value))
    case .not: pattern.patterns.first.map { .not(.value($0)) } ?? BodyPattern(.value(pattern))
    default: BodyPattern(.value(pattern))
    }
  }

  /// The very bytes.
  public static func binaryEqualTo(_ bytes: Data) -> BodyPattern {
    BodyPattern(.binaryEqualTo(BinaryOperator(bytes: bytes)))
  }

  /// A JSON value that the content equals.
  public static func equalToJSON(
    _ value: JSONValue, ignoreArrayOrder: Bool = false, ignoreExtraElements: Bool = false
  ) -> BodyPattern {
    BodyPattern(
      .equalToJSON(
        EqualToJSONOperator(
          value: value, ignoreArrayOrder: ignoreArrayOrder,
          ignoreExtraElements: ignoreExtraElements)))
  }

  /// An RFC 9535 query that selects something, or something that satisfies the pattern.
  public static func matchesJSONPath(
    _ query: String, _ pattern: BodyPattern? = nil
  ) -> BodyPattern {
    BodyPattern(.matchesJSONPath(JSONPathOperator(query: query, pattern: pattern)))
  }

  /// A JSON Schema that the content satisfies; if `dialect` is nil, the `$schema` of the schema decides, and without
  /// that it is 2020-12.
  public static func matchesJSONSchema(
    _ schema: JSONValue, dialect: JSONSchemaDialect? = nil
  ) -> BodyPattern {
    BodyPattern(.matchesJSONSchema(JSONSchemaOperator(schema: schema, dialect: dialect)))
  }

  /// Fields of an `application/x-www-form-urlencoded` content, sorted by name.
  public static func form(_ fields: [NamedPattern]) -> BodyPattern {
    BodyPattern(.form(FormOperator(fields: NamedPattern.sorted(fields))))
  }

  /// Parts of a `multipart/form-data` content, in order; each needs a part that satisfies it.
  public static func multipart(_ parts: [PartPattern]) -> BodyPattern {
    BodyPattern(.multipart(MultipartOperator(parts: parts)))
  }

  /// A GraphQL operation.
  public static func graphQL(_ operation: GraphQLPattern) -> BodyPattern {
    BodyPattern(.graphQL(operation))
  }

  /// An XML document that the content equals.
  public static func equalToXML(_ document: XMLPattern) -> BodyPattern {
    BodyPattern(.equalToXML(document))
  }

  /// An XPath that selects something, or something that satisfies the pattern.
  public static func matchesXPath(_ path: XPathPattern) -> BodyPattern {
    BodyPattern(.matchesXPath(path))
  }

  /// Every pattern matches; empty matches everything.
  public static func and(_ patterns: [BodyPattern]) -> BodyPattern { BodyPattern(.and(patterns)) }

  /// At least one pattern matches.
  public static func or(_ patterns: [BodyPattern]) -> BodyPattern { BodyPattern(.or(patterns)) }

  /// The pattern does not match.
  public static func not(_ pattern: BodyPattern) -> BodyPattern { BodyPattern(.not(pattern)) }
}

/// A pattern for one part of `multipart/form-data` content.
///
/// https://www.rfc-editor.org/rfc/rfc7578
public struct PartPattern: Hashable, Sendable {
  /// The name of the part; nil matches any.
  public var name: String?
  /// The pattern for the file name; nil matches any.
  public var filename: ValuePattern?
  /// The patterns for the part's header fields, always sorted by name, ignoring case.
  public var headers: [NamedPattern] {
    didSet { headers = NamedPattern.sortedIgnoringCase(headers) }
  }
  /// The patterns for the part's content, all of which must match.
  public var body: [BodyPattern]

  /// Makes a part pattern; header patterns are sorted by name.
  public init(
    name: String? = nil, filename: ValuePattern? = nil, headers: [NamedPattern] = [],
    body: [BodyPattern] = []
  ) {
    self.name = name
    self.filename = filename
    self.headers = NamedPattern.sortedIgnoringCase(headers)
    self.body = body
  }
}

/// A pattern for a GraphQL request; every part that is given must match.
///
/// https://graphql.org/learn/serving-over-http/
public struct GraphQLPattern: Hashable, Sendable {
  /// The pattern for the operation's name; nil matches any.
  public var operationName: ValuePattern?
  /// The variables, compared as JSON; nil matches any.
  public var variables: JSONValue?
  /// The query, compared without insignificant white space; nil matches any.
  public var query: String?

  /// Makes a GraphQL pattern.
  public init(
    operationName: ValuePattern? = nil, variables: JSONValue? = nil, query: String? = nil
  ) {
    self.operationName = operationName
    self.variables = variables
    self.query = query
  }
}

/// An XML document to compare with, and the options of the comparison.
public struct XMLPattern: Hashable, Sendable {
  /// The document.
  public var document: String
  /// Whether `${xmlunit.…}` placeholders in the document are honoured; false by default.
  public var enablePlaceholders: Bool
  /// Whether elements of one name may be in any order; false by default.
  public var ignoreOrderOfSameNode: Bool

  /// Makes an XML pattern.
  public init(
    _ document: String, enablePlaceholders: Bool = false, ignoreOrderOfSameNode: Bool = false
  ) {
    self.document = document
    self.enablePlaceholders = enablePlaceholders
    self.ignoreOrderOfSameNode = ignoreOrderOfSameNode
  }
}

/// An XPath expression, its namespaces, and a pattern for the selected value.
public struct XPathPattern: Hashable, Sendable {
  /// The expression, XPath 1.0.
  public var expression: String
  /// Namespace URIs by the prefix that the expression uses.
  public var namespaces: [String: String]
  /// The pattern for the selected text; nil if it suffices that something is selected.
  public var value: ValuePattern?

  /// Makes an XPath pattern.
  public init(
    _ expression: String, namespaces: [String: String] = [:], value: ValuePattern? = nil
  ) {
    self.expression = expression
    self.namespaces = namespaces
    self.value = value
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
