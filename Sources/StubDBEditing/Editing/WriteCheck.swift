import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBSupport

/// Checks what is about to be written by the rules of `check`.
enum WriteCheck {
  /// A problem of a stub, with its place.
  struct Problem: Equatable {
    /// The index of the stub in its list.
    var index: Int
    /// The place of the value in the stub.
    var pointer: JSONPointer
    /// The end of a sentence that says what is wrong and what to do.
    var reason: String
  }

  /// The first problem of the stubs; nil if all can be played.
  ///
  /// Stubs among `known` are already in the catalog and are skipped, because their problems must not prevent other
  /// edits.
  static func problem(
    of stubs: [Stub], besides known: [Stub] = [], in scenario: ScenarioName
  ) -> Problem? {
    let known = Set(known)
    let indexes = stubs.indices.filter { !known.contains(stubs[$0]) }
    let written = Scenario(name: scenario, stubs: indexes.map { stubs[$0] })
    guard let problem = ScenarioProblems.refused(in: written).first else { return nil }
    let tokens = problem.pointer?.tokens ?? []
    let index = tokens.dropFirst().first.flatMap { Int($0) } ?? 0
    return Problem(
      index: indexes.indices.contains(index) ? indexes[index] : 0,
      pointer: JSONPointer(Array(tokens.dropFirst(2))), reason: problem.problem)
  }

  /// Warnings for stubs that are written although they cannot be played; `known` ones are left out.
  ///
  /// Restoring must lose nothing, so it writes such stubs too.
  static func notes(on scenarios: [Scenario], besides known: [Stub]) -> [String] {
    notes(on: scenarios, besides: known, problems: ScenarioProblems.refused)
  }

  /// The same for the result of a merge, whose stubs are those of documents.
  static func notes(onMerged scenarios: [Scenario]) -> [String] {
    notes(on: scenarios, besides: [], problems: ScenarioProblems.unplayable)
  }

  private static func notes(
    on scenarios: [Scenario], besides known: [Stub],
    problems: @escaping @Sendable (Scenario) -> [CheckProblem]
  ) -> [String] {
    let known = Set(known)
    let found = ParallelWork.values(
      scenarios.count, progress: { _ in }, { problems(scenarios[$0]) })
    return zip(scenarios, found).flatMap { scenario, problems in
      (problems ?? []).compactMap { problem -> String? in
        if let stub = scenario.stubs.first(where: {
          problem.key.hasSameText(as: $0.key.rawValue)
        }),
          known.contains(stub)
        {
          return nil
        }
        let place =
          problem.key.map { "stub \(TerminalText.line(SecretDisplay.text($0))) of " } ?? ""
        return "Written, but \(place)\(scenario.name) cannot be played: "
          + "\(problem.pointer.map { "\($0): " } ?? "")\(TerminalText.line(problem.problem))"
      }
    }
  }

  /// Throws for a scenario of a document that `check` would report.
  ///
  /// - Throws: `DocumentError` with the place in the text.
  static func require(
    _ scenario: Scenario, besides known: [Stub] = [], text: Data, file: String
  ) throws(DocumentError) {
    try require(scenario.stubs, besides: known, in: scenario.name, text: text, file: file) {
      ["stubs", String($0)]
    }
  }

  /// Throws for the content of a file for `add` that `check` would report.
  ///
  /// - Throws: `DocumentError` with the place in the text.
  static func require(
    _ content: DocumentContent, text: Data, file: String
  ) throws(DocumentError) {
    let first = text.first { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
    let isList = first == UInt8(ascii: "[")
    switch content {
    case .scenarios(let scenarios):
      for (index, scenario) in scenarios.enumerated() {
        let outer = isList ? [String(index)] : []
        try require(scenario.stubs, in: scenario.name, text: text, file: file) {
          outer + ["stubs", String($0)]
        }
      }
    case .stubs(let stubs):
      let name = ScenarioName(unchecked: "a/stub")
      try require(stubs, in: name, text: text, file: file) { isList ? [String($0)] : [] }
    }
  }

  /// `place` returns the place of the stub in the text.
  private static func require(
    _ stubs: [Stub], besides known: [Stub] = [], in name: ScenarioName, text: Data, file: String,
    place: (Int) -> [String]
  ) throws(DocumentError) {
    guard let problem = problem(of: stubs, besides: known, in: name) else { return }
    let pointer = ScenarioDocument.place(
      JSONPointer(place(problem.index) + problem.pointer.tokens), in: text)
    throw DocumentError(
      .invalidValue, file: file, pointer: pointer, line: line(of: pointer, in: text),
      message: problem.reason)
  }

  /// The line of the value or of the nearest enclosing one, since a part of a URL has no place of its own.
  private static func line(of pointer: JSONPointer, in text: Data) -> Int? {
    var pointer = pointer
    while true {
      if let line = JSONPlaceFinder.line(of: pointer, in: text) { return line }
      guard pointer.tokens.popLast() != nil else { return nil }
    }
  }
}
