internal import StubDBModel

/// Finds requests that the stubs of several origins answer, for scenarios with what they include.
///
/// Scenarios are visited after those that they include. What is known of an included scenario is taken over by the last
/// one that includes it, so that the work on a chain grows with its length.
struct SharedOrigins {
  /// What a request must be besides going to the right origin.
  struct Rest: Hashable, Comparable {
    let path: String
    let method: String
    let pattern: String

    static func < (one: Rest, other: Rest) -> Bool {
      (one.path, one.method, one.pattern) < (other.path, other.method, other.pattern)
    }
  }

  /// A scenario while it is visited.
  private struct Part {
    var name: ScenarioName
    /// The requests that some scenarios send to different origins, with the origins here.
    var requests: [Int: Set<String>] = [:]
    /// The scenarios that it includes.
    var includes: [Int] = []
    /// How many scenarios that include it are not done.
    var includerCount = 0
    /// The first request with several origins.
    var first: Int?
    var state = State.new
  }

  private enum State {
    case new, open, done
  }

  /// The requests with several origins anywhere in the catalog, sorted; only these can be shared.
  private let candidates: [Rest]
  private var parts: [Part]
  /// How many requests may still be looked at, and includes followed: a hostile catalog has scenarios that all include
  /// each other.
  private(set) var budget = 5_000_000

  /// Begins with the requests of each scenario's own stubs, and what it includes.
  ///
  /// Names that the catalog does not have, and circles, count as nothing: `check` reports them.
  init(
    requests: [ScenarioName: [Rest: Set<String>]], includes: [ScenarioName: [ScenarioName]]
  ) {
    var origins: [Rest: Set<String>] = [:]
    for own in requests.values { origins.merge(own) { $0.union($1) } }
    candidates = origins.filter { $0.value.count > 1 }.keys.sorted()
    let ranks = Dictionary(uniqueKeysWithValues: candidates.enumerated().map { ($1, $0) })
    parts = requests.keys.sorted().map { Part(name: $0) }
    let places = Dictionary(uniqueKeysWithValues: parts.enumerated().map { ($1.name, $0) })
    for place in parts.indices {
      let name = parts[place].name
      for (rest, origins) in requests[name] ?? [:] {
        if let rank = ranks[rest] { parts[place].requests[rank] = origins }
      }
      parts[place].includes = (includes[name] ?? []).compactMap { places[$0] }
      for included in parts[place].includes { parts[included].includerCount += 1 }
    }
  }

  /// The first shared request of each scenario that has one, ordered by the scenarios' names.
  mutating func requests() -> [SharedRequest] {
    guard !candidates.isEmpty else { return [] }
    var found: [Int: SharedRequest] = [:]
    for start in parts.indices {
      var way = [start]
      while let place = way.last, budget > 0 {
        switch parts[place].state {
        case .new:
          parts[place].state = .open
          budget -= 1 + parts[place].includes.count
          way += parts[place].includes.filter { parts[$0].state == .new }
        case .open:
          parts[place].state = .done
          found[place] = finish(place)
          way.removeLast()
        case .done:
          way.removeLast()
        }
      }
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Adds what a scenario includes to its own requests.
  private mutating func finish(_ place: Int) -> SharedRequest? {
    // A scenario that is still open includes this one too: they are part of a circle.
    let includes = parts[place].includes.filter { parts[$0].state == .done && $0 != place }
    for included in includes { parts[included].includerCount -= 1 }
    var requests = parts[place].requests
    var first = requests.filter { $0.value.count > 1 }.keys.min()
    budget -= requests.count
    for included in includes {
      if let other = parts[included].first { first = min(first ?? other, other) }
      var added = parts[included].requests
      if parts[included].includerCount == 0 { parts[included].requests = [:] }
      if added.count > requests.count { swap(&added, &requests) }
      budget -= added.count
      for (rank, origins) in added {
        requests[rank, default: []].formUnion(origins)
        if let all = requests[rank], all.count > 1 { first = min(first ?? rank, rank) }
      }
    }
    parts[place].requests = requests
    parts[place].first = first
    return first.map { sharedRequest($0, of: place) }
  }

  private func sharedRequest(_ rank: Int, of place: Int) -> SharedRequest {
    let rest = candidates[rank]
    let method = rest.method.isEmpty ? "" : "\(rest.method) "
    return SharedRequest(
      scenario: parts[place].name, request: method + rest.path,
      origins: (parts[place].requests[rank] ?? []).sorted())
  }
}
