internal import HTTPTypes
internal import StubDBEngine
package import StubDBModel

/// The order of recorded requests: those that ask for more come before those that accept them, too.
package enum RequestOrder {
  private struct Target: Hashable {
    var methods: [HTTPRequest.Method]
    var host: ValuePattern?
  }

  /// The values in an order in which each is found, otherwise as they are.
  ///
  /// `waiting` are the places of those that may come after others than before; all unless given.
  package static func sorted<Value>(
    _ values: [Value], waiting: Set<Int>? = nil, by request: (Value) -> RequestPattern
  ) -> [Value] {
    let requests = values.map { request($0).withCanonicalXML }
    var contained = [[Int]](repeating: [], count: values.count)
    var isSorted = true
    for places in targets(of: requests) where places.count > 1 {
      let askers = waiting.map { places.filter($0.contains) } ?? places
      for (askers, members) in groups(askers, among: places, requests) {
        var index = DemandIndex()
        for place in members { index.insert(requests[place], at: place) }
        for place in askers {
          contained[place] = index.places(containedIn: requests[place]).filter { other in
            other > place && requests[place].accepts(allOf: requests[other])
              && !requests[other].accepts(allOf: requests[place])
          }
          if !contained[place].isEmpty { isSorted = false }
        }
      }
    }
    guard !isSorted else { return values }
    return order(contained).map { values[$0] }
  }

  /// The stubs with new ones, each of which comes before the first one that accepts all of its requests, and after the
  /// others.
  package static func adding(_ added: [Stub], to stubs: [Stub]) -> [Stub] {
    guard !added.isEmpty else { return stubs }
    var result = stubs
    var earlier = StubsByPath()
    for stub in stubs { earlier.insert(stub) }
    for stub in added {
      let accepting = earlier.accepting(stub)
      let place = accepting.isEmpty ? nil : result.firstIndex { accepting.contains($0.key) }
      result.insert(stub, at: place ?? result.endIndex)
      earlier.insert(stub)
    }
    return result
  }

  /// The places of requests that may contain one another, each list ascending.
  private static func targets(of requests: [RequestPattern]) -> some Sequence<[Int]> {
    Dictionary(grouping: requests.indices) { place in
      Target(methods: requests[place].methods, host: requests[place].host)
    }.values
  }

  /// Requests of one path, and all whose paths they accept, with others among them.
  private static func groups(
    _ askers: [Int], among places: [Int], _ requests: [RequestPattern]
  ) -> some Sequence<(askers: [Int], members: [Int])> {
    var paths = PathKeys()
    var groups: [PathKeys.Key: (askers: [Int], members: [Int])] = [:]
    for place in askers {
      groups[paths.insert(requests[place]), default: ([], [])].askers.append(place)
    }
    for place in places {
      for key in paths.keys(accepting: requests[place]) { groups[key]?.members.append(place) }
    }
    return groups.values.filter { $0.members.count > 1 }
  }

  /// Each place after those that it has to wait for, which come later.
  private static func order(_ contained: [[Int]]) -> [Int] {
    var order: [Int] = []
    var isDone = [Bool](repeating: false, count: contained.count)
    for start in contained.indices {
      var open = [start]
      while let place = open.last {
        let next = isDone[place] ? nil : contained[place].first { !isDone[$0] }
        if let next {
          open.append(next)
          continue
        }
        open.removeLast()
        if !isDone[place] {
          isDone[place] = true
          order.append(place)
        }
      }
    }
    return order
  }
}

/// Patterns by what they ask for.
private struct DemandIndex {
  private var places: [StubDemand: [Int]] = [:]

  mutating func insert(_ request: RequestPattern, at place: Int) {
    for demand in Set(StubDemand.demands(of: request)) {
      places[demand, default: []].append(place)
    }
    places[.nothing, default: []].append(place)
  }

  /// The places whose patterns ask for all that a pattern asks for, and maybe for more.
  func places(containedIn request: RequestPattern) -> [Int] {
    let demands = [.nothing] + StubDemand.demands(of: request)
    return demands.map { places[$0] ?? [] }.min { $0.count < $1.count } ?? []
  }
}

/// Stubs by the paths that they accept.
private struct StubsByPath {
  private var paths = PathKeys()
  private var stubs: [PathKeys.Key: [Stub]] = [:]

  mutating func insert(_ stub: Stub) {
    var stub = stub
    stub.request = stub.request.withCanonicalXML
    stubs[paths.insert(stub.request), default: []].append(stub)
  }

  /// The keys of the stubs of the same priority that accept all requests of one, and others.
  func accepting(_ stub: Stub) -> Set<Stub.Key> {
    let request = stub.request.withCanonicalXML
    let others = paths.keys(accepting: request).flatMap { stubs[$0] ?? [] }
    return Set(
      others.filter { other in
        other.priority == stub.priority && other.request.accepts(allOf: request)
          && !request.accepts(allOf: other.request)
      }.map(\.key))
  }
}
