package import Foundation
import StubDBDocuments
package import StubDBJSON
package import StubDBModel

/// A stub that a document can hold: it was decoded from one, or checked.
///
/// Only whether its expressions compile is not known; ``ScenarioProblems/unplayable(in:)`` finds out.
package struct CheckedStub: Hashable, Sendable {
  package private(set) var stub: Stub

  /// Checks a stub that was made in code, by writing and reading its document.
  package init(_ stub: Stub) throws(DocumentError) {
    try stub.requireDocumentForm()
    self.stub = stub
  }

  /// Decodes a stub in any form that documents allow; `readFile` reads the files of bodies.
  package init(
    documentValue value: JSONValue,
    readFile: @escaping (String) throws -> Data = ScenarioDocument.refuseFile
  ) throws(DocumentError) {
    try self.init(
      decoded: Stub(documentValue: value, readFile: readFile),
      value.isShallow(JSONValue.shallowDepth))
  }

  /// Inside of a scenario, a stub is deeper than by itself.
  fileprivate init(decoded stub: Stub, _ isShallow: Bool) throws(DocumentError) {
    if !isShallow { try stub.requireDocument() }
    self.stub = stub
  }

  /// The stub with a valid key, such as one that was derived from its request.
  package func with(_ key: Stub.Key) -> CheckedStub {
    var copy = self
    copy.stub.key = key
    return copy
  }
}

/// A scenario that a document can hold, with distinct keys: it was decoded from one, read from a catalog, or checked.
package struct CheckedScenario: Hashable, Sendable {
  package private(set) var scenario: Scenario

  /// Checks a scenario that was made in code.
  package init(_ scenario: Scenario) throws(DocumentError) {
    for (index, stub) in scenario.stubs.enumerated() {
      do throws(DocumentError) {
        try stub.requireDocumentForm()
      } catch {
        var error = error
        error.pointer = JSONPointer(["stubs", String(index)] + error.pointer.tokens)
        throw error
      }
    }
    try self.init(stubsOf: scenario)
  }

  /// Checks only the header and the keys of a scenario whose stubs were decoded, read from a catalog, or checked before.
  package init(stubsOf scenario: Scenario) throws(DocumentError) {
    try scenario.requireDocumentForm()
    var keys: Set<Stub.Key> = []
    for (index, stub) in scenario.stubs.enumerated() where !keys.insert(stub.key).inserted {
      throw DocumentError(
        .duplicate, pointer: JSONPointer(["stubs", String(index), "key"]),
        message: "the scenario \"\(scenario.name)\" has two stubs \"\(stub.key)\"")
    }
    self.scenario = scenario
  }

  /// A scenario that was decoded, or as the catalog has it.
  init(stored scenario: Scenario) { self.scenario = scenario }

  /// A scenario without stubs.
  package init(named name: ScenarioName) { scenario = Scenario(name: name) }

  /// Decodes a scenario in any form that documents allow.
  package init(documentValue value: JSONValue) throws(DocumentError) {
    scenario = try Scenario(documentValue: value)
  }

  /// Decodes the text of a document.
  package init(
    _ text: Data, file: String? = nil,
    readFile: @escaping (String) throws -> Data = ScenarioDocument.refuseFile
  ) throws(DocumentError) {
    scenario = try ScenarioDocument.decode(text, file: file, readFile: readFile)
  }

  /// Puts the stub at a place, or at the end; the place of a stub with another key if it has a new one.
  package mutating func put(_ stub: CheckedStub, at index: Int?) {
    if let index {
      scenario.stubs[index] = stub.stub
    } else {
      scenario.stubs.append(stub.stub)
    }
  }

  /// Changes the scenario besides its name and its stubs.
  package mutating func changeHeader(_ change: (inout Scenario) throws -> Void) throws {
    var header = scenario
    header.stubs = []
    try change(&header)
    try header.requireDocumentForm()
    (scenario.summary, scenario.tags) = (header.summary, header.tags)
    scenario.includes = header.includes
  }
}

/// What the text of a document holds, decoded.
package enum CheckedContent {
  case scenarios([CheckedScenario])
  case stubs([CheckedStub])

  /// Decodes a scenario, a list of scenarios, a stub, or a list of stubs.
  package init(
    _ text: Data, file: String? = nil,
    readFile: @escaping (String) throws -> Data = ScenarioDocument.refuseFile
  ) throws(DocumentError) {
    switch try ScenarioDocument.decodeStubs(text, file: file, readFile: readFile) {
    case .scenarios(let scenarios): self = .scenarios(scenarios.map(CheckedScenario.init(stored:)))
    case .stubs(let stubs):
      let isShallow = !JSONScanner.nests(text, deeperThan: JSONValue.shallowDepth)
      var checked: [CheckedStub] = []
      for stub in stubs { checked.append(try CheckedStub(decoded: stub, isShallow)) }
      self = .stubs(checked)
    }
  }
}
