public import HTTPTypes
internal import StubDBJSON
public import StubDBSupport

/// A pattern for requests; every part that is given must match.
public struct RequestPattern: Hashable, Sendable {
  /// The methods that match, always sorted, case-sensitive by RFC 9110 §9.1; empty matches any.
  public var methods: [HTTPRequest.Method] {
    didSet { methods = Self.sorted(methods) }
  }
  /// The scheme in lower case; nil matches any.
  @ByBytes public var scheme: String?
  /// The pattern for the host, compared case-insensitively; nil matches any.
  public var host: ValuePattern?
  /// The port; nil matches any, or the default of the ``scheme`` if that is given.
  public var port: Int?
  /// The pattern for the whole URL: absolute, in canonical encoding, without its fragment; nil matches any.
  public var wholeURL: ValuePattern?
  /// The path; nil matches any.
  public var path: PathPattern?
  /// The patterns for the placeholders of the path, always sorted by name.
  public var pathParameters: [NamedPattern] {
    didSet { pathParameters = NamedPattern.sorted(pathParameters) }
  }
  /// The patterns for the query parameters, always sorted by name.
  public var query: [NamedPattern] {
    didSet { query = NamedPattern.sorted(query) }
  }
  /// Whether a request with other query parameters than those of ``query`` does not match; false by default.
  public var queryIsExact: Bool
  /// The patterns for the header fields, always sorted by name, ignoring case.
  public var headers: [HeaderPattern] {
    didSet { headers = HeaderPattern.sorted(headers) }
  }
  /// The patterns for the cookies, always sorted by name.
  public var cookies: [NamedPattern] {
    didSet { cookies = NamedPattern.sorted(cookies) }
  }
  /// The credentials that an `Authorization: Basic` field must have; nil matches any and none.
  public var basicAuth: BasicCredentials?
  /// The patterns for values that the run keeps, always sorted by name; a name may be a template.
  public var captured: [NamedPattern] {
    didSet { captured = NamedPattern.sorted(captured) }
  }
  /// The patterns for the body, all of which must match; empty matches any.
  public var body: [BodyPattern]

  /// Makes a pattern; methods and lists of named patterns are sorted.
  public init(
    methods: [HTTPRequest.Method] = [], scheme: String? = nil, host: ValuePattern? = nil,
    port: Int? = nil,
    path: PathPattern? = nil, pathParameters: [NamedPattern] = [], query: [NamedPattern] = [],
    queryIsExact: Bool = false, headers: [HeaderPattern] = [], cookies: [NamedPattern] = [],
    basicAuth: BasicCredentials? = nil, captured: [NamedPattern] = [], body: [BodyPattern] = [],
    wholeURL: ValuePattern? = nil
  ) {
    self.methods = Self.sorted(methods)
    self.scheme = scheme
    self.host = host
    self.port = port
    self.path = path
    self.pathParameters = NamedPattern.sorted(pathParameters)
    self.query = NamedPattern.sorted(query)
    self.queryIsExact = queryIsExact
    self.headers = HeaderPattern.sorted(headers)
    self.cookies = NamedPattern.sorted(cookies)
    self.basicAuth = basicAuth
    self.captured = NamedPattern.sorted(captured)
    self.body = body
    self.wholeURL = wholeURL
  }
}

extension RequestPattern {
  /// Makes a pattern of a method and a URL, written as in a scenario document.
  ///
  /// The URL is absolute, or begins with `/` for any host. Its path may contain `{name}` for one segment and `**` for
  /// any number; its query parameters are required, in any order. Without a method, all methods match.
  /// - Throws: ``DocumentError`` for an invalid URL.
  public init(method: HTTPRequest.Method? = nil, url: String) throws(DocumentError) {
    try self.init(methodText: method?.rawValue, url: url)
  }

  /// Makes a pattern of a typed method and URL.
  package init(methodText method: String?, url: String) throws(DocumentError) {
    var object: JSONObject = ["url": .string(url)]
    if let method { object["method"] = .string(method) }
    self = try DocumentNode(
      value: .object(object), place: .root(JSONPointer()),
      context: DocumentContext(validation: .full, rules: nil)
    ).requestPattern()
  }

  /// Makes a pattern of a method and a URL in one text, such as `POST /v1/orders/{id}`, or of a URL alone.
  package init(line: String) throws(DocumentError) {
    let parts = line.split(separator: " ", maxSplits: 1)
    if parts.count == 2 {
      try self.init(methodText: String(parts[0]), url: String(parts[1]))
    } else {
      try self.init(url: line)
    }
  }

  private static func sorted(_ methods: [HTTPRequest.Method]) -> [HTTPRequest.Method] {
    methods.count < 2 ? methods : methods.sorted { $0.rawValue < $1.rawValue }
  }
}

/// A pattern for the path of a request.
public enum PathPattern: Hashable, Sendable {
  /// A path that begins with `/` and may contain `{name}` (one segment) and `**` (any number of segments).
  ///
  /// Literal parts are in canonical percent-encoding: only octets that a path segment must encode are, as `%` and two
  /// upper-case digits; `%2F` stays.
  case template(String)
  /// A value pattern on the whole path, in the same encoding.
  case value(ValuePattern)

  /// Whether both are written with the same bytes.
  public static func == (one: PathPattern, other: PathPattern) -> Bool {
    switch (one, other) {
    case (.template(let text), .template(let other)): ByteText.isEqual(text, other)
    case (.value(let pattern), .value(let other)): pattern == other
    case (.template, .value), (.value, .template): false
    }
  }
}

/// A pattern for the values of a name: a query parameter, a cookie, a path placeholder.
public struct NamedPattern: Hashable, Sendable {
  /// The name, decoded; may be empty only for a query parameter.
  @ByBytes public var name: String
  /// The pattern for its value or values.
  public var pattern: ValuePattern

  /// Makes a named pattern.
  public init(_ name: String, _ pattern: ValuePattern) {
    self.name = name
    self.pattern = pattern
  }

  package static func sorted(_ patterns: [NamedPattern]) -> [NamedPattern] {
    patterns.sorted(ifNeeded: { $0.name.precedesByBytes($1.name) })
  }
}

/// A pattern for the values of a header field.
public struct HeaderPattern: Hashable, Sendable {
  /// The name of the field, the same whatever its case.
  @ByBytes public var name: HTTPField.Name
  /// The pattern for its value or values.
  public var pattern: ValuePattern

  /// Makes a pattern for a header field.
  public init(_ name: HTTPField.Name, _ pattern: ValuePattern) {
    self.name = name
    self.pattern = pattern
  }

  /// The same with the name as it was written.
  package var named: NamedPattern { NamedPattern(name.rawName, pattern) }

  package static func sorted(_ patterns: [HeaderPattern]) -> [HeaderPattern] {
    patterns.sorted(ifNeeded: { left, right in
      let (first, second) = (left.name.canonicalName, right.name.canonicalName)
      return first == second ? left.name.rawName < right.name.rawName : first < second
    })
  }
}

extension Array {
  /// The elements in order; they mostly are, so that nothing is copied.
  fileprivate func sorted(ifNeeded isBefore: (Element, Element) -> Bool) -> [Element] {
    let isSorted = zip(self, dropFirst()).allSatisfy { !isBefore($1, $0) }
    return isSorted ? self : sorted(by: isBefore)
  }
}

/// The user name and password of HTTP basic authentication.
///
/// https://www.rfc-editor.org/rfc/rfc7617
public struct BasicCredentials: Hashable, Sendable {
  /// The user name, without colons.
  @ByBytes public var username: String
  /// The password; may be empty.
  @ByBytes public var password: String

  /// Makes credentials.
  public init(username: String, password: String) {
    self.username = username
    self.password = password
  }
}
