package import HTTPTypes

/// The parts of a request that a pattern may ask something of, in the order of documents and reports.
///
/// The raw value is the key in a document. All that the model knows of a part is in this file: reading, writing and
/// words follow from it. What the engine knows is in its `RequestParts.swift`, and what it means is in the JSON Schema,
/// `docs/stubdb.schema.json`.
package enum RequestPart: String, Hashable, Sendable, CaseIterable {
  case method
  case url
  case scheme
  case host
  case port
  case path
  case pathParameters
  case query
  case queryIsExact
  case headers
  case cookies
  case basicAuth
  case captured
  case body

  /// All parts in order, made once because every stub that is read goes through them.
  package static let all = Array(allCases)

  /// What a pattern asks of a part.
  package enum Demand: Sendable {
    /// One of these methods; empty for any.
    case methods([HTTPRequest.Method])
    /// A pattern for the one value; nil for any, and for a path without an operator.
    case value(ValuePattern?)
    /// Patterns for the values of names.
    case named([NamedPattern])
    /// Patterns for the content.
    case bodies([BodyPattern])
    /// Something that is not a pattern.
    case other
  }

  /// What the pattern asks of the part.
  package func demand(of pattern: RequestPattern) -> Demand {
    switch self {
    case .method: return .methods(pattern.methods)
    case .url: return .value(pattern.wholeURL)
    case .host: return .value(pattern.host)
    case .path:
      guard case .value(let path) = pattern.path else { return .value(nil) }
      return .value(path)
    case .pathParameters: return .named(pattern.pathParameters)
    case .query: return .named(pattern.query)
    case .headers: return .named(pattern.headers.map(\.named))
    case .cookies: return .named(pattern.cookies)
    case .captured: return .named(pattern.captured)
    case .body: return .bodies(pattern.body)
    case .scheme, .port, .queryIsExact, .basicAuth: return .other
    }
  }

  /// What reports call the part.
  package var word: String {
    switch self {
    case .pathParameters: "path parameter"
    case .query, .queryIsExact: "query"
    case .headers: "header"
    case .cookies: "cookie"
    case .method, .url, .scheme, .host, .port, .path, .basicAuth, .captured, .body: rawValue
    }
  }
}

extension RequestPart {
  /// Reads the part into a pattern, if the document has it.
  func read(
    _ object: DocumentObject, into pattern: inout RequestPattern
  ) throws(DocumentError) {
    switch self {
    case .method: pattern.methods = try object["method"]?.methods() ?? []
    case .url: try object.readURL(into: &pattern)
    // Read with the URL, which may say the same.
    case .scheme, .host, .port, .path: break
    case .pathParameters:
      pattern.pathParameters =
        try object["pathParameters"]?.namedPatterns(.pathParameter) ?? []
      if !object.isTrusted { try object.rules?.checkPathParameters(of: pattern, object) }
    case .query:
      guard let query = object["query"] else { return }
      let named = try query.namedPatterns(.query)
      try query.check(named, against: pattern.query)
      pattern.query += named
    case .queryIsExact: pattern.queryIsExact = try object.flag("queryIsExact")
    case .headers: pattern.headers = try object["headers"]?.headerPatterns() ?? []
    case .cookies: pattern.cookies = try object["cookies"]?.namedPatterns(.cookie) ?? []
    case .basicAuth: pattern.basicAuth = try object["basicAuth"]?.basicCredentials()
    case .captured: pattern.captured = try object["captured"]?.capturedPatterns() ?? []
    case .body: pattern.body = try object["body"]?.bodyPatterns() ?? []
    }
  }
}
