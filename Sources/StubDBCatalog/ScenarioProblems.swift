internal import Foundation
internal import StubDBEngine
internal import StubDBJSON
package import StubDBModel

/// The problems of a scenario by itself, the same for `check` and for what is about to be written.
package enum ScenarioProblems {
  /// Problems of the document first, then problems of loading; one problem a stub.
  ///
  /// Compiles every pattern and template, as loading does.
  package static func refused(in scenario: Scenario) -> [CheckProblem] {
    let document = documentProblems(scenario)
    // A stub that the document refuses is not reported a second time.
    return document.isEmpty ? playingProblems(scenario) : document
  }

  /// The stubs that can never answer, because another stub of the scenario always comes first.
  package static func shadowed(in scenario: Scenario) -> [CheckProblem] {
    let order = scenario.stubs.indices.sorted {
      (scenario.stubs[$0].priority, $0) < (scenario.stubs[$1].priority, $1)
    }
    var earlier = AnsweringStubs()
    var problems: [Int: CheckProblem] = [:]
    for index in order {
      let stub = scenario.stubs[index]
      guard let first = earlier.first(hiding: stub) else {
        earlier.insert(stub)
        continue
      }
      problems[index] = CheckProblem(
        "it never answers: \"\(first.key)\" comes first and matches whatever it "
          + "matches; give this stub a lower priority number, or remove it",
        scenario: scenario.name, key: stub.key.rawValue,
        pointer: JSONPointer(["stubs", String(index)]))
    }
    return problems.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The stubs with a JSONPath whose filter is applied to an object.
  static func misplacedFilters(in scenario: Scenario) -> [CheckProblem] {
    scenario.stubs.enumerated().compactMap { index, stub in
      FilterAdvice.problem(in: stub.request.body).map { query, message in
        CheckProblem(
          "the JSONPath \(query) has a misplaced filter: \(message)", scenario: scenario.name,
          key: stub.key.rawValue, pointer: JSONPointer(["stubs", String(index), "request", "body"]))
      }
    }
  }

  /// The stubs that were recorded before a day; stubs without a recording have no age.
  static func outdated(in scenario: Scenario, before day: String) -> [CheckProblem] {
    scenario.stubs.enumerated().compactMap { index, stub in
      guard let recorded = stub.recorded, recorded.day < day else { return nil }
      return CheckProblem(
        "it was recorded on \(recorded.day), before \(day); compare it with the server, then set "
          + "its day with: stubdb set --recorded",
        scenario: scenario.name, key: stub.key.rawValue,
        pointer: JSONPointer(["stubs", String(index), "recorded", "at"]))
    }
  }

  /// What cannot be loaded for playing: templates, JSONPath queries, formats.
  private static func playingProblems(_ scenario: Scenario) -> [CheckProblem] {
    LoadedScenario.problems(in: scenario).map { error in
      CheckProblem(
        error.reason, scenario: scenario.name, key: error.stubKey, pointer: error.pointer)
    }
  }

  private static func documentProblems(_ scenario: Scenario) -> [CheckProblem] {
    do {
      _ = try ScenarioDocument.decode(Data(ScenarioDocument.encode(scenario).utf8))
      return []
    } catch {
      let index = error.pointer.tokens.dropFirst().first.flatMap { Int($0) }
      let stub = index.flatMap { scenario.stubs.indices.contains($0) ? scenario.stubs[$0] : nil }
      return [
        CheckProblem(
          error.message, scenario: scenario.name, key: stub?.key.rawValue, pointer: error.pointer)
      ]
    }
  }
}
