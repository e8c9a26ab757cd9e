internal import Foundation
internal import HTTPTypes
import StubDBContainment
package import StubDBEngine
package import StubDBFormats
package import StubDBModel

/// Asks a scenario for the recorded requests that a review took into it: each must get its recorded answer.
package struct ReviewProof {
  /// The part of a scenario that an exchange was taken into.
  package struct Source {
    package let entry: DraftReading.Entry
    package let stub: Stub.Key
    /// Whether the stub may have another answer on purpose: tests saw several, or it was merged with others.
    let hasChosenAnswer: Bool
  }

  /// A request that does not get its answer.
  package struct Failure: Hashable {
    package let scenario: ScenarioName
    package let stub: Stub.Key
    package let method: String
    package let url: String
    package let failure: SourceProof.Failure
    /// How the request differs from those of the stub that answers it; nil if their patterns differ.
    package let difference: Difference?
  }

  /// Where requests differ that two stubs match, so that no priority helps.
  package enum Difference: Hashable {
    case url(String)
    case content(String)
    /// Somewhere else, or where a command cannot say it.
    case other
  }

  private struct Place: Hashable {
    let file: String
    let offset: UInt64

    init(_ entry: DraftReading.Entry) { (file, offset) = (entry.file.path, entry.offset) }
  }

  /// A request whose failure is known.
  private struct Seen: Hashable {
    let stub: Stub.Key
    let method: String
    let url: String
    let content: Data?
    let failure: SourceProof.Failure
  }

  /// How many requests are compared with those of other stubs at most.
  private static let maximumComparedCount = 200

  private let scenario: Scenario
  private let stubs: [Stub.Key: Stub]
  private let loaded: LoadedScenario
  private let sources: [Place: Source]

  /// Nil if nothing is to be asked.
  ///
  /// Edited stubs, and answers that were proposed for a stub by its key, are not asked for. `included` are
  /// the stubs of the scenarios that it includes.
  /// - Throws: ``EngineError`` if the scenario cannot be played.
  package init?(
    _ sources: [Source], resolved: Scenario, written scenario: Scenario,
    included: [LoadedScenario.Source]
  ) throws(EngineError) {
    func stubs(_ scenario: Scenario) -> [Stub.Key: Stub] {
      Dictionary(scenario.stubs.map { ($0.key, $0) }) { first, _ in first }
    }
    let (before, after) = (stubs(resolved), stubs(scenario))
    let asked = sources.filter { source in
      guard source.entry.stubKey == nil, let stub = after[source.stub] else { return false }
      // Which state a test was in is not known.
      return before[source.stub] == stub && stub.flow == nil
    }
    let own = scenario.stubs.map { LoadedScenario.Source(origin: scenario.name, stub: $0) }
    guard !asked.isEmpty else { return nil }
    let loaded: LoadedScenario
    do throws(EngineError) {
      loaded = try LoadedScenario(name: scenario.name, stubs: own + included)
    } catch {
      // A large template of an included scenario stays in its file; the own stubs can be asked without it.
      guard error.code == .unreadableBody else { throw error }
      loaded = try LoadedScenario(name: scenario.name, stubs: own)
    }
    (self.scenario, self.stubs, self.loaded) = (scenario, after, loaded)
    self.sources = Dictionary(asked.map { (Place($0.entry), $0) }) { first, _ in first }
  }

  /// The requests that do not get their answers, each once, in the order of the runs, and how many further ones there are.
  ///
  /// Every run begins anew, as a test does.
  package func failures(
    in draft: DraftReading, limit: Int
  ) throws -> (named: [Failure], furtherCount: Int) {
    var failures: [Failure] = []
    var furtherCount = 0
    var seen: Set<Seen> = []
    for run in draft.runs where run.scenario == scenario.name.rawValue {
      guard run.entries.contains(where: { sources[Place($0)] != nil }) else { continue }
      // Placeholders are numbered by all requests of a run.
      let asked = try draft.recorded(run).readable.compactMap { recorded in
        sources[Place(recorded.entry)].flatMap { source in
          recorded.exchange.map { (source: source, exchange: $0) }
        }
      }
      for (place, failure) in SourceProof.failures(of: asked.map(\.exchange), in: loaded) {
        let (source, exchange) = asked[place]
        guard !isIntended(failure, source) else { continue }
        let isNew = seen.insert(
          Seen(
            stub: source.stub, method: exchange.method, url: exchange.url,
            content: exchange.request.content, failure: failure)
        ).inserted
        guard isNew else { continue }
        guard failures.count < limit, seen.count <= Self.maximumComparedCount else {
          furtherCount += 1
          continue
        }
        let found = Failure(
          scenario: scenario.name, stub: source.stub, method: exchange.method, url: exchange.url,
          failure: failure, difference: difference(of: asked[place], failure, among: asked))
        if !failures.contains(found) { failures.append(found) }
      }
    }
    return (failures, furtherCount)
  }

  /// Where a request differs from those that the stub answers which has the same ones; nil if a priority helps.
  private func difference(
    of asked: (source: Source, exchange: RecordedExchange), _ failure: SourceProof.Failure,
    among all: [(source: Source, exchange: RecordedExchange)]
  ) -> Difference? {
    guard case .otherAnswer(let key) = failure, key != asked.source.stub,
      let own = stubs[asked.source.stub], let other = stubs[key],
      let alone = try? LoadedScenario(
        name: scenario.name, stubs: [LoadedScenario.Source(origin: scenario.name, stub: own)])
    else { return nil }
    let others = all.filter { $0.source.stub == key }.map(\.exchange.request)
    guard
      own.request.accepts(allOf: other.request)
        || others.contains(where: { alone.firstMatch(for: $0) != nil })
    else { return nil }
    let request = asked.exchange.request
    if own.request.body != other.request.body {
      guard let text = request.text, !text.isEmpty, Self.canBeTyped(text),
        !others.contains(where: { $0.content == request.content }),
        request.headers[.contentType]?.lowercased().hasPrefix("multipart/") != true
      else { return .other }
      return .content(text)
    }
    guard let url = URLParts(request.url)?.description, Self.canBeTyped(url),
      !others.contains(where: { URLParts($0.url)?.description == url })
    else { return .other }
    return .url(url)
  }

  /// Whether a text can be a part of a command that matches the same in the next run.
  private static func canBeTyped(_ text: String) -> Bool {
    let hasControl = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    return text.utf8.count <= 1_000 && !hasControl && !RedactionPlaceholders.isIn(text)
  }

  private func isIntended(_ failure: SourceProof.Failure, _ source: Source) -> Bool {
    guard case .otherAnswer(let key) = failure else { return false }
    if key == source.stub { return source.hasChosenAnswer }
    // Which states and turns came before is not known, because what the catalog answered was not recorded.
    return stubs[key].map { $0.flow != nil || $0.then != .repeatLast } ?? false
  }
}
