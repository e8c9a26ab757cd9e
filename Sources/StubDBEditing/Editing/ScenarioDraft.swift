internal import StubDBCatalogEditing
internal import StubDBModel

/// A scenario to which stubs are added, and which is written once.
struct ScenarioDraft {
  /// The scenario as it was; nil for a new one.
  let original: Scenario?
  private(set) var scenario: Scenario
  /// Whether the next stub creates the scenario.
  private(set) var isNew: Bool
  /// The stubs that were added or replaced, in this order.
  private(set) var changed: [Stub] = []
  private var positions: [Stub.Key: Int] = [:]
  private var answering = AnsweringStubs()
  private var headerIsChanged = false

  init(_ name: ScenarioName, of scenario: Scenario?) {
    original = scenario
    self.scenario = scenario ?? Scenario(name: name)
    isNew = scenario == nil
    for (position, stub) in self.scenario.stubs.enumerated() { note(stub, at: position) }
  }

  func has(_ key: Stub.Key) -> Bool { positions[key] != nil }

  /// The stub that always answers first in place of the given one, which replaces the one with its key.
  func hider(of stub: Stub) -> Stub? {
    answering.first(shadowing: stub, at: positions[stub.key] ?? scenario.stubs.count)
  }

  /// The stub that gets a further response: the one with the key, or else the first for the request.
  func answering(key: Stub.Key?, _ request: RequestPattern?) throws(EditRefusal) -> Stub {
    guard let key else {
      guard let request, let stub = scenario.firstStub(asking: request) else {
        throw .nothingToContinue(scenario.name)
      }
      return stub
    }
    let stub = try scenario.existing(key)
    if let request, stub.request != request { throw .otherRequest(key, in: scenario.name) }
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
  mutating func apply(_ change: HeaderChange) throws(EditRefusal) -> Bool {
    let before = scenario
    try change.apply(to: &scenario)
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
