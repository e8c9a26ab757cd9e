/// A pattern for requests; every part that is given must match.
public struct RequestPattern: Hashable, Sendable {
  /// The methods that match, case-sensitive by RFC 9110 §9.1; empty matches any.
  public var methods: [String]
  /// The scheme in lower case; nil matches any.
  public var scheme: String?
  /// The pattern for the host, compared case-insensitively; nil matches any.
  public var host: ValuePattern?
  /// The port; nil matches any, or the default of the ``scheme`` if that is given.
  public var port: Int?
  /// The pattern for the whole URL: absolute, in canonical encoding, without its fragment; nil matches any.
  public var wholeURL: ValuePattern?
  /// The path; nil matches any.
  public var path: PathPattern?
  /// The patterns for the placeholders of the path, sorted by name.
  public var pathParameters: [NamedPattern]
  /// The patterns for the query parameters, sorted by name.
  public var query: [NamedPattern]
  /// Whether a request with other query parameters than those of ``query`` does not match; false by default.
  public var queryIsExact: Bool
  /// The patterns for the header fields, sorted by name, ignoring case.
  public var headers: [NamedPattern]
  /// The patterns for the cookies, sorted by name.
  public var cookies: [NamedPattern]
  /// The credentials that an `Authorization: Basic` field must have; nil matches any and none.
  public var basicAuth: BasicCredentials?
  /// The patterns for values that the run keeps, sorted by name; a name may be a template.
  public var captured: [NamedPattern]
  /// The patterns for the body, all of which must match; empty matches any.
  public var body: [BodyPattern]

  /// Makes a pattern; lists of named patterns are sorted by name.
  public init(
    methods: [String] = [], scheme: String? = nil, host: ValuePattern? = nil, port: Int? = nil,
    path: PathPattern? = nil, pathParameters: [NamedPattern] = [], query: [NamedPattern] = [],
    queryIsExact: Bool = false, headers: [NamedPattern] = [], cookies: [NamedPattern] = [],
    basicAuth: BasicCredentials? = nil, captured: [NamedPattern] = [], body: [BodyPattern] = [],
    wholeURL: ValuePattern? = nil
  ) {
    self.methods = methods
    self.scheme = scheme
    self.host = host
    self.port = port
    self.path = path
    self.pathParameters = NamedPattern.sorted(pathParameters)
    self.query = NamedPattern.sorted(query)
    self.queryIsExact = queryIsExact
    self.headers = NamedPattern.sortedIgnoringCase(headers)
    self.cookies = NamedPattern.sorted(cookies)
    self.basicAuth = basicAuth
    self.captured = NamedPattern.sorted(captured)
    self.body = body
    self.wholeURL = wholeURL
  }
}
