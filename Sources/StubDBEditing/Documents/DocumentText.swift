package import Foundation
package import StubDBCatalogEditing
internal import StubDBDocuments
internal import StubDBJSON
package import StubDBModel

/// The text of a document, in which problems have their places.
package struct DocumentText {
  private let text: Data
  private let file: String

  package init(_ text: Data, file: String) {
    (self.text, self.file) = (text, file)
  }

  /// Throws for a scenario that `check` would report, besides problems that the `known` stubs have too.
  ///
  /// - Throws: `DocumentError` with the place in the text.
  package func require(
    _ scenario: CheckedScenario, besides known: [Stub]
  ) throws(DocumentError) {
    guard let problem = WriteCheck.problem(of: scenario, besides: known) else { return }
    throw error(for: problem, at: ["stubs", String(problem.index)])
  }

  /// Throws for stubs that `check` would report.
  ///
  /// - Throws: `DocumentError` with the place in the text.
  package func require(_ stubs: [CheckedStub], in scenario: ScenarioName) throws(DocumentError) {
    guard let problem = WriteCheck.problem(of: stubs, in: scenario) else { return }
    throw error(for: problem, inScenario: nil)
  }

  /// The problem of a stub of the scenario with an index; nil for a stub that is in no scenario.
  package func error(for problem: WriteCheck.Problem, inScenario index: Int?) -> DocumentError {
    let first = text.first { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
    let isList = first == UInt8(ascii: "[")
    guard let index else {
      return error(for: problem, at: isList ? [String(problem.index)] : [])
    }
    return error(
      for: problem, at: (isList ? [String(index)] : []) + ["stubs", String(problem.index)])
  }

  private func error(for problem: WriteCheck.Problem, at place: [String]) -> DocumentError {
    let pointer = ScenarioDocument.place(
      JSONPointer(place + problem.pointer.tokens), in: text)
    return DocumentError(
      .invalidValue, file: file, pointer: pointer, line: line(of: pointer),
      message: problem.reason)
  }

  /// The line of the value or of the nearest enclosing one, since a part of a URL has no place of its own.
  private func line(of pointer: JSONPointer) -> Int? {
    var pointer = pointer
    while true {
      if let line = JSONPlaceFinder.line(of: pointer, in: text) { return line }
      guard pointer.tokens.popLast() != nil else { return nil }
    }
  }
}
