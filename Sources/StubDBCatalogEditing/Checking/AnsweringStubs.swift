internal import HTTPTypes
internal import StubDBContainment
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

  private typealias Demand = StubDemand

  private struct Entry {
    let stub: Stub
    let compared: Stub
    let position: Int

    /// The smaller one answers first.
    var rank: (priority: Int, position: Int) { (stub.priority, position) }
  }

  /// Each stub is stored once, under its path and under that one of its demands that the fewest other stubs have.
  private var entries: [PathKeys.Key: [Demand: [Entry]]] = [:]
  private var paths = PathKeys()
  private var insertedCount = 0

  package init() {}

  /// Inserts a stub; does nothing if the stub does not always answer.
  ///
  /// `position` is its place among the stubs of its priority; after all others unless given, which has to be done for
  /// all stubs or for none.
  package mutating func insert(_ stub: Stub, at position: Int? = nil) {
    guard stub.alwaysAnswers else { return }
    let compared = stub.compared
    let path = paths.insert(compared.request)
    let rarest = rarestDemand(of: compared, at: path)
    let entry = Entry(stub: stub, compared: compared, position: position ?? insertedCount)
    insertedCount += 1
    entries[path, default: [:]][rarest, default: []].append(entry)
  }

  private func rarestDemand(of stub: Stub, at path: PathKeys.Key) -> Demand {
    var rarest = Demand.nothing
    var count = Int.max
    for demand in Self.demands(of: stub, StubDemand.few).reversed() where count > 0 {
      let others = entries[path]?[demand]?.count ?? 0
      if others < count { (rarest, count) = (demand, others) }
    }
    return rarest
  }

  /// Removes a stub that was inserted.
  package mutating func remove(_ stub: Stub) {
    let path = paths.key(of: stub.request)
    for demand in [.nothing] + Self.demands(of: stub.compared, StubDemand.few) {
      guard let place = entries[path]?[demand]?.firstIndex(where: { $0.stub.key == stub.key })
      else { continue }
      entries[path]?[demand]?.remove(at: place)
      return
    }
  }

  /// The stub that always answers before the given one, or nil.
  ///
  /// If several do, the one with the smallest priority number, and of those the one with the smallest position.
  /// `position` is that of the given stub, whether it has been inserted or not; after all others unless given.
  package func first(shadowing stub: Stub, at position: Int? = nil) -> Stub? {
    var first: Entry?
    var limit = (priority: stub.priority, position: position ?? Int.max)
    let kept = paths.keys(accepting: stub.request).compactMap { entries[$0] }
    if kept.isEmpty { return nil }
    let stub = stub.compared
    for demand in [.nothing] + Self.demands(of: stub, StubDemand.all) {
      for entries in kept {
        // Not necessarily in the order in which they answer.
        for entry in (entries[demand] ?? []).prefix(Self.maximumCount)
        where entry.rank < limit && entry.position != position && entry.compared.shadows(stub) {
          (first, limit) = (entry, entry.rank)
        }
      }
    }
    return first?.stub
  }

  private static func demands(
    of stub: Stub, _ requestDemands: (RequestPattern) -> [Demand]
  ) -> [Demand] {
    let demands = requestDemands(stub.request)
    guard let flow = stub.flow, let state = flow.requires else { return demands }
    return [.state(flow: flow.name, state)] + demands
  }
}

extension Scenario {
  /// The stub with an equal request pattern that answers first, or nil.
  ///
  /// One that always answers is preferred to one that only answers some requests, or only in a state of a flow.
  package func firstStub(asking request: RequestPattern) -> Stub? {
    stubs.indices.filter { stubs[$0].request == request }.min {
      rank(ofStubAt: $0) < rank(ofStubAt: $1)
    }.map { stubs[$0] }
  }

  private func rank(ofStubAt index: Int) -> (Int, Int, Int) {
    let stub = stubs[index]
    let isAlways = stub.alwaysAnswers && stub.flow?.requires == nil
    return (isAlways ? 0 : 1, stub.priority, index)
  }
}

extension Stub {
  fileprivate var compared: Stub {
    var stub = self
    stub.request = request.withCanonicalXML
    return stub
  }

  /// Whether every matching request gets an answer from this stub, however many there are.
  fileprivate var alwaysAnswers: Bool {
    (then == .repeatLast || then == .cycle || then == .passthrough)
      && !responses.contains { $0.delegation == .next }
  }

  /// Whether a stub that comes first takes all requests of the other one.
  fileprivate func shadows(_ other: Stub) -> Bool {
    // A stub that names HEAD answers such requests before all that do not, whatever the order.
    if other.request.methods.contains(.head), !request.methods.contains(.head) { return false }
    return isPlayable(whenever: other) && request.accepts(allOf: other.request)
  }

  /// Whether this stub's flow is in the required state whenever the other stub's flow is.
  private func isPlayable(whenever other: Stub) -> Bool {
    guard let flow, flow.requires != nil else { return true }
    return flow.name == other.flow?.name && flow.requires == other.flow?.requires
  }
}
