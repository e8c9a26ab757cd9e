package import StubDBModel

/// The stubs of a scenario that answer every request that matches them, however often it comes.
///
/// Finds the stubs that never answer because one of these always comes first. Sound, not complete:
/// a stub is found only if the other one asks for a part of what it asks for, and is among the first
/// ``AnsweringStubs/maximumCount`` that are kept with it. Both inserting and looking up cost about as
/// much as hashing the stub's patterns.
package struct AnsweringStubs {
  /// So many stubs that are kept together are looked at.
  private static let maximumCount = 500

  private enum Path: Hashable {
    case any
    case exact(PathPattern)
    /// All paths that begin with these segments, as `/v1/**`.
    case below([Substring])
  }

  /// Something that a stub asks for, and that each stub which it hides asks for too.
  private enum Demand: Hashable {
    case nothing
    case method(String)
    case host(ValuePattern)
    case pathParameter(NamedPattern)
    case query(NamedPattern)
    case header(NamedPattern)
    case cookie(NamedPattern)
    case captured(NamedPattern)
    case state(flow: String, String)
    case body(BodyPattern)
  }

  private struct Entry {
    let stub: Stub
    let position: Int
  }

  /// Every stub is kept once: under its path, and the one of its demands that the fewest others have.
  private var entries: [Path: [Demand: [Entry]]] = [:]
  private var insertedCount = 0

  package init() {}

  /// Inserts a stub behind the others of its priority; nothing happens if it does not always answer.
  package mutating func insert(_ stub: Stub) {
    guard stub.alwaysAnswers else { return }
    let path = Self.path(of: stub.request)
    let rarest = rarestDemand(of: stub, at: path)
    let entry = Entry(stub: stub, position: insertedCount)
    insertedCount += 1
    entries[path, default: [:]][rarest, default: []].append(entry)
  }

  private func rarestDemand(of stub: Stub, at path: Path) -> Demand {
    var rarest = Demand.nothing
    var count = Int.max
    for demand in Self.demands(of: stub).reversed() where count > 0 {
      let others = entries[path]?[demand]?.count ?? 0
      if others < count { (rarest, count) = (demand, others) }
    }
    return rarest
  }

  /// Removes a stub that was inserted.
  package mutating func remove(_ stub: Stub) {
    let path = Self.path(of: stub.request)
    for demand in [.nothing] + Self.demands(of: stub) {
      guard let place = entries[path]?[demand]?.firstIndex(where: { $0.stub.key == stub.key })
      else { continue }
      entries[path]?[demand]?.remove(at: place)
      return
    }
  }

  /// The stub that answers before the given one whatever that one matches; nil if there is none.
  ///
  /// Of several the one with the smallest priority, and of these the one that was inserted first.
  package func first(hiding stub: Stub) -> Stub? {
    var first: Entry?
    let kept = Self.paths(covering: stub.request.path).compactMap { entries[$0] }
    if kept.isEmpty { return nil }
    for demand in [.nothing] + Self.demands(of: stub) {
      for entries in kept {
        guard
          let found = entries[demand]?.prefix(Self.maximumCount).first(where: {
            $0.stub.hides(stub)
          })
        else { continue }
        let isFirst =
          first.map {
            (found.stub.priority, found.position) < ($0.stub.priority, $0.position)
          } ?? true
        if isFirst { first = found }
      }
    }
    return first?.stub
  }

  private static func demands(of stub: Stub) -> [Demand] {
    let request = stub.request
    var demands: [Demand] = []
    // Of several methods a stub with fewer of them asks for none in particular.
    if request.methods.count == 1 { demands.append(.method(request.methods[0])) }
    if let host = request.host { demands.append(.host(host)) }
    if let flow = stub.flow, let state = flow.requires {
      demands.append(.state(flow: flow.name, state))
    }
    demands += request.pathParameters.map(Demand.pathParameter)
    demands += request.captured.map(Demand.captured)
    demands += request.cookies.map(Demand.cookie)
    demands += request.headers.map(Demand.header)
    demands += request.query.map(Demand.query)
    return demands + request.body.map(Demand.body)
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
      && other.pathParameters.includes(pathParameters)
      && other.query.includes(query)
      && (!queryIsExact || other.queryIsExact && query.map(\.name) == other.query.map(\.name))
      && other.headers.includes(headers)
      && other.cookies.includes(cookies)
      && other.captured.includes(captured)
      && (basicAuth == nil || basicAuth == other.basicAuth)
      && other.body.includes(body)
  }
}

extension Array where Element: Hashable {
  /// Whether all the others are among these.
  fileprivate func includes(_ others: [Element]) -> Bool {
    // Stubs have few patterns; a set of them is worth its hashing only where they are many.
    guard others.count > 10 else { return others.allSatisfy(contains) }
    return Set(self).isSuperset(of: others)
  }
}
