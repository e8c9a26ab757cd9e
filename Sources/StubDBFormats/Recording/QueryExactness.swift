internal import HTTPTypes
internal import StubDBContainment
internal import StubDBModel

/// Decides which stubs answer no request with other parameters.
enum QueryExactness {
  private struct Target: Hashable {
    var methods: [HTTPRequest.Method]
    var path: PathPattern?
  }

  private struct Origin: Hashable {
    var scheme: String?
    var host: ValuePattern?
    var port: Int?

    init(_ request: RequestPattern) {
      (scheme, host, port) = (request.scheme, request.host, request.port)
    }
  }

  /// Sets `queryIsExact` where another stub of the same method and path has a superset of the parameters, where what
  /// recorded the requests compares all of them, and if `always`.
  ///
  /// A stub from which parameters were taken out stays open: requests have them. One without a host shares its requests
  /// with those of all hosts.
  static func settle(_ stubs: inout [ImportedStub], always: Bool = false) {
    for place in stubs.indices where !stubs[place].hasFreeQuery {
      if always || stubs[place].comparesWholeQuery { stubs[place].stub.request.queryIsExact = true }
    }
    let places = Dictionary(grouping: stubs.indices) { place in
      let request = stubs[place].stub.request
      return Target(methods: request.methods, path: request.path)
    }
    for group in places.values where group.count > 1 { settle(group, of: &stubs) }
  }

  /// Settles stubs of one method and path.
  private static func settle(_ places: [Int], of stubs: inout [ImportedStub]) {
    let origins = Dictionary(grouping: places) { Origin(stubs[$0].stub.request) }
    func queries(_ places: [Int]) -> Supersets {
      Supersets(places.map { stubs[$0].stub.request.queryDemands })
    }
    let all = queries(places)
    let open = queries(places.filter { stubs[$0].stub.request.host == nil })
    var exact: [Int] = []
    for (origin, places) in origins {
      let rivals = origin.host == nil ? [all] : [queries(places), open]
      for place in places where !stubs[place].hasFreeQuery {
        let request = stubs[place].stub.request
        if !request.queryIsExact,
          rivals.contains(where: { $0.hasSuperset(of: request.queryDemands) })
        {
          exact.append(place)
        }
      }
    }
    for place in exact { stubs[place].stub.request.queryIsExact = true }
  }
}

extension RequestPattern {
  /// What is asked of the parameters; one of several values is asked for by itself, too, and one that may have any value
  /// by its name.
  fileprivate var queryDemands: Set<NamedPattern> {
    Set(
      query.flatMap { named in
        named.pattern == .anything
          ? [named] : named.pattern.demands.map { NamedPattern(named.name, $0) }
      })
  }
}

/// Sets of parameters by each parameter in them, so that few are compared.
private struct Supersets {
  private var sets: [Set<NamedPattern>] = []
  private var places: [NamedPattern: [Int]] = [:]

  init(_ all: [Set<NamedPattern>]) {
    sets = Array(Set(all))
    for (place, set) in sets.enumerated() {
      for parameter in set { places[parameter, default: []].append(place) }
    }
  }

  func hasSuperset(of set: Set<NamedPattern>) -> Bool {
    guard let rarest = set.min(by: { count($0) < count($1) }) else { return !places.isEmpty }
    return (places[rarest] ?? []).contains { sets[$0].isStrictSuperset(of: set) }
  }

  private func count(_ parameter: NamedPattern) -> Int { places[parameter]?.count ?? 0 }
}
