package import StubDBModel

/// The stubs of a scenario that answer every request that matches them, however often it comes.
///
/// Finds the stubs that never answer because one of these always comes first. Sound, not complete:
/// a stub is found only if the other one asks for a part of what it asks for. Both inserting and
/// looking up cost about as much as hashing the stub's patterns.
package struct AnsweringStubs {
  /// The place under which a stub is kept: its path, and one of the patterns that it asks for.
  private struct Place: Hashable {
    var path: Path
    var pattern: Pattern?
  }

  private enum Path: Hashable {
    case any
    case exact(PathPattern)
    /// All paths that begin with these segments, as `/v1/**`.
    case below([Substring])
  }

  private enum Pattern: Hashable {
    case query(NamedPattern)
    case header(NamedPattern)
    case cookie(NamedPattern)
    case body(BodyPattern)
  }

  private var stubs: [Place: [Stub]] = [:]

  package init() {}

  /// Inserts a stub behind the others of its priority; nothing happens if it does not always answer.
  package mutating func insert(_ stub: Stub) {
    guard stub.alwaysAnswers else { return }
    stubs[Self.place(of: stub.request), default: []].append(stub)
  }

  /// Removes a stub that was inserted.
  package mutating func remove(_ stub: Stub) {
    stubs[Self.place(of: stub.request)]?.removeAll { $0.key == stub.key }
  }

  /// The stub that answers before the given one whatever that one matches; nil if there is none.
  package func first(hiding stub: Stub) -> Stub? {
    var first: Stub?
    let patterns: [Pattern?] = [nil] + Self.patterns(of: stub.request)
    for path in Self.paths(covering: stub.request.path) {
      for pattern in patterns {
        let found = stubs[Place(path: path, pattern: pattern)]?.first { $0.hides(stub) }
        if let found, found.priority < first?.priority ?? .max { first = found }
      }
    }
    return first
  }

  private static func place(of request: RequestPattern) -> Place {
    // The body first: of many stubs for one path it is what mostly differs.
    Place(path: path(of: request), pattern: patterns(of: request).last)
  }

  private static func patterns(of request: RequestPattern) -> [Pattern] {
    request.cookies.map(Pattern.cookie) + request.headers.map(Pattern.header)
      + request.query.map(Pattern.query) + request.body.map(Pattern.body)
  }

  private static func path(of request: RequestPattern) -> Path {
    guard let path = request.path else { return .any }
    guard case .template(let text) = path else { return .exact(path) }
    var segments = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard segments.popLast() == "**", segments.allSatisfy(isLiteral) else { return .exact(path) }
    return segments.isEmpty ? .any : .below(Array(segments))
  }

  /// Every path whose stubs match what a path matches.
  private static func paths(covering path: PathPattern?) -> [Path] {
    guard let path else { return [.any] }
    guard case .template(let text) = path else { return [.any, .exact(path)] }
    let segments = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    let literal = Array(segments.prefix(while: isLiteral).prefix(100))
    let prefixes = literal.indices.map { Path.below(Array(literal[...$0])) }
    return [.any] + prefixes + [.exact(path)]
  }

  private static func isLiteral(_ segment: Substring) -> Bool {
    segment != "**" && !URLParts.isPlaceholder(segment)
  }
}

extension Stub {
  /// Whether every request that matches gets an answer from this stub, however often it comes.
  fileprivate var alwaysAnswers: Bool {
    (then == .repeatLast || then == .cycle || then == .passthrough)
      && !responses.contains { $0.handover == .next }
  }

  /// Whether a stub for a path that covers the other's takes all of its requests.
  fileprivate func hides(_ other: Stub) -> Bool {
    priority <= other.priority && isPlayable(whenever: other)
      && request.asksForPart(of: other.request)
  }

  /// Whether this stub's flow is in the state it requires whenever the other stub's flow is.
  private func isPlayable(whenever other: Stub) -> Bool {
    guard let flow, flow.requires != nil else { return true }
    return flow.name == other.flow?.name && flow.requires == other.flow?.requires
  }
}

extension RequestPattern {
  /// Whether every request that the other pattern matches is sure to match this one; paths aside.
  fileprivate func asksForPart(of other: RequestPattern) -> Bool {
    (methods.isEmpty || !other.methods.isEmpty && Set(methods).isSuperset(of: other.methods))
      && (scheme == nil || scheme == other.scheme)
      && (host == nil || host == other.host)
      && (port == nil && (scheme == nil || other.port == nil) || port == other.port)
      && pathParameters.allSatisfy(other.pathParameters.contains)
      && query.allSatisfy(other.query.contains)
      && (!queryIsExact || other.queryIsExact && query.map(\.name) == other.query.map(\.name))
      && headers.allSatisfy(other.headers.contains)
      && cookies.allSatisfy(other.cookies.contains)
      && captured.allSatisfy(other.captured.contains)
      && (basicAuth == nil || basicAuth == other.basicAuth)
      && body.allSatisfy(other.body.contains)
  }
}
