internal import Foundation
internal import HTTPTypes
internal import StubDBDocuments
package import StubDBModel

/// The stubs that are exported, and the disposition of their documents.
package struct ExportContent {
  /// The scenarios that were asked for and those they include, each once, in the order in which they answer.
  package let scenarios: [ExportedScenario]
  package let options: ExportOptions
  package let log: ReportLog

  /// All stubs in document order, a scenario's own before included ones.
  package var stubs: [ExportedStub] { scenarios.flatMap(\.stubs) }

  /// All stubs in the order in which they answer: by priority, then in document order.
  package var stubsInAnswerOrder: [ExportedStub] { stubs.inAnswerOrder }

  /// Makes the content of scenarios with all that they include; each counts once.
  package init(
    _ scenarios: [Scenario], options: ExportOptions = ExportOptions(), log: ReportLog = ReportLog()
  ) {
    self.options = options
    self.log = log
    var seen: Set<ScenarioName> = []
    let play = ExportedPlay(scenarios)
    self.scenarios = scenarios.filter { seen.insert($0.name).inserted }
      .map { ExportedScenario($0, in: play, log: log) }
    // From here on, lines are about the stubs in whose documents their values are.
    log.item = nil
  }

  /// Records the disposition of the scenarios' own members.
  func settleScenarios(_ rules: KeyValuePairs<String, SourceValue.Settlement>) {
    for scenario in scenarios { scenario.document.settle(rules) }
  }
}

/// A scenario that is exported, without those it includes.
package struct ExportedScenario {
  /// The scenario; its stubs are in ``stubs``.
  package let scenario: Scenario
  /// The document without its stubs: `summary`, `tags`, `includes`.
  package let document: SourceValue
  package let stubs: [ExportedStub]
  /// What lines about the document belong to.
  let item: ReportLog.Item

  package var name: ScenarioName { scenario.name }

  fileprivate init(_ scenario: Scenario, in play: ExportedPlay, log: ReportLog) {
    var head = scenario
    head.stubs = []
    self.scenario = head
    item = log.beginItem("stubs")
    document = SourceTree(.scenario(head), of: item, log: log).root
    // Names and an empty list of stubs are nothing that could be lost.
    document.keep("scenario", "stubs", "includes")
    stubs = scenario.stubs.map { ExportedStub($0, of: scenario.name, in: play, log: log) }
  }
}

/// A stub that is exported, with its document, which has the disposition of every member.
package struct ExportedStub {
  /// The scenario whose document has it.
  package let scenario: ScenarioName
  /// The stub, with all bodies in memory; of a resource, one that answers its list.
  package let stub: Stub
  /// The stub as the scenario has it.
  let whole: Stub
  /// The document of the stub, as `stubdb show SCENARIO KEY --json` prints it; defaults are missing.
  package let document: SourceValue
  /// What lines about the document belong to.
  let item: ReportLog.Item
  /// All that is exported, to see which stub answers.
  let play: ExportedPlay

  fileprivate init(
    _ whole: Stub, of scenario: ScenarioName, in play: ExportedPlay, log: ReportLog
  ) {
    let stub = whole.listOnly
    self.play = play
    (self.stub, self.whole) = (stub, whole)
    self.scenario = scenario
    item = log.beginItem("stubs")
    document = SourceTree(.stub(stub), of: item, log: log).root
    document.keep("key")
  }

  /// The document of a response; nil for the one empty 200 of a stub without responses.
  package func response(_ index: Int) -> SourceValue? {
    let responses = document.list("responses")
    return responses.indices.contains(index) ? responses[index] : nil
  }

  /// What is written of the stub; nil if it is left out, of which the report says nothing else then.
  ///
  /// `place` is where a part without a counterpart has none: `WireMock`.
  func attempt<Result>(in place: String, _ write: () throws -> Result) -> Result? {
    let log = document.tree.log
    log.countExported()
    let mark = log.mark
    do {
      return try write()
    } catch let error as Untranslatable {
      log.forget(since: mark)
      let reason = error.reason.map { " (\($0))" } ?? ""
      leaveOut("\(place) has no counterpart of \(error.name)\(reason)")
    } catch {
      log.forget(since: mark)
      leaveOut("\(error)")
    }
    return nil
  }

  /// Says that the stub is not exported, because the format could not keep it from answering more, or at all.
  package func leaveOut(_ reason: String) {
    document.drop(.stubLeftOut, "The stub was left out: \(reason)")
  }
}

extension [ExportedStub] {
  /// The stubs by priority, then in their order.
  var inAnswerOrder: [ExportedStub] {
    enumerated().sorted {
      ($0.element.stub.priority, $0.offset) < ($1.element.stub.priority, $1.offset)
    }.map(\.element)
  }
}

extension ExportedStub {
  /// The stub for people: `shop/features url: A summary`.
  var title: String { "\(scenario) \(stub.key)\(stub.summary.map { ": \($0)" } ?? "")" }
}

extension SourceValue {
  /// Records for a response that its content is there as a client gets it.
  func settleContent(as played: PlayedResponse) {
    settle([
      "status": .kept, "headers": .kept, "json": .kept, "text": .kept, "base64": .kept,
      "chunks": .changed(.streamTiming, "The pieces became one content, without their times"),
      "template": .changed(.template, "The template was filled in for the example request"),
      "afterBytes": .dropped(.failure, "What comes before a failure is not kept"),
    ])
    if let problem = played.templateProblem { note(.dropped, .template, problem) }
  }

  /// The disposition of a member of a document.
  package enum Settlement {
    case kept
    case ignored
    case changed(ReportID, String)
    case dropped(ReportID, String)
  }

  /// Records the disposition of members that exist.
  package func settle(_ rules: KeyValuePairs<String, Settlement>) {
    for (name, settlement) in rules { self[name]?.settle(settlement) }
  }

  /// Records the disposition of the value and everything inside it.
  package func settle(_ settlement: Settlement) {
    switch settlement {
    case .kept: keep()
    case .ignored: ignore()
    case .changed(let id, let text): change(id, text)
    case .dropped(let id, let text): drop(id, text)
    }
  }

  /// Records that members are kept, where they are there.
  package func keep(_ names: String...) {
    for name in names { self[name]?.keep() }
  }
}

extension Stub {
  /// A stub that answers the list of the resource with the items that a run begins with; the stub itself without one.
  ///
  /// Other formats have no counterpart of what happens to the items later.
  var listOnly: Stub {
    guard resource != nil else { return self }
    var list = self
    list.request = shownRequest
    list.request.methods = [.get]
    list.resource = nil
    return list
  }
}
