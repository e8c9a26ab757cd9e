internal import Foundation
package import StubDBEngine
package import StubDBModel

/// Asks a scenario what it was made from: each request must get the answer that it had there.
package struct SourceProof {
  /// A request that a scenario was made from, and the answer to it.
  package struct Question {
    package var request: StubRequest
    /// How often it comes does not count.
    package var response: StubResponse

    package init(request: StubRequest, response: StubResponse) {
      (self.request, self.response) = (request, response)
    }
  }

  /// What a request gets instead of its answer.
  package enum Failure: Hashable, Sendable {
    /// No stub answers it.
    case unanswered
    /// The stub answers it, and otherwise.
    case otherAnswer(Stub.Key)
  }

  private let run: ScenarioRun

  /// Begins a run of the scenario; the time is always the same.
  ///
  /// - Throws: ``EngineError`` for a scenario that cannot be played.
  package init(_ scenario: Scenario) throws(EngineError) {
    self.init(try LoadedScenario(scenario))
  }

  package init(_ scenario: LoadedScenario) {
    run = scenario.run(seed: 0, journalLimit: JournalLimit(entryCount: 1, byteCount: 0))
  }

  /// Asks the next question; the answers of earlier ones count, as in a test.
  ///
  /// The cost is that of one match.
  /// - Returns: What went wrong; nil if the request gets its answer.
  package func failure(of question: Question) -> Failure? {
    guard case .respond(let selection)? = run.respond(to: question.request) else {
      return .unanswered
    }
    return selection.response.once == question.response.once
      ? nil : .otherAnswer(Stub.Key(unchecked: selection.event.stubKey ?? ""))
  }
}

extension SourceProof.Failure {
  /// The failure as a sentence, for a recorded request.
  package var sentence: String {
    switch self {
    case .unanswered: "The recorded request gets no answer"
    case .otherAnswer(let key): "The recorded request gets another answer, of the stub \(key)"
    }
  }

  var id: ReportID {
    switch self {
    case .unanswered: .unanswered
    case .otherAnswer: .otherAnswer
    }
  }
}

extension SourceProof {
  /// The exchanges that do not get their recorded answers when they are played in their order, by their indices.
  ///
  /// Exchanges of which no stub can be made are not asked. Linear in their number.
  package static func failures(
    of exchanges: [RecordedExchange], in scenario: LoadedScenario
  ) -> [(place: Int, failure: Failure)] {
    let proof = SourceProof(scenario)
    // What the reading says was said when the stubs were made.
    let log = ReportLog()
    return exchanges.enumerated().compactMap { place, exchange in
      var exchange = exchange
      exchange.source = ReportSource(file: exchange.source.file, log: log)
      exchange.answerSource = exchange.source
      guard let response = AnswerReader().response(to: exchange) else { return nil }
      let question = Question(request: exchange.request, response: response)
      return proof.failure(of: question).map { (place, $0) }
    }
  }
}
