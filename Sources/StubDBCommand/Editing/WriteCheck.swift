import Foundation
import StubDBCatalog
import StubDBJSON
import StubDBModel

/// Finds in what is about to be written what `check` would refuse.
enum WriteCheck {
  /// What is wrong with a stub, and where.
  struct Refusal: Equatable {
    /// The place of the stub in its list.
    var index: Int
    /// The place of the value in the stub.
    var pointer: JSONPointer
    /// What is wrong, and what to do; the end of a sentence.
    var reason: String
  }

  /// The first thing that is wrong with the stubs; nil if all of them can be played.
  ///
  /// Stubs that are among `known` are in the catalog already and not looked at: what is wrong there
  /// must not keep the rest from being edited.
  static func refusal(
    of stubs: [Stub], besides known: [Stub] = [], in scenario: ScenarioName
  ) -> Refusal? {
    let known = Set(known)
    let indexes = stubs.indices.filter { !known.contains(stubs[$0]) }
    let written = Scenario(name: scenario, stubs: indexes.map { stubs[$0] })
    guard let problem = ScenarioProblems.refused(in: written).first else { return nil }
    let tokens = problem.pointer?.tokens ?? []
    let index = tokens.dropFirst().first.flatMap { Int($0) } ?? 0
    return Refusal(
      index: indexes.indices.contains(index) ? indexes[index] : 0,
      pointer: JSONPointer(Array(tokens.dropFirst(2))), reason: problem.problem)
  }

  /// Refuses a scenario as a document has it.
  ///
  /// - Throws: `DocumentError` with the place in the text.
  static func require(
    _ scenario: Scenario, besides known: [Stub] = [], text: Data, file: String
  ) throws(DocumentError) {
    try require(scenario.stubs, besides: known, in: scenario.name, text: text, file: file) {
      ["stubs", String($0)]
    }
  }

  /// Refuses what a file for `add` holds.
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

  /// `place` gives where the text has the stub.
  private static func require(
    _ stubs: [Stub], besides known: [Stub] = [], in name: ScenarioName, text: Data, file: String,
    place: (Int) -> [String]
  ) throws(DocumentError) {
    guard let refusal = refusal(of: stubs, besides: known, in: name) else { return }
    let pointer = JSONPointer(place(refusal.index) + refusal.pointer.tokens)
    throw DocumentError(
      .invalidValue, file: file, pointer: pointer, line: line(of: pointer, in: text),
      message: refusal.reason)
  }

  /// The line of the value, or of the nearest one around it: a part of a URL has no place of its own.
  private static func line(of pointer: JSONPointer, in text: Data) -> Int? {
    var pointer = pointer
    while true {
      if let line = JSONPlaceFinder.line(of: pointer, in: text) { return line }
      guard pointer.tokens.popLast() != nil else { return nil }
    }
  }
}
