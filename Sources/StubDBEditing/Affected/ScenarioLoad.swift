internal import StubDBModel
internal import StubDBPlayback
package import StubDBSupport

/// What a test loads: a scenario and the overlays on top of it, by name.
package struct ScenarioLoad: Hashable, Sendable {
  package let scenario: String
  package let overlays: [String]

  init(_ entry: LedgerEntry) { (scenario, overlays) = (entry.scenario, entry.overlays) }

  var names: [String] { [scenario] + overlays }
}

/// A stub by the scenario whose document contains it and its key, compared by their bytes.
package struct StubPlace: Hashable, Sendable {
  package let scenario: String
  @ByBytes package var key: String
}

/// What a load resolves to in one state of a catalog: its scenarios in the order in which they answer.
struct ResolvedLoad {
  /// A scenario in the list, by the name that the usage ledger has for it.
  struct Part: Hashable {
    let scenario: String
    /// 0 for the scenario and its includes, higher for overlays, which answer first.
    let layer: Int
  }

  /// Where a stub comes in the order in which stubs answer.
  struct Place: Comparable {
    let layer: Int
    let priority: Int
    let part: Int
    let index: Int

    static func < (one: Place, other: Place) -> Bool {
      (-one.layer, one.priority, one.part, one.index)
        < (-other.layer, other.priority, other.part, other.index)
    }
  }

  let parts: [Part]
  /// The scenarios, each once.
  let scenarios: Set<String>
  let digest: String
  private let places: [String: [Int]]

  init(_ parts: [Part], digest: String) {
    (self.parts, self.digest) = (parts, digest)
    places = Dictionary(grouping: parts.indices) { parts[$0].scenario }
    scenarios = Set(places.keys)
  }

  /// The layers in which a scenario is; empty if it is not in the list.
  func layers(of scenario: String) -> [Int] { (places[scenario] ?? []).map { parts[$0].layer } }

  /// The first and the last place of a stub, since an overlay may contain a scenario again; nil if its scenario is not
  /// in the list.
  func places(
    of scenario: String, priority: Int, index: Int
  ) -> (first: Place, last: Place)? {
    let all = (places[scenario] ?? []).map {
      Place(layer: parts[$0].layer, priority: priority, part: $0, index: index)
    }
    guard let first = all.min(), let last = all.max() else { return nil }
    return (first, last)
  }
}

/// The stubs of a scenario, and their places in it by key.
struct ScenarioStubs {
  let stubs: [Stub]
  let indexes: [Stub.Key: Int]

  init(_ stubs: [Stub]) {
    // A summary plays no part in answers.
    self.stubs = stubs.map { stub in
      var stub = stub
      stub.summary = nil
      return stub
    }
    indexes = Dictionary(
      stubs.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
  }

  subscript(key: Stub.Key) -> Stub? { indexes[key].map { stubs[$0] } }
}

/// How the stubs of a scenario differ between two states.
struct ScenarioChange {
  /// The stubs that are in one state only, or not the same in both.
  private(set) var differing: Set<Stub.Key> = []
  /// The differing stubs that have to answer in one of the states, each once.
  private(set) var required: [Stub.Key] = []
  /// Whether stubs of both states have another order.
  let isReordered: Bool

  /// All stubs of a scenario that only one of the states has.
  init(only stubs: ScenarioStubs) {
    (differing, isReordered) = (Set(stubs.indexes.keys), false)
    findRequired(in: stubs.stubs)
  }

  init(_ one: ScenarioStubs, _ other: ScenarioStubs) {
    for stub in one.stubs where other[stub.key] != stub { differing.insert(stub.key) }
    for stub in other.stubs where one.indexes[stub.key] == nil { differing.insert(stub.key) }
    let order = other.stubs.compactMap { one.indexes[$0.key] }
    isReordered = zip(order, order.dropFirst()).contains { $0 > $1 }
    findRequired(in: one.stubs + other.stubs)
  }

  private mutating func findRequired(in stubs: [Stub]) {
    var seen: Set<Stub.Key> = []
    required = stubs.filter {
      $0.isRequired && differing.contains($0.key) && seen.insert($0.key).inserted
    }.map(\.key)
  }

  var isEmpty: Bool { differing.isEmpty && !isReordered }
}
