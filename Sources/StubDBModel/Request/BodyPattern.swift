public import Foundation
public import StubDBJSON

/// What the content of a request must satisfy.
public indirect enum BodyPattern: Hashable, Sendable {
  /// A value pattern on the content as UTF-8 text; an empty body is an absent value.
  case value(ValuePattern)
  /// The very bytes.
  case binaryEqualTo(Data)
  /// A JSON value that the content equals.
  case equalToJSON(JSONValue, ignoreArrayOrder: Bool = false, ignoreExtraElements: Bool = false)
  /// An RFC 9535 query that selects something, or something that satisfies the pattern.
  case matchesJSONPath(String, BodyPattern? = nil)
  /// A JSON Schema that the content satisfies; `version` is `draft-07` or `2020-12`, nil for the latter.
  case matchesJSONSchema(JSONValue, version: String? = nil)
  /// Fields of an `application/x-www-form-urlencoded` content, sorted by name.
  case form([NamedPattern])
  /// Parts of a `multipart/form-data` content, in order; each needs a part that satisfies it.
  case multipart([PartPattern])
  /// A GraphQL operation.
  case graphQL(GraphQLPattern)
  /// An XML document that the content equals.
  case equalToXML(XMLPattern)
  /// An XPath that selects something, or something that satisfies the pattern.
  case matchesXPath(XPathPattern)
  /// Every pattern matches; empty matches everything.
  case and([BodyPattern])
  /// At least one pattern matches.
  case or([BodyPattern])
  /// The pattern does not match.
  case not(BodyPattern)
}

extension BodyPattern {
  /// The versions of JSON Schema that ``matchesJSONSchema(_:version:)`` may name.
  package static let jsonSchemaVersions = ["draft-07", "2020-12"]

  /// The version that is meant where none is named.
  package static let defaultJSONSchemaVersion = "2020-12"
}
