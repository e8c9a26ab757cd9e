internal import Foundation
internal import StubDBEngine
internal import StubDBModel
internal import StubDBPlayback

/// All stubs that are exported together, as they play.
final class ExportedPlay {
  private let scenarios: [Scenario]
  private lazy var loaded = load()

  init(_ scenarios: [Scenario]) {
    self.scenarios = scenarios
  }

  /// The stub that answers a request first; nil if none does, or if they cannot be played together.
  func firstAnswer(to example: RequestExample) -> LoadedScenario.Source? {
    loaded?.firstMatch(for: example.request)
  }

  private func load() -> LoadedScenario? {
    guard let first = scenarios.first, scenarios.count > 1 || first.stubs.count > 1 else {
      return nil
    }
    var seen: Set<ScenarioName> = []
    let sources = scenarios.filter { seen.insert($0.name).inserted }.flatMap { scenario in
      scenario.stubs.map { LoadedScenario.Source(origin: scenario.name, stub: $0.listOnly) }
    }
    return try? LoadedScenario(name: first.name, stubs: sources)
  }
}

/// One stub that plays alone, at a time that is always the same.
struct ExportedRun {
  /// The time of all example requests: exports do not depend on when they are made.
  static let now = Date(timeIntervalSince1970: 1_767_225_600)

  private let run: ScenarioRun

  /// Nil if the stub cannot be played.
  init?(_ stub: Stub, of scenario: ScenarioName) {
    let source = LoadedScenario.Source(origin: scenario, stub: stub)
    guard let loaded = try? LoadedScenario(name: scenario, stubs: [source]) else { return nil }
    run = loaded.run(seed: 0, clock: { Self.now })
  }

  /// What a request gets, with the reason if a template could not be filled in; nil if the stub does not answer.
  func answer(to example: RequestExample) -> (answer: Answer, problem: String?)? {
    let before = problems.count
    guard case .respond(let selection)? = run.respond(to: example.request) else { return nil }
    return (Answer(selection), problems.dropFirst(before).first)
  }

  private var problems: [String] {
    run.problems(requiringWholeSequences: false, acceptingUnmatched: true)
      .filter { $0.kind == .failedTemplate }.map(\.message)
  }

  /// Whether a request satisfies a pattern; false for a pattern that cannot be played.
  static func matches(_ request: StubRequest, _ pattern: RequestPattern) -> Bool {
    (try? RequestFilter(pattern))?.matches(request, at: now) ?? false
  }
}
