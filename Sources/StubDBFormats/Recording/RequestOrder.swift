internal import HTTPTypes
package import StubDBModel

/// The order of recorded requests: those that ask for more come before those that accept them, too.
package enum RequestOrder {
  private struct Target: Hashable {
    var methods: [HTTPRequest.Method]
    var host: ValuePattern?
    var path: PathPattern?
  }

  /// The values in an order in which each is found, otherwise as they are.
  package static func sorted<Value>(
    _ values: [Value], by request: (Value) -> RequestPattern
  ) -> [Value] {
    let requests = values.map(request)
    var contained = [[Int]](repeating: [], count: values.count)
    var isSorted = true
    for places in targets(of: requests) where places.count > 1 {
      var index = DemandIndex()
      for place in places { index.insert(requests[place], at: place) }
      for place in places {
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
    var result = stubs
    for stub in added {
      let place = result.firstIndex { other in
        other.priority == stub.priority && other.request != stub.request
          && other.request.acceptsPath(of: stub.request)
          && other.request.accepts(allOf: stub.request)
          && !stub.request.accepts(allOf: other.request)
      }
      result.insert(stub, at: place ?? result.endIndex)
    }
    return result
  }

  /// The places of requests that may contain one another, each list ascending.
  private static func targets(of requests: [RequestPattern]) -> some Sequence<[Int]> {
    Dictionary(grouping: requests.indices) { place in
      let request = requests[place]
      return Target(methods: request.methods, host: request.host, path: request.path)
    }.values
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
    // Recorded JSON is compared as a whole.
    for demand in Set(StubDemand.demands(of: request, looksIntoJSON: false)) {
      places[demand, default: []].append(place)
    }
    places[.nothing, default: []].append(place)
  }

  /// The places whose patterns ask for all that a pattern asks for, and maybe for more.
  func places(containedIn request: RequestPattern) -> [Int] {
    let demands = [.nothing] + StubDemand.demands(of: request, looksIntoJSON: false)
    return demands.map { places[$0] ?? [] }.min { $0.count < $1.count } ?? []
  }
}
