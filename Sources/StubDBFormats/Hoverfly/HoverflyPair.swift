internal import StubDBModel

/// A request and its response, translated.
struct HoverflyPair {
  /// Its place in the simulation, from 0.
  var number = 0
  var value: SourceValue
  var items: [ReportLog.Item] = []
  /// The stub, without the state that it requires.
  var stub = Stub(key: .unset)
  var requiredState: [String: String] = [:]
  var newState: [String: String] = [:]
  var removedState: [String] = []
  var labels: [String] = []
  /// How strongly it matches: two for a field that is exact, one for others.
  var score = 0

  /// The prefix of the names of states that only count requests.
  static let sequencePrefix = "sequence:"

  /// In the order in which Hoverfly chooses: the strongest, and of equals the last.
  static func strongestFirst(_ pairs: [HoverflyPair]) -> [HoverflyPair] {
    var pairs = pairs
    for place in pairs.indices { pairs[place].number = place }
    return pairs.sorted { ($0.score, $0.number) > ($1.score, $1.number) }
  }

  /// The stub; none if it was left out, which the report says.
  func stubs() throws(FormatError) -> [ImportedStub] {
    var stub = stub
    for (name, value) in requiredState {
      stub.request.captured["state/\(name)"] = Self.condition(name, value)
    }
    for name in Set(removedState) where newState[name] == nil {
      stub.captures.append(Capture("state/\(name)", .nothing))
    }
    for (name, value) in newState {
      stub.captures.append(Capture("state/\(name)", .template(value)))
    }
    value.tree.log.item = items.first
    let source = ReportSource(value)
    for (name, value) in requiredState.sorted(by: { $0.key < $1.key }) {
      source.add(.changed, .state, "State \(name) = \(value) became a captured value")
    }
    return try StubTranslation.attempt(source, conditions: [], isLenient: false) {
      [ImportedStub(stub: try StubTranslation.checked(stub), items: items)]
    } ?? []
  }

  /// A count of requests begins at 1 without being set.
  private static func condition(_ name: String, _ value: String) -> ValuePattern {
    name.hasPrefix(sequencePrefix) && value == "1" ? .or(["1", .absent]) : .equalTo(value)
  }
}

/// Pairs that answer the same request one after another, as one stub.
enum HoverflySequences {
  private struct Target: Hashable {
    var request: RequestPattern
    var state: [String: String]
    var newState: [String: String]
    var removedState: [String]
  }

  /// Merges the pairs of a sequence if they match the same request.
  static func grouped(_ pairs: [HoverflyPair]) -> [HoverflyPair] {
    var places: [String: [Int]] = [:]
    for (place, pair) in pairs.enumerated() {
      for name in pair.sequences { places[name, default: []].append(place) }
    }
    var result: [HoverflyPair?] = pairs
    for (name, group) in places.sorted(by: { $0.key < $1.key }) {
      guard let whole = whole(name, group.map { pairs[$0] }) else { continue }
      for place in group { result[place] = nil }
      result[group.min() ?? 0] = whole
    }
    return result.compactMap(\.self)
  }

  private static func whole(_ name: String, _ pairs: [HoverflyPair]) -> HoverflyPair? {
    let steps = pairs.compactMap { pair in
      pair.requiredState[name].flatMap { Int($0) }.map { (step: $0, pair: pair) }
    }.sorted { $0.step < $1.step }
    guard steps.count == pairs.count, pairs.allSatisfy({ $0.sequences == [name] }),
      steps.map(\.step) == Array(1...max(1, steps.count)),
      Set(pairs.map { target($0, without: name) }).count == 1, var first = steps.first?.pair,
      let last = steps.last?.pair
    else { return nil }
    for (place, entry) in steps.enumerated() where place < steps.count - 1 {
      guard entry.pair.newState[name] == String(entry.step + 1) else { return nil }
    }
    switch last.newState[name] {
    case nil, String(steps.count): break
    case "1": first.stub.then = .cycle
    default: return nil
    }
    first.number = steps.map(\.pair.number).max() ?? 0
    first.stub.responses = steps.flatMap(\.pair.stub.responses)
    first.items = steps.dropFirst().flatMap(\.pair.items)
    first.requiredState[name] = nil
    first.newState[name] = nil
    return first
  }

  private static func target(_ pair: HoverflyPair, without name: String) -> Target {
    var target = Target(
      request: pair.stub.request, state: pair.requiredState, newState: pair.newState,
      removedState: pair.removedState)
    target.state[name] = nil
    target.newState[name] = nil
    return target
  }
}

extension HoverflyPair {
  /// The names of the sequences that it is part of.
  var sequences: [String] {
    Set(requiredState.keys).union(newState.keys).filter { $0.hasPrefix(Self.sequencePrefix) }
      .sorted()
  }
}
