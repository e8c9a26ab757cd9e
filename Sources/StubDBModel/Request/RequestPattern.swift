/// What a request must satisfy; every part that is given must match, a part that is not given is free.
public struct RequestPattern: Hashable, Sendable {
  /// The methods that match, case-sensitive as in RFC 9110 §9.1; empty means any.
  public var methods: [String]
  /// The scheme, lower case; nil means any.
  public var scheme: String?
  /// The host, compared without regard to case; nil means any.
  public var host: ValuePattern?
  /// The port; nil means any, or the scheme's default where ``scheme`` is given.
  public var port: Int?
  /// The path; nil means any.
  public var path: PathPattern?
  /// What the placeholders of the path must satisfy, sorted by name.
  public var pathParameters: [NamedPattern]
  /// What the query parameters must satisfy, sorted by name.
  public var query: [NamedPattern]
  /// Whether query parameters that ``query`` does not name are refused; false by default.
  public var queryIsExact: Bool
  /// What the header fields must satisfy, sorted by name without regard to case.
  public var headers: [NamedPattern]
  /// What the cookies must satisfy, sorted by name.
  public var cookies: [NamedPattern]
  /// The credentials an `Authorization: Basic` field must hold; nil means any or none.
  public var basicAuth: BasicCredentials?
  /// What the values that the run keeps must satisfy, sorted by name; a name may be a template.
  public var captured: [NamedPattern]
  /// What the body must satisfy, all of it; empty means anything.
  public var body: [BodyPattern]

  /// Makes a pattern; lists of named patterns are sorted by name.
  public init(
    methods: [String] = [], scheme: String? = nil, host: ValuePattern? = nil, port: Int? = nil,
    path: PathPattern? = nil, pathParameters: [NamedPattern] = [], query: [NamedPattern] = [],
    queryIsExact: Bool = false, headers: [NamedPattern] = [], cookies: [NamedPattern] = [],
    basicAuth: BasicCredentials? = nil, captured: [NamedPattern] = [], body: [BodyPattern] = []
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
  }
}
