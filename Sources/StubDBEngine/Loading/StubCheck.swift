import Foundation
import StubDBModel

/// Goes through stubs: refuses what cannot be played, and compiles what playing needs.
struct StubCheck {
  private(set) var patterns = PatternCheck()
  /// What answering takes beyond the responses, by the place of the stub.
  private(set) var answers: [Int: CompiledAnswer] = [:]

  /// Checks the stub at a place; nil where it can be played.
  mutating func refusal(
    of stub: borrowing Stub, at index: Int, _ data: (ResponseBody) throws -> Data
  ) -> Refusal? {
    let needsPath = !stub.request.pathParameters.isEmpty
    var template: PathTemplate?
    if needsPath || Self.needsAnswer(stub), case .template(let text) = stub.request.path {
      template = PathTemplate(text)
    }
    if let refusal = patterns.refusal(of: stub.request, template: template) {
      return refusal.inside("request")
    }
    do throws(Refusal) {
      if let answer = try CompiledAnswer(stub, path: template, data: data) {
        answers[index] = answer
      }
      return nil
    } catch {
      return error
    }
  }

  private static func needsAnswer(_ stub: borrowing Stub) -> Bool {
    !stub.captures.isEmpty
  }

  /// Everything in a scenario that keeps it from being played, a finding a stub.
  static func problems(in scenario: Scenario) -> [EngineError] {
    var check = StubCheck()
    return scenario.stubs.enumerated().compactMap { index, stub in
      let refusal = check.refusal(of: stub, at: index) { body in
        guard case .bytes(let data) = body.content else { return Data() }
        return data
      }
      return refusal?.error(
        in: LoadedScenario.Source(origin: scenario.name, stub: stub), index: index)
    }
  }
}
