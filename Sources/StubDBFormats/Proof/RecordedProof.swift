internal import Foundation
internal import HTTPTypes
internal import StubDBEngine
internal import StubDBModel

/// Asks scenarios for the recorded requests that an import made them of.
struct RecordedProof {
  let recorded: RecordedSteps
  /// The scenarios as they were imported.
  let imported: [Scenario]
  /// Called now and then with what is being done.
  var progress: (String) -> Void = { _ in }

  /// Lines of a report, one for each request that does not get its answer, with its scenario and its stub.
  ///
  /// - Parameters:
  ///   - scenarios: The scenarios.
  ///   - question: Returns what to ask of a request; nil if it is not to be asked.
  ///   - isKnown: Returns whether the scenario has to answer what was asked of a request.
  /// - Returns: The lines, in the order of the scenarios and of the requests.
  func lines(
    on scenarios: [Scenario],
    question: (RecordedSteps.Step) -> SourceProof.Question?,
    isKnown: (RecordedSteps.Step, SourceProof.Question) -> Bool = { _, _ in true }
  ) -> [ReportLine] {
    let all = recorded.byScenario
    let keys = Dictionary(imported.map { ($0.name.rawValue, Set($0.stubs.map(\.key))) }) {
      first, _ in first
    }
    var lines: [ReportLine] = []
    for scenario in scenarios {
      // What cannot be played was left out before.
      guard let steps = all[scenario.name.rawValue], let proof = try? SourceProof(scenario) else {
        continue
      }
      for (place, step) in steps.enumerated() {
        if place.isMultiple(of: 64) {
          progress("\(place) of \(steps.count) requests asked again")
        }
        guard let asked = question(step), let failure = proof.failure(of: asked),
          isKnown(step, asked)
        else { continue }
        // A stub that was left out has no key.
        let hasStub = keys[step.scenario]?.contains(step.key) ?? false
        lines += self.lines(failure, step).map { hasStub ? $0.about(step) : $0 }
      }
    }
    return lines
  }

  private func lines(_ failure: SourceProof.Failure, _ step: RecordedSteps.Step) -> [ReportLine] {
    let source = step.call.exchange.source
    let mark = source.log.mark
    source.add(.changed, failure.id, failure.sentence)
    let lines = source.log.lines[mark.lineCount...].map(\.line)
    // The report has them at their place.
    source.log.forget(since: mark)
    return lines
  }
}

extension ReportLine {
  fileprivate func about(_ step: RecordedSteps.Step) -> ReportLine {
    var line = self
    (line.scenario, line.key) = (step.scenario, step.key.rawValue)
    return line
  }
}

/// Asks scenarios without secrets for the recorded requests, without secrets, too.
struct RedactedProof {
  /// The scenarios without secrets, before anything was left free.
  let redacted: [Scenario]
  /// Whether some values were only taken out of their places in stubs, because they are short.
  let hasShortSecrets: Bool

  /// The lines of a report; `replaced` returns bytes without secrets.
  func lines(
    of proof: RecordedProof, on freed: [Scenario], _ replaced: (Data) -> Data
  ) -> [ReportLine] {
    let stubs = Dictionary(
      redacted.map { scenario in
        (
          scenario.name.rawValue,
          Dictionary(scenario.stubs.map { ($0.key, $0) }) { first, _ in first }
        )
      }
    ) { first, _ in first }
    return proof.lines(on: freed) { step in
      guard let index = step.answer else { return nil }
      let stub = stubs[step.scenario]?[step.key]
      return SourceProof.Question(
        request: step.call.exchange.request.redacted(replaced),
        response: stub?.responses[index] ?? step.call.response)
    } isKnown: { step, question in
      guard hasShortSecrets, let stub = stubs[step.scenario]?[step.key] else { return true }
      // The request still has what was only taken out of its place in the stub.
      let alone = try? LoadedScenario(Scenario(name: ScenarioName(unchecked: "a"), stubs: [stub]))
      return alone?.firstMatch(for: question.request) != nil
    }
  }
}

extension StubRequest {
  /// The request after something was done to the bytes of its texts.
  fileprivate func redacted(_ replaced: (Data) -> Data) -> StubRequest {
    func text(_ text: String) -> String {
      String(decoding: replaced(Data(text.utf8)), as: UTF8.self)
    }
    var redacted = self
    redacted.url = text(url)
    redacted.headers = HTTPFields()
    for field in headers {
      redacted.headers.append(HTTPField(name: field.name, value: text(field.value)))
    }
    if let content { redacted.body = .bytes(replaced(content)) }
    return redacted
  }
}
