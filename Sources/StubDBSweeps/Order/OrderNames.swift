import StubDBEngine
import StubDBModel
import StubDBSupport
import StubDBVariations

/// Names requests so that repetitions of a test give the same names, in whatever order its requests come.
///
/// A name is the key of the stub; further URLs that it answers are `key#2`, and further requests to one URL `key.2`.
struct OrderNames: Sendable {
  private struct Target: Hashable {
    let stub: StubName
    let method: String
    let url: String
  }

  /// The names of targets, and their places among others.
  private var names: [Target: (name: String, place: Int)] = [:]
  private var variants: [String: Int] = [:]

  /// Orders targets by the places of their stubs in the scenario and the texts of their URLs: the order in which requests
  /// came is another one in each run.
  init(_ journal: [ServeEvent], in scenario: LoadedScenario) {
    var ranks: [StubName: Int] = [:]
    for (rank, source) in scenario.sources.enumerated() {
      ranks[StubName(scenario: source.origin, key: source.stub.key.rawValue)] = rank
    }
    let targets = Set(journal.compactMap(Self.target)).sorted { one, other in
      (ranks[one.stub] ?? .max, one.stub.key, one.url, one.method)
        < (ranks[other.stub] ?? .max, other.stub.key, other.url, other.method)
    }
    for target in targets { add(target) }
  }

  private static func target(_ event: ServeEvent) -> Target? {
    StubName(event).map {
      Target(stub: $0, method: event.request.method, url: event.request.url)
    }
  }

  private mutating func add(_ target: Target) {
    let number = (variants[target.stub.key] ?? 0) + 1
    variants[target.stub.key] = number
    names[target] = (target.stub.key + (number > 1 ? "#\(number)" : ""), names.count)
  }

  /// The name of the target of a request, and its place among others; nil if no stub answers.
  mutating func name(of event: ServeEvent) -> (name: String, place: Int)? {
    guard let target = Self.target(event) else { return nil }
    if names[target] == nil { add(target) }
    return names[target]
  }

  /// Whether a name is one of requests that the stub with a key answers.
  static func isName(_ name: String, ofKey key: String) -> Bool {
    guard name.hasPrefix(key) else { return false }
    let rest = name.dropFirst(key.count)
    return rest.allSatisfy { $0.isNumber || "#.".contains($0) } && rest.first?.isNumber != true
  }
}
