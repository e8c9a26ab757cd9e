internal import StubDBCatalogEditing
internal import StubDBModel

/// A scenario to which stubs are added, and which is written once.
struct ScenarioDraft {
  /// The scenario as it was; nil for a new one.
  let original: Scenario?
  private var checked: CheckedScenario
  var scenario: Scenario { checked.scenario }
  /// Whether the next stub creates the scenario.
  private(set) var isNew: Bool
  /// The stubs that were added or replaced, in this order.
  private(set) var changed: [CheckedStub] = []
  private var positions: [Stub.Key: Int] = [:]
  private var answering = AnsweringStubs()
  private var headerIsChanged = false

  init(_ name: ScenarioName, of stored: CheckedScenario?) {
    original = stored?.scenario
    checked = stored ?? CheckedScenario(named: name)
    isNew = stored == nil
    for (position, stub) in scenario.stubs.enumerated() { note(stub, at: position) }
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
  mutating func put(_ stub: CheckedStub) {
    isNew = false
    changed.append(stub)
    let position = positions[stub.stub.key]
    if let position { answering.remove(scenario.stubs[position]) }
    checked.put(stub, at: position)
    note(stub.stub, at: position ?? scenario.stubs.count - 1)
  }

  /// Changes the properties of the scenario besides its stubs; false if nothing changes.
  mutating func apply(_ change: HeaderChange) throws -> Bool {
    let before = scenario
    try checked.changeHeader { try change.apply(to: &$0) }
    let isChanged = isNew || scenario != before
    headerIsChanged = headerIsChanged || isChanged
    return isChanged
  }

  /// Writes the changes; if one stub changed, only that stub is written.
  func write(to editor: inout CatalogEditor) throws {
    if headerIsChanged || changed.count > 1 {
      try editor.replace(checked)
    } else if let stub = changed.first {
      try editor.replace(stub, in: scenario.name)
    }
  }

  private mutating func note(_ stub: Stub, at position: Int) {
    positions[stub.key] = position
    answering.insert(stub, at: position)
  }
}
