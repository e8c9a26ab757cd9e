import HTTPTypes
import StubDBFormats
import StubDBModel
import StubDBRecording

/// What a draft proposes for one scenario.
struct ScenarioReview {
  /// What becomes of a stub.
  enum Kind: String {
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
  struct Proposal {
    var kind: Kind
    /// The stub as it would be; for an unseen one as it is.
    var stub: Stub
    var tests: Set<String> = []
    /// What it is made of.
    var entries: [DraftReading.Entry] = []
  }

  let name: ScenarioName
  private(set) var proposals: [Proposal] = []
  /// What says nothing that the scenario does not say already.
  private(set) var settled: [DraftReading.Entry] = []
  /// The keys of the stubs that were asked and answer as before.
  private var confirmed: Set<Stub.Key> = []

  /// Compares what runs of a scenario recorded with the scenario as it is; nil for one that does not exist.
  init(_ name: ScenarioName, _ runs: [[DraftReading.Entry]], existing: Scenario?) {
    self.name = name
    let log = ReportLog()
    for run in runs {
      var numbers = PlaceholderNumbers()
      let all = run.compactMap { entry in
        numbers.renumbered(entry.whole).recorded(log: log).map { (entry, $0) }
      }
      let readable = all.filter { existing?.stub(named: $0.0.exchange.stubKey) == nil }
      for (stub, places) in RecordedStubs.stubs(of: readable.map(\.1), log: log) {
        add(stub, places.map { readable[$0].0 })
      }
    }
    compare(with: existing)
    guard let existing else { return }
    for entry in runs.joined() { addAnswer(entry, of: existing, log) }
    let asked = runs.joined().filter { $0.exchange.stubKey == nil }
    if !asked.isEmpty, asked.allSatisfy({ $0.exchange.mode == "all" }) { addUnseen(of: existing) }
  }

  /// Adds the answer that a real server has given to the request of a stub, if the exchange names one.
  private mutating func addAnswer(
    _ entry: DraftReading.Entry, of existing: Scenario, _ log: ReportLog
  ) {
    var numbers = PlaceholderNumbers()
    let whole = numbers.renumbered(entry.whole)
    guard let known = existing.stub(named: entry.exchange.stubKey),
      let stub = whole.recorded(log: log).flatMap({
        RecordedStubs.stubs(of: [$0], log: log).first?.stub
      }) ?? (try? Stub(documentValue: whole.stub))
    else { return }
    let changed = known.answering(like: stub)
    guard changed.responses != known.responses else {
      settled.append(entry)
      confirmed.insert(known.key)
      return
    }
    guard let index = proposals.firstIndex(where: { $0.stub.key == known.key }) else {
      let tests = Set([entry.exchange.test].compactMap(\.self))
      proposals.append(
        Proposal(kind: .changed, stub: changed, tests: tests, entries: [entry]))
      return
    }
    proposals[index].entries.append(entry)
    proposals[index].tests.formUnion([entry.exchange.test].compactMap(\.self))
    if proposals[index].stub.responses != changed.responses {
      (proposals[index].kind, proposals[index].stub) = (.conflict, changed)
    }
  }

  private mutating func add(_ stub: Stub, _ entries: [DraftReading.Entry]) {
    let tests = entries.compactMap(\.exchange.test)
    guard let index = proposals.firstIndex(where: { $0.stub.request == stub.request }) else {
      proposals.append(
        Proposal(kind: .new, stub: stub, tests: Set(tests), entries: entries))
      return
    }
    proposals[index].tests.formUnion(tests)
    proposals[index].entries += entries
    if proposals[index].stub.responses != stub.responses {
      proposals[index].kind = .conflict
      proposals[index].stub.responses = stub.responses
    }
  }

  private mutating func compare(with existing: Scenario?) {
    let stubs = existing?.stubs ?? []
    var keys = UniqueNames(
      limit: Stub.Key.maximumLength, taken: Set(stubs.map(\.key.rawValue)))
    var open: [Proposal] = []
    for var proposal in proposals {
      guard let known = stubs.first(where: { $0.request == proposal.stub.request }) else {
        proposal.stub.key = Stub.Key(unchecked: keys.unique(proposal.stub.key.rawValue))
        open.append(proposal)
        continue
      }
      if known.responses == proposal.stub.responses {
        settled += proposal.entries
        confirmed.insert(known.key)
        continue
      }
      var changed = known
      (changed.responses, changed.then) = (proposal.stub.responses, proposal.stub.then)
      changed.recorded = proposal.stub.recorded
      proposal.stub = changed
      if proposal.kind == .new { proposal.kind = .changed }
      open.append(proposal)
    }
    proposals = open
  }

  private mutating func addUnseen(of existing: Scenario) {
    let asked = Set(proposals.map(\.stub.key))
    for stub in existing.stubs
    where stub.recorded != nil && !asked.contains(stub.key) && !confirmed.contains(stub.key) {
      proposals.append(Proposal(kind: .unseen, stub: stub))
    }
  }

  /// The scenario with some of the proposals.
  func applied(
    to existing: Scenario?, _ isChosen: (Proposal) -> Bool
  ) -> Scenario {
    var scenario = existing ?? Scenario(name: name)
    for proposal in proposals where isChosen(proposal) {
      let index = scenario.stubs.firstIndex { $0.key == proposal.stub.key }
      switch (proposal.kind, index) {
      case (.unseen, let index?): scenario.stubs.remove(at: index)
      case (.unseen, nil): continue
      case (_, let index?): scenario.stubs[index] = proposal.stub
      case (_, nil): scenario.stubs.append(proposal.stub)
      }
    }
    return scenario
  }
}

extension Scenario {
  /// The own stub with a key; nil if there is none.
  fileprivate func stub(named key: String?) -> Stub? {
    key.flatMap { key in stubs.first { $0.key.rawValue == key } }
  }
}

extension Stub {
  /// The stub with the answer of a recorded one in place of its first, except for when and how often it comes.
  fileprivate func answering(like recorded: Stub) -> Stub {
    guard var answer = recorded.responses.first, let old = responses.first else { return self }
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
}
