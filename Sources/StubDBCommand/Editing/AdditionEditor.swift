import StubDBCatalog
import StubDBModel

/// Puts additions into a catalog, one after the other, and reports on them.
struct AdditionEditor {
  let replacing: Bool
  private(set) var report = AdditionReport()
  /// The scenario that the last stubs were added to, not written yet.
  private var draft: ScenarioDraft?

  init(replacing: Bool) {
    self.replacing = replacing
  }

  mutating func apply(_ addition: Addition, to editor: inout CatalogEditor) throws {
    switch addition {
    case .scenario(let scenario):
      try finish(&editor)
      try put(scenario, into: &editor)
    case .stub(let stub, let name, let keyIsDerived):
      try put(stub, keyIsDerived: keyIsDerived, into: name, &editor)
    }
  }

  /// Writes what is not written yet; after the last addition.
  mutating func finish(_ editor: inout CatalogEditor) throws {
    try draft?.write(to: &editor)
    draft = nil
  }

  private mutating func put(_ scenario: Scenario, into editor: inout CatalogEditor) throws {
    let exists = try editor.scenario(named: scenario.name) != nil
    if exists && !replacing {
      throw CommandFailure(
        "scenario \(scenario.name) exists already",
        hints: ["To put this document in its place: add --replace"])
    }
    try editor.replace(scenario)
    report.note(scenario, replaced: exists)
  }

  private mutating func put(
    _ stub: Stub, keyIsDerived: Bool, into name: ScenarioName, _ editor: inout CatalogEditor
  ) throws {
    if draft?.scenario.name != name { try finish(&editor) }
    // Taken out, so that the draft is changed in place.
    var draft = try draft.take() ?? ScenarioDraft(name, of: editor.scenario(named: name))
    var stub = stub
    if keyIsDerived && !replacing { stub.key = StubKey.unique(stub.key, among: draft.keys) }
    let exists = draft.has(stub.key)
    if exists && !replacing {
      throw CommandFailure(
        "scenario \(name) has a stub \(Printable.quoted(stub.key)) already",
        hints: [
          "To put this one in its place: add --replace",
          "To keep both: --key with another name",
        ])
    }
    report.note(
      stub, in: name, replaced: exists, makesScenario: draft.isNew,
      hiddenBy: exists ? nil : draft.hider(of: stub))
    draft.put(stub)
    self.draft = draft
  }
}
