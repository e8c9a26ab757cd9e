import StubDBCatalog
import StubDBModel

/// A scenario to which stubs are added, written once for however many they are.
struct ScenarioDraft {
  private(set) var scenario: Scenario
  /// Whether the next stub makes the scenario.
  private(set) var isNew: Bool
  private var positions: [String: Int] = [:]
  /// The stubs that always answer, by what they ask for.
  private var answering: [RequestPattern: [Stub]] = [:]
  private var added: [Stub] = []

  init(_ name: ScenarioName, of scenario: Scenario?) {
    self.scenario = scenario ?? Scenario(name: name)
    isNew = scenario == nil
    for (position, stub) in self.scenario.stubs.enumerated() { note(stub, at: position) }
  }

  var keys: some Sequence<String> { positions.keys }

  func has(_ key: String) -> Bool { positions[key] != nil }

  /// The stub that answers the very same request first and never stops to.
  func hider(of stub: Stub) -> String? {
    answering[stub.request]?.first { other in
      other.flow == stub.flow && other.priority <= stub.priority
    }?.key
  }

  /// Puts the stub in the place of the one with its key, or behind the others.
  mutating func put(_ stub: Stub) {
    isNew = false
    added.append(stub)
    if let position = positions[stub.key] {
      answering[scenario.stubs[position].request]?.removeAll { $0.key == stub.key }
      scenario.stubs[position] = stub
      note(stub, at: position)
    } else {
      scenario.stubs.append(stub)
      note(stub, at: scenario.stubs.count - 1)
    }
  }

  /// Writes what was added; a single stub without the rest of its scenario.
  func write(to editor: inout CatalogEditor) throws {
    if added.count == 1 {
      try editor.replace(added[0], in: scenario.name)
    } else {
      try editor.replace(scenario)
    }
  }

  private mutating func note(_ stub: Stub, at position: Int) {
    positions[stub.key] = position
    if stub.then == .repeatLast || stub.then == .cycle {
      answering[stub.request, default: []].append(stub)
    }
  }
}
