internal import HTTPTypes
internal import StubDBContainment
package import StubDBModel

/// The order of recorded requests: those that ask for more come before those that accept them, too.
package enum RequestOrder {
  /// The values in an order in which each is found, otherwise as they are.
  ///
  /// `waiting` are the places of those that may come after others than before; all unless given.
  package static func sorted<Value>(
    _ values: [Value], waiting: Set<Int>? = nil, by request: (Value) -> RequestPattern
  ) -> [Value] {
    let requests = values.map { request($0).withCanonicalXML }
    var contained = [[Int]](repeating: [], count: values.count)
    var isSorted = true
    let askers = waiting.map { values.indices.filter($0.contains) } ?? Array(values.indices)
    for (askers, members) in groups(askers, requests) {
      var index = DemandIndex(askedFor: askers.map { requests[$0] })
      for place in members { index.insert(requests[place], at: place) }
      for place in askers {
        contained[place] = index.places(containedIn: requests[place]).filter { other in
          other > place && requests[place].accepts(allOf: requests[other])
            && !requests[other].accepts(allOf: requests[place])
        }
        if !contained[place].isEmpty { isSorted = false }
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

  /// Requests of one path, host and list of methods, each with all whose requests they may accept, in their order.
  private static func groups(
    _ askers: [Int], _ requests: [RequestPattern]
  ) -> some Sequence<(askers: [Int], members: [Int])> {
    var targets = TargetKeys()
    var groups: [TargetKeys.Key: (askers: [Int], members: [Int])] = [:]
    for place in askers {
      groups[targets.insert(requests[place]), default: ([], [])].askers.append(place)
    }
    for (place, request) in requests.enumerated() {
      for key in targets.keys(accepting: request) { groups[key]?.members.append(place) }
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

/// Keys of patterns by their methods, hosts and paths, to find those that accept all of another one.
private struct TargetKeys {
  struct Key: Hashable {
    var methods: [HTTPRequest.Method]
    var host: ValuePattern?
    var path: PathKeys.Key
  }

  /// How many lists of methods are looked for; of others, only the same are found.
  private static let maximumListCount = 16

  private var paths = PathKeys()
  private var lists: Set<[HTTPRequest.Method]> = []

  /// The key of a pattern that is to be found.
  mutating func insert(_ request: RequestPattern) -> Key {
    if request.methods.count > 1, lists.count < Self.maximumListCount {
      lists.insert(request.methods)
    }
    return Key(methods: request.methods, host: request.host, path: paths.insert(request))
  }

  /// The keys of all patterns that accept everything that the given one accepts, and of others; each once.
  func keys(accepting request: RequestPattern) -> Set<Key> {
    var methods: Set<[HTTPRequest.Method]> = [request.methods, []]
    if !request.methods.isEmpty {
      methods.formUnion(lists.filter { Set($0).isSuperset(of: request.methods) })
    }
    let hosts: Set<ValuePattern?> = [request.host, nil]
    var keys: Set<Key> = []
    for path in paths.keys(accepting: request) {
      for list in methods {
        for host in hosts { keys.insert(Key(methods: list, host: host, path: path)) }
      }
    }
    return keys
  }
}

/// Patterns by those of their demands that others have.
private struct DemandIndex {
  private var places: [StubDemand: [Int]] = [.nothing: []]

  /// Prepares for the patterns that are going to be looked up.
  init(askedFor requests: [RequestPattern]) {
    for request in requests {
      for demand in StubDemand.few(of: request) { places[demand] = [] }
    }
  }

  mutating func insert(_ request: RequestPattern, at place: Int) {
    for demand in [.nothing] + StubDemand.all(of: request) where places[demand]?.last != place {
      places[demand]?.append(place)
    }
  }

  /// The places whose patterns ask for all that a pattern asks for, and maybe for more.
  func places(containedIn request: RequestPattern) -> [Int] {
    let demands = [.nothing] + StubDemand.few(of: request)
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
