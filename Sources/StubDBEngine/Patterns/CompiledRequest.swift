import Foundation
import HTTPTypes
import StubDBModel

/// A request pattern that is ready to be compared.
///
/// Matching and explaining are one walk over the parts, ``walk(_:_:_:_:)``, with two visitors. A class, because a
/// structure would be retained part by part for every request that looks at it.
final class CompiledRequest: Sendable {
  /// What the path must satisfy.
  enum Path: Sendable {
    case any
    /// A path without placeholders.
    case literal(String)
    case template(PathTemplate)
    case value(ValuePattern, any CompiledValue)
  }

  /// What else must hold, each part for itself.
  enum Condition: Sendable {
    case pathParameter(CompiledNamed)
    case query(CompiledNamed)
    /// No other query parameters than these.
    case exactQuery([String])
    /// The name is in lower case.
    case header(CompiledNamed)
    case cookie(CompiledNamed)
    /// A kept value, by the number of its name.
    case captured(Int, CompiledNamed)
    /// The user name, and the decoded content of an `Authorization` field.
    case credentials(username: String, Data)
    case body(any CompiledBody)
  }

  /// The parts of a pattern that a walk looks at.
  enum Parts {
    case all
    /// Those that the request alone decides.
    case independent
    /// Those that compare with what the run keeps.
    case captured
  }

  let methods: [String]
  let scheme: String?
  let port: Int?
  let host: CompiledNamed?
  let path: Path
  /// What the whole URL must satisfy.
  let url: CompiledNamed?
  /// In the order in which a report has them.
  let conditions: [Condition]
  /// Whether any part compares with what the run keeps.
  let asksForCaptured: Bool

  /// Compiles a pattern, whose host is in the form of ``HostPattern``.
  init(
    _ pattern: borrowing RequestPattern, _ compiler: inout PatternCompiler
  ) throws(CompileError) {
    methods = pattern.methods.map(\.rawValue)
    scheme = pattern.scheme
    port = pattern.port
    if let host = pattern.host {
      self.host = try compiler.placed("host") { (compiler) throws(CompileError) in
        CompiledNamed(name: "", pattern: host, value: try compiler.value(host))
      }
    } else {
      host = nil
    }
    path = try Self.path(pattern.path, &compiler)
    if let url = pattern.wholeURL {
      self.url = try compiler.placed("url") { (compiler) throws(CompileError) in
        let canonical = Self.canonicalURL(url)
        return CompiledNamed(
          name: "", pattern: canonical, value: try compiler.value(canonical, isInObject: true))
      }
    } else {
      url = nil
    }
    conditions = try Self.conditions(pattern, path, &compiler)
    asksForCaptured =
      host?.value.asksForCaptured == true || path.asksForCaptured
      || url?.value.asksForCaptured == true
      || conditions.contains(where: \.asksForCaptured)
  }

  /// The pattern for URLs in canonical encoding; a text that is not a URL stays as it is.
  private static func canonicalURL(_ pattern: ValuePattern) -> ValuePattern {
    pattern.mapLeaves { leaf in
      guard leaf.operator == .equalTo, let parts = URLParts(leaf.text) else { return leaf }
      return leaf.with(text: parts.description)
    }
  }

  private static func path(
    _ pattern: PathPattern?, _ compiler: inout PatternCompiler
  ) throws(CompileError) -> Path {
    switch pattern {
    case nil: return .any
    case .template(let text): return PathTemplate(text).map { .template($0) } ?? .literal(text)
    case .value(let value):
      let compiled = try compiler.placed("path") { (compiler) throws(CompileError) in
        try compiler.value(value, isInObject: true)
      }
      return compiled.literal.map { .literal($0) } ?? .value(value, compiled)
    }
  }

  private static func conditions(
    _ pattern: borrowing RequestPattern, _ path: Path, _ compiler: inout PatternCompiler
  ) throws(CompileError) -> [Condition] {
    var conditions: [Condition] = []
    if !pattern.pathParameters.isEmpty {
      try check(pattern.pathParameters, path.template)
      conditions += try compiler.named(pattern.pathParameters, in: "pathParameters")
        .map { .pathParameter($0) }
    }
    if !pattern.query.isEmpty {
      conditions += try compiler.named(pattern.query, in: "query").map { .query($0) }
    }
    if pattern.queryIsExact { conditions.append(.exactQuery(pattern.query.map(\.name))) }
    if !pattern.headers.isEmpty {
      conditions += try compiler.named(pattern.headers, in: "headers").map { .header($0) }
    }
    if !pattern.cookies.isEmpty {
      conditions += try compiler.named(pattern.cookies, in: "cookies").map { .cookie($0) }
    }
    for named in pattern.captured {
      conditions.append(
        try compiler.placed("captured") { (compiler) throws(CompileError) in
          let number = try compiler.placed(named.name) { (compiler) throws(CompileError) in
            try compiler.captured(named.name)
          }
          return .captured(number, try compiler.named([named], in: "captured")[0])
        })
    }
    if let credentials = pattern.basicAuth {
      conditions.append(
        .credentials(
          username: credentials.username,
          Data("\(credentials.username):\(credentials.password)".utf8)))
    }
    if !pattern.body.isEmpty {
      conditions += try compiler.bodyList(pattern.body).flattened.map { .body($0) }
    }
    return conditions
  }

  private static func check(
    _ parameters: [NamedPattern], _ template: PathTemplate?
  ) throws(CompileError) {
    for parameter in parameters
    where template?.segments.contains(.placeholder(parameter.name[...])) != true {
      throw CompileError(
        code: .invalidPattern,
        reason: "the path has no placeholder {\(parameter.name)}; add it to the path",
        path: ["pathParameters", parameter.name])
    }
  }

  /// Whether the request satisfies the parts.
  func matches(
    _ request: PreparedRequest, _ scope: MatchScope, _ parts: Parts = .all
  ) -> Bool {
    var matcher = RequestMatcher()
    walk(request, scope, parts, &matcher)
    return matcher.isMatch
  }
}

extension CompiledRequest.Path {
  /// The template of a path with placeholders or `**`; nil for any other path.
  var template: PathTemplate? {
    if case .template(let template) = self { template } else { nil }
  }

  /// The path as the document writes it; nil for an operator.
  var text: String? {
    switch self {
    case .literal(let text): text
    case .template(let template): template.text
    case .any, .value: nil
    }
  }

  /// An operator in words.
  var phrase: String {
    if case .value(let pattern, _) = self { pattern.phrase } else { "" }
  }

  var asksForCaptured: Bool {
    if case .value(_, let value) = self { value.asksForCaptured } else { false }
  }

  func matches(_ request: PreparedRequest, _ scope: MatchScope) -> Bool? {
    switch self {
    case .any: true
    case .literal(let text): ByteText.isEqual(text, request.path)
    case .template(let template): template.matches(request.segments)
    case .value(_, let value): value.matches(request.path, scope)
    }
  }
}

extension CompiledRequest.Condition {
  var asksForCaptured: Bool {
    switch self {
    case .pathParameter(let named), .query(let named), .header(let named), .cookie(let named):
      named.value.asksForCaptured
    case .captured: true
    case .body(let body): body.asksForCaptured
    case .exactQuery, .credentials: false
    }
  }
}

extension CompiledRequest {
  /// Whether the method matches; a stub for `GET` answers `HEAD` too. https://www.rfc-editor.org/rfc/rfc9110#section-9.3.2
  func matchesMethod(_ request: PreparedRequest) -> Bool {
    methods.isEmpty
      || methods.contains { method in
        ByteText.isEqual(method, request.request.method)
          || request.isHead && ByteText.isEqual(method, "GET")
      }
  }

  /// A pattern with a scheme and no port means the scheme's default port; one with neither means any port.
  var expectedPort: Int? { port ?? scheme.flatMap(URLParts.defaultPort) }

  func matchesPort(_ request: PreparedRequest) -> Bool {
    port == nil && scheme == nil || expectedPort == request.port
  }

  /// Whether an `Authorization` field holds the credentials. https://www.rfc-editor.org/rfc/rfc7617#section-2
  static func holds(_ expected: Data, _ request: PreparedRequest) -> Bool {
    request.values(ofHeader: "authorization").values.contains { value in
      let parts = value.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1)
      guard parts.count == 2, ByteText.isSameName(String(Substring(parts[0])), "basic") else {
        return false
      }
      return Data(base64Encoded: FieldValues.trimmed(parts[1])) == expected
    }
  }
}
