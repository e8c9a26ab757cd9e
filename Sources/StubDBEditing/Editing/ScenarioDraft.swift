import StubDBCatalog
import StubDBCatalogEditing
import StubDBModel
import StubDBSupport

/// A scenario to which stubs are added, and which is written once.
struct ScenarioDraft {
  private(set) var scenario: Scenario
  /// Whether the next stub creates the scenario.
  private(set) var isNew: Bool
  private var positions: [Stub.Key: Int] = [:]
  private var answering = AnsweringStubs()
  private var changed: [Stub] = []
  private var headerIsChanged = false

  init(_ name: ScenarioName, of scenario: Scenario?) {
    self.scenario = scenario ?? Scenario(name: name)
    isNew = scenario == nil
    for (position, stub) in self.scenario.stubs.enumerated() { note(stub, at: position) }
  }

  func has(_ key: Stub.Key) -> Bool { positions[key] != nil }

  /// The stub that always answers first in place of the given one, which replaces the one with its key.
  func hider(of stub: Stub) -> Stub? {
    answering.first(shadowing: stub, at: positions[stub.key] ?? scenario.stubs.count)
  }

  /// The stub that gets a further response.
  ///
  /// - Throws: ``CommandError`` if there is no such stub.
  func answering(key: String?, _ request: RequestPattern?) throws -> Stub {
    if let key {
      let stub = try scenario.existing(key)
      if let request, stub.request != request {
        throw CommandError(
          "stub \(TerminalText.quoted(key)) of \(scenario.name) answers another request",
          hints: ["Leave out the options of the request, or --key."])
      }
      return stub
    }
    guard let request, let stub = scenario.firstStub(asking: request) else {
      throw AdditionError.nothingToContinue(scenario.name)
    }
    return stub
  }

  /// Replaces the stub with the same key, or appends the stub.
  mutating func put(_ stub: Stub) {
    isNew = false
    changed.append(stub)
    if let position = positions[stub.key] {
      answering.remove(scenario.stubs[position])
      scenario.stubs[position] = stub
      note(stub, at: position)
    } else {
      scenario.stubs.append(stub)
      note(stub, at: scenario.stubs.count - 1)
    }
  }

  /// Changes the properties of the scenario besides its stubs; false if nothing changes.
  mutating func apply(_ options: ScenarioOptions) -> Bool {
    let before = scenario
    options.apply(to: &scenario)
    let isChanged = isNew || !scenario.hasSameText(as: before)
    headerIsChanged = headerIsChanged || isChanged
    return isChanged
  }

  /// Writes the changes; if one stub changed, only that stub is written.
  func write(to editor: inout CatalogEditor) throws {
    if headerIsChanged || changed.count > 1 {
      try editor.replace(scenario)
    } else if let stub = changed.first {
      try editor.replace(stub, in: scenario.name)
    }
  }

  private mutating func note(_ stub: Stub, at position: Int) {
    positions[stub.key] = position
    answering.insert(stub, at: position)
  }
}
