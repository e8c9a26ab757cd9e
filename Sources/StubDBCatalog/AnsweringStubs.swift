internal import HTTPTypes
package import StubDBModel

/// The stubs of a scenario that answer every matching request, however many there are.
///
/// Finds the stubs that never answer because one of these always comes first. The result is sound but not complete: a
/// shadowed stub is found only if the shadowing stub asks for a subset of the same parts, and is among the first
/// ``AnsweringStubs/maximumCount`` stubs of its group. Inserting and looking up each cost about as much as hashing the
/// stub's patterns.
package struct AnsweringStubs {
  /// How many stubs of one group are compared.
  private static let maximumCount = 500

  private enum Path: Hashable {
    case any
    case exact(PathPattern)
    /// All paths that begin with these segments, as `/v1/**`.
    case below([Substring])
  }

  /// A demand of a stub: something that each stub that it shadows must demand too.
  private enum Demand: Hashable {
    case nothing
    case method(String)
    case value(RequestPart, ValuePattern)
    case named(RequestPart, NamedPattern)
    case body(BodyPattern)
    case state(flow: String, String)
  }

  private struct Entry {
    let stub: Stub
    let position: Int
  }

  /// Each stub is stored once, under its path and under that one of its demands that the fewest other stubs have.
  private var entries: [Path: [Demand: [Entry]]] = [:]
  private var insertedCount = 0

  package init() {}

  /// Inserts a stub after the others of its priority; does nothing if the stub does not always answer.
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

  /// The stub that always answers before the given one; nil if there is none.
  ///
  /// If several do, the one with the smallest priority number that was inserted first.
  package func first(shadowing stub: Stub) -> Stub? {
    var first: Entry?
    let kept = Self.paths(covering: stub.request.path).compactMap { entries[$0] }
    if kept.isEmpty { return nil }
    for demand in [.nothing] + Self.demands(of: stub) {
      for entries in kept {
        guard
          let found = entries[demand]?.prefix(Self.maximumCount).first(where: {
            $0.stub.shadows(stub)
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
    var demands: [Demand] = []
    if let flow = stub.flow, let state = flow.requires {
      demands.append(.state(flow: flow.name, state))
    }
    for part in RequestPart.all {
      switch part.demand(of: stub.request) {
      // A stub with a subset of several methods demands none of them in particular.
      case .methods(let methods):
        if methods.count == 1 { demands.append(.method(methods[0].rawValue)) }
      case .value(let pattern): if let pattern { demands.append(.value(part, pattern)) }
      case .named(let patterns): demands += patterns.map { .named(part, $0) }
      case .bodies(let patterns): demands += patterns.map(Demand.body)
      case .other: break
      }
    }
    return demands
  }

  private static func path(of request: RequestPattern) -> Path {
    guard let path = request.path else { return .any }
    guard case .template(let text) = path else { return .exact(path) }
    var segments = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard segments.popLast() == "**", segments.allSatisfy(isLiteral) else { return .exact(path) }
    return segments.isEmpty ? .any : .below(Array(segments))
  }

  /// The stubs of every path that covers the given path.
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
  /// Whether every matching request gets an answer from this stub, however many there are.
  fileprivate var alwaysAnswers: Bool {
    (then == .repeatLast || then == .cycle || then == .passthrough)
      && !responses.contains { $0.delegation == .next }
  }

  /// Whether a stub for a path that covers the other's path takes all of its requests.
  fileprivate func shadows(_ other: Stub) -> Bool {
    priority <= other.priority && isPlayable(whenever: other)
      && request.asksForPart(of: other.request)
  }

  /// Whether this stub's flow is in the required state whenever the other stub's flow is.
  private func isPlayable(whenever other: Stub) -> Bool {
    guard let flow, flow.requires != nil else { return true }
    return flow.name == other.flow?.name && flow.requires == other.flow?.requires
  }
}

extension RequestPattern {
  /// Whether this pattern is certain to match every request that the other one matches, paths aside.
  fileprivate func asksForPart(of other: RequestPattern) -> Bool {
    RequestPart.all.allSatisfy { $0.isFree(in: self, comparedTo: other) }
  }
}
