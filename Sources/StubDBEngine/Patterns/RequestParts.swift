import StubDBModel
import StubDBSupport

extension PatternCompiler {
  /// Appends what a pattern requires of one part of a request; nothing if it leaves the part free.
  ///
  /// The one place where a part of the model's table meets what carries it out.
  mutating func append(
    _ part: RequestPart, of pattern: RequestPattern, _ path: CompiledPath,
    to parts: inout [any CompiledPart]
  ) throws(CompileError) {
    switch part {
    case .method:
      if !pattern.methods.isEmpty { parts.append(MethodPart(methods: pattern.methods)) }
    case .url:
      if let url = pattern.wholeURL { parts.append(try self.url(url)) }
    case .scheme:
      if let scheme = pattern.scheme { parts.append(SchemePart(scheme: scheme)) }
    case .host:
      if let host = pattern.host { parts.append(try self.host(host)) }
    case .port:
      if let port = PortPart(pattern.port, scheme: pattern.scheme) { parts.append(port) }
    case .path:
      if case .any = path { return }
      parts.append(PathPart(path: path))
    case .pathParameters:
      guard !pattern.pathParameters.isEmpty else { return }
      let placeholders = try placeholders(for: pattern.pathParameters, path)
      try append(pattern.pathParameters, part, to: &parts) {
        PathParameterPart(named: $0, path: placeholders)
      }
    case .query:
      try append(pattern.query, part, to: &parts) { QueryPart(named: $0) }
    case .queryIsExact:
      if pattern.queryIsExact { parts.append(ExactQueryPart(names: ExactNames(pattern.query))) }
    case .headers:
      try append(pattern.headers.map(\.named), part, to: &parts) { HeaderPart(named: $0) }
    case .cookies:
      try append(pattern.cookies, part, to: &parts) { CookiePart(named: $0) }
    case .basicAuth:
      if let credentials = pattern.basicAuth { parts.append(CredentialsPart(credentials)) }
    case .captured:
      for named in pattern.captured { parts.append(try self.captured(named)) }
    case .body:
      guard !pattern.body.isEmpty else { return }
      for body in try bodyList(pattern.body).flattened { parts.append(BodyPart(body: body)) }
    }
  }

  /// Appends a part for each name; errors stand under the names.
  private mutating func append<Part: CompiledPart>(
    _ patterns: [NamedPattern], _ part: RequestPart, to parts: inout [any CompiledPart],
    _ make: (CompiledNamed) -> Part
  ) throws(CompileError) {
    guard !patterns.isEmpty else { return }
    for named in try self.named(patterns, in: part.rawValue) { parts.append(make(named)) }
  }

  /// Stubs of a host share its part, which then stays in the processor's caches.
  private mutating func host(_ pattern: ValuePattern) throws(CompileError) -> any CompiledPart {
    let key = pattern.literal.map { ByteText($0) }
    if let key, let known = cache.hosts[key] { return known }
    let part = try placed("host") { (compiler) throws(CompileError) in
      HostPart(
        named: CompiledNamed(name: "", pattern: pattern, value: try compiler.value(pattern)))
    }
    if let key { cache.hosts[key] = part }
    return part
  }

  /// Compiles a pattern for URLs in canonical encoding; a text that is not a URL stays as it is.
  private mutating func url(_ pattern: ValuePattern) throws(CompileError) -> URLPart {
    let canonical = pattern.mapLeaves { leaf in
      guard leaf.operator == .equalTo, let parts = URLParts(leaf.text) else { return leaf }
      return leaf.with(text: parts.description)
    }
    return try placed("url") { (compiler) throws(CompileError) in
      URLPart(
        named: CompiledNamed(
          name: "", pattern: canonical, value: try compiler.value(canonical, isInObject: true)))
    }
  }

  private mutating func captured(_ named: NamedPattern) throws(CompileError) -> CapturedPart {
    try placed("captured") { (compiler) throws(CompileError) in
      let number = try compiler.placed(named.name) { (compiler) throws(CompileError) in
        try compiler.captured(named.name)
      }
      return CapturedPart(
        named: try compiler.named([named], in: "captured")[0], number: number)
    }
  }

  /// The path that has all the placeholders.
  private func placeholders(
    for parameters: [NamedPattern], _ path: CompiledPath
  ) throws(CompileError) -> PlaceholderPath? {
    for parameter in parameters
    where path.placeholders?.segments.contains(.placeholder(parameter.name[...])) != true {
      throw CompileError(
        code: .invalidPattern,
        reason: "the path has no placeholder {\(parameter.name)}; add it to the path",
        path: ["pathParameters", parameter.name])
    }
    return path.placeholders
  }
}

extension RequestPart {
  /// How much the part counts in the distance of a request from a stub.
  var weight: Double {
    switch self {
    case .method: 3
    case .host: 4
    case .path: 6
    case .url: RequestPart.host.weight + RequestPart.path.weight
    case .body: 3
    // They count only if they are off: other parts imply them.
    case .port, .queryIsExact: 0
    case .scheme, .pathParameters, .query, .headers, .cookies, .basicAuth, .captured: 1
    }
  }

  /// The values by which stubs are indexed that require one value of the part; empty for a part without an index.
  func keys(in request: PreparedRequest, of name: String) -> [String] {
    switch self {
    case .method: return request.methods
    case .url: return [request.url]
    case .host: return request.host.map { [$0] } ?? []
    case .query: return request.values(ofQuery: name).values
    case .cookies: return request.values(ofCookie: name).values
    case .headers:
      let lines = request.values(ofHeader: name).values
      return FieldValues.joined(lines).map { lines + [$0] } ?? lines
    case .scheme, .port, .path, .pathParameters, .queryIsExact, .basicAuth, .captured, .body:
      return []
    }
  }
}

// MARK: - Parts with one value

/// The part `host`.
struct HostPart: SingleValuePart {
  let named: CompiledNamed

  var part: RequestPart { .host }

  func value(in request: PreparedRequest) -> String? { request.host }

  func verdict(
    _ request: PreparedRequest, _ scope: MatchScope, _ report: BodyReport?
  ) -> Bool? {
    request.isOriginless ? true : named.value.matches(request.host, scope)
  }

  func guess(_ request: PreparedRequest) -> Int {
    if request.isOriginless { return 0 }
    return named.value.literal.map { $0 == request.host ? 0 : 300 } ?? 150
  }
}

/// The part `url`: the whole URL.
struct URLPart: SingleValuePart {
  let named: CompiledNamed

  var part: RequestPart { .url }
  var facets: [StubFacet] { named.value.literal == nil ? [] : [.part(.url)] }

  func value(in request: PreparedRequest) -> String? { request.url }

  /// Of a request without an origin, only path and query are compared with a plain URL.
  func verdict(
    _ request: PreparedRequest, _ scope: MatchScope, _ report: BodyReport?
  ) -> Bool? {
    guard request.isOriginless, let url = named.value.literal, var parts = URLParts(url) else {
      return named.value.matches(request.url, scope)
    }
    (parts.scheme, parts.host, parts.port) = (nil, nil, nil)
    return ByteText.isEqual(parts.description, request.url)
  }

  func guess(_ request: PreparedRequest) -> Int {
    named.value.literal.map { Int(500 * TextDistance.guess($0, request.url)) } ?? 250
  }
}

// MARK: - Parts with names

/// A parameter of the path.
struct PathParameterPart: NamedValuesPart {
  let named: CompiledNamed
  let path: PlaceholderPath?

  var part: RequestPart { .pathParameters }

  func values(in request: PreparedRequest, _ scope: MatchScope) -> FieldValues {
    FieldValues(path?.values(of: named.name, in: request.segments) ?? [])
  }

  /// Of a path that does not match there are no parameters, and nothing is said of them.
  func verdict(
    _ request: PreparedRequest, _ scope: MatchScope, _ report: BodyReport?
  ) -> Bool? {
    guard report == nil || path?.matches(request.segments) == true else { return nil }
    return named.value.matches(values(in: request, scope), scope)
  }

  func difference(
    _ request: PreparedRequest, _ scope: MatchScope, _ verdict: Bool?, _ report: BodyReport
  ) -> PartDifference {
    guard path?.matches(request.segments) == true else {
      return PartDifference(weight: 0, mismatches: [])
    }
    return named.difference(mismatchPart, values(in: request, scope), verdict, scope)
  }
}

/// A query parameter.
struct QueryPart: NamedValuesPart {
  let named: CompiledNamed

  var part: RequestPart { .query }

  func values(in request: PreparedRequest, _ scope: MatchScope) -> FieldValues {
    request.values(ofQuery: named.name)
  }
}

/// A header field.
struct HeaderPart: NamedValuesPart {
  let named: CompiledNamed

  var part: RequestPart { .headers }
  var indexedName: String { named.name.lowercased() }

  func values(in request: PreparedRequest, _ scope: MatchScope) -> FieldValues {
    request.values(ofHeader: named.name)
  }
}

/// A cookie.
struct CookiePart: NamedValuesPart {
  let named: CompiledNamed

  var part: RequestPart { .cookies }
  var secretName: String { "password" }

  func values(in request: PreparedRequest, _ scope: MatchScope) -> FieldValues {
    request.values(ofCookie: named.name)
  }
}

/// A value that the run keeps.
struct CapturedPart: NamedValuesPart {
  let named: CompiledNamed
  /// The place of the name among those of the stub.
  let number: Int

  var part: RequestPart { .captured }
  var asksForCaptured: Bool { true }
  var facets: [StubFacet] { [] }

  func values(in request: PreparedRequest, _ scope: MatchScope) -> FieldValues {
    let text = number < scope.captured.count ? scope.captured[number] : nil
    return FieldValues(text.map { [$0] } ?? [])
  }
}
