internal import HTTPTypes
import StubDBDocuments
internal import StubDBFormats
package import StubDBJSON
package import StubDBModel
internal import StubDBRecording

/// What a draft proposes for one scenario.
package struct ScenarioReview {
  /// The kind of a change to a stub.
  package enum Kind: String {
    /// The scenario has no stub for such requests.
    case new
    /// A stub of the scenario is about the same requests, and answers otherwise.
    case changed
    /// Tests saw different answers; the one of the last run is proposed.
    case conflict
    /// Everything was recorded, and nothing asked for this recorded stub.
    case unseen
  }

  /// A change to one stub.
  package struct Proposal {
    package var kind: Kind
    /// The stub as it would be; for an unseen one as it is.
    package var stub: Stub
    /// Whether a stub of the scenario is about the same requests.
    package var isKnown = false
    /// What runs saw; empty for an unseen stub.
    package var answers = SeenAnswers()
    /// What it is made of.
    package var entries: [DraftReading.Entry] = []
    /// The places of a new request that are free, because the client had the secret before an answer gave it.
    package var freedSecrets: [JSONPointer] = []

    /// The tests that saw any of the answers, sorted.
    package var tests: [String] { answers.tests }
  }

  package let name: ScenarioName
  /// The scenario as it is; nil for one that does not exist.
  package let existing: Scenario?
  /// Requests that no stub can be made of, with the reason.
  package private(set) var unusable: [(request: String, reason: String)] = []
  /// What cannot be read.
  package private(set) var damaged: [DraftReading.Entry] = []
  /// In the order of the first requests, unseen stubs last; their keys are unique.
  package private(set) var proposals: [Proposal] = []
  /// What says nothing that the scenario does not say already.
  package private(set) var settled: [DraftReading.Entry] = []
  /// Exchanges that were decided in an earlier review.
  package let decided: [DraftReading.Entry]
  /// Whether everything was recorded, so that what nothing asked for may be gone.
  package let isWhole: Bool
  /// The keys of the stubs that were asked and answer as before.
  private var confirmed: Set<Stub.Key> = []

  /// Compares what runs of a scenario recorded with the scenario as it is.
  package init(
    _ name: ScenarioName, _ runs: [DraftReading.Run], of draft: DraftReading, existing: Scenario?
  ) throws {
    (self.name, self.existing) = (name, existing)
    decided = runs.flatMap { $0.entries.filter(\.isDecided) }
    let stubs = Dictionary((existing?.stubs ?? []).map { ($0.key, $0) }) { first, _ in first }
    func stub(_ key: String?) -> Stub? { key.flatMap { stubs[Stub.Key(unchecked: $0)] } }
    let asked = runs.lazy.flatMap(\.entries).filter { stub($0.stubKey) == nil }
    isWhole = !asked.isEmpty && asked.allSatisfy(\.isOfAll)
    var seen = SeenRequests()
    var answers: [(run: Int, answer: DraftReading.Recorded, stub: Stub)] = []
    for (number, run) in runs.enumerated() {
      var readable: [(entry: DraftReading.Entry, exchange: RecordedExchange)] = []
      let found = try draft.recorded(run)
      damaged += found.damaged
      for recorded in found.readable {
        if let stub = stub(recorded.entry.stubKey) {
          answers.append((number, recorded, stub))
        } else if let exchange = recorded.exchange {
          readable.append((recorded.entry, exchange))
        } else {
          damaged.append(recorded.entry)
        }
      }
      let made = RecordedStubs(
        of: readable.map(\.exchange), own: found.own, numbers: run.numbers)
      for (stub, places, freed) in made.list {
        seen.add(stub, places.map { readable[$0].entry }, orders: places, in: number, freed)
      }
      for (place, reason) in made.leftOut where !readable[place].entry.isDecided {
        let exchange = readable[place].exchange
        unusable.append(("\(exchange.method) \(exchange.url)", reason))
        settled.append(readable[place].entry)
      }
    }
    compare(seen.proposals)
    addAnswers(answers)
    if isWhole { addUnseen() }
  }

  /// Adds the answers that a real server has given to the requests of stubs.
  private mutating func addAnswers(
    _ answers: [(run: Int, answer: DraftReading.Recorded, stub: Stub)]
  ) {
    var places = Dictionary(
      proposals.enumerated().map { ($0.element.stub.key, $0.offset) }
    ) { first, _ in first }
    for (run, answer, known) in answers where !answer.entry.isDecided {
      guard let stub = answer.stub else { continue }
      let changed = known.answering(like: stub)
      guard changed.responses != known.responses else {
        settled.append(answer.entry)
        confirmed.insert(known.key)
        continue
      }
      let place = places[known.key] ?? proposals.count
      if place == proposals.count {
        places[known.key] = place
        proposals.append(Proposal(kind: .changed, stub: known, isKnown: true))
      }
      proposals[place].entries.append(answer.entry)
      proposals[place].answers.add(
        changed.responses, changed.recorded, Set([answer.entry.test].compactMap(\.self)),
        orders: [], in: run)
      proposals[place].propose()
    }
  }

  /// Finds the stubs of the scenario that are about the same requests.
  private mutating func compare(_ seen: [Proposal]) {
    let stubs = existing?.stubs ?? []
    var keys = UniqueNames(limit: Stub.Key.maximumLength, taken: Set(stubs.map(\.key.rawValue)))
    let known = StubsByRequest(stubs)
    for (place, group) in known.grouped(seen) {
      guard let place else {
        for var proposal in group where !proposal.entries.isEmpty {
          proposal.stub.key = Stub.Key(unchecked: keys.unique(proposal.stub.key.rawValue))
          proposals.append(proposal)
        }
        continue
      }
      var proposal = Proposal.merged(group, as: stubs[place].request)
      proposal.isKnown = true
      if proposal.entries.isEmpty || stubs[place].responses == proposal.stub.responses {
        settled += proposal.entries
        confirmed.insert(stubs[place].key)
        continue
      }
      var changed = stubs[place]
      (changed.responses, changed.then) = (proposal.stub.responses, proposal.stub.then)
      changed.recorded = proposal.stub.recorded
      proposal.stub = changed
      if proposal.kind == .new { proposal.kind = .changed }
      proposals.append(proposal)
    }
  }

  private mutating func addUnseen() {
    let asked = Set(proposals.map(\.stub.key)).union(confirmed)
    for stub in existing?.stubs ?? [] where stub.recorded != nil && !asked.contains(stub.key) {
      proposals.append(Proposal(kind: .unseen, stub: stub, isKnown: true))
    }
  }
}

/// The requests of runs, by their patterns.
private struct SeenRequests {
  private(set) var proposals: [ScenarioReview.Proposal] = []
  private var places: [RequestPattern: Int] = [:]

  mutating func add(
    _ stub: Stub, _ entries: [DraftReading.Entry], orders: [Int], in run: Int,
    _ freed: [JSONPointer]
  ) {
    let place = places[stub.request] ?? proposals.count
    if place == proposals.count {
      places[stub.request] = place
      proposals.append(ScenarioReview.Proposal(kind: .new, stub: stub))
    }
    proposals[place].freedSecrets += freed.filter { !proposals[place].freedSecrets.contains($0) }
    // Of what is decided, only the request counts.
    guard !entries.contains(where: \.isDecided) else { return }
    proposals[place].entries += entries
    proposals[place].answers.add(
      stub.responses, stub.recorded, Set(entries.compactMap(\.test)), orders: orders, in: run)
    proposals[place].propose()
  }
}

extension DraftReading.Recorded {
  /// The exchange as a stub; nil if it is damaged.
  fileprivate var stub: Stub? {
    let imported = exchange.flatMap { exchange in
      RecordedStubs(of: [exchange]).list.first?.stub
    }
    return imported ?? (try? Stub(documentValue: whole.stub))
  }
}

extension Stub {
  /// The stub with the answer of a recorded one in place of its first, except for when and how often it comes.
  fileprivate func answering(like recorded: Stub) -> Stub {
    guard var answer = recorded.responses.first, let old = responses.first else { return self }
    if let resource, responses.count == 1 { return beginning(like: recorded, answer, resource) }
    answer.delay = old.delay
    answer.throttle = old.throttle
    answer.callbacks = old.callbacks
    answer.repeatCount = old.repeatCount
    // The answer to a HEAD request says nothing about the content.
    if recorded.request.methods == [.head] { answer.body = old.body }
    // Stubs need not say it of JSON.
    if old.headers[.contentType] == nil, answer.body?.kind == .json,
      answer.headers[.contentType] == "application/json"
    {
      answer.headers[.contentType] = nil
    }
    var changed = self
    changed.responses[0] = answer
    changed.recorded = recorded.recorded
    return changed
  }

  /// The stub of a resource with the items of a recorded list; itself for an answer that no resource gives.
  private func beginning(
    like recorded: Stub, _ answer: StubResponse, _ resource: Resource
  ) -> Stub {
    guard answer.status == 200, let body = answer.body, let bytes = body.bytes,
      case .array(let items)? = try? JSONValue(parsing: bytes),
      (try? resource.check(items, at: JSONPointer())) != nil
    else { return self }
    var changed = self
    changed.responses[0].body = .json(.array(items))
    changed.recorded = recorded.recorded
    return changed
  }
}
