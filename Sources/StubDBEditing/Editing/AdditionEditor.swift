package import StubDBCatalog
package import StubDBCatalogEditing
import StubDBFormats
package import StubDBModel

/// Applies additions to a catalog, one after another: the one writer behind `add`, the admin API and the tools of assistants.
package struct AdditionEditor {
  /// What the additions may do.
  package struct Rules {
    /// Whether what exists is replaced; it is refused otherwise.
    package var replaces: Bool
    /// Whether a secret that was not in the catalog is refused.
    package var refusesSecrets: Bool

    package init(replaces: Bool, refusesSecrets: Bool) {
      (self.replaces, self.refusesSecrets) = (replaces, refusesSecrets)
    }
  }

  private let rules: Rules
  private let catalog: Catalog
  private var secrets: SecretRule
  /// What was done, in order.
  package private(set) var changes: [AdditionChange] = []
  /// The scenario that stubs are being added to, which is not written yet.
  private var draft: ScenarioDraft?
  /// The new includes, each with the scenario that includes it.
  private var includes: [(included: ScenarioReference, by: ScenarioName)] = []

  package init(_ rules: Rules, catalog: Catalog) {
    (self.rules, self.catalog) = (rules, catalog)
    secrets = SecretRule(beside: catalog.url)
  }

  /// Applies additions in one edit, and returns what was done.
  ///
  /// - Throws: ``EditRefusal`` for the first addition that the rules refuse; then nothing is written.
  package static func apply(
    _ additions: [Addition], to editor: inout CatalogEditor, of catalog: Catalog, _ rules: Rules
  ) throws -> [AdditionChange] {
    var additionEditor = AdditionEditor(rules, catalog: catalog)
    for addition in additions { try additionEditor.apply(addition, to: &editor) }
    return try additionEditor.finish(&editor)
  }

  /// - Throws: ``EditRefusal``.
  package mutating func apply(_ addition: Addition, to editor: inout CatalogEditor) throws {
    switch addition {
    case .scenario(let scenario):
      try write(&editor)
      try put(scenario, into: &editor)
    case .header(let change, let name):
      try self.change(name, &editor) { draft, changes in
        let (isNew, isChanged) = (draft.isNew, try draft.apply(change))
        changes.append(.header(name, isNew: isNew, isChanged: isChanged))
      }
      includes += change.includes.map { ($0, name) }
    case .stubs(let stubs, let name, let keyIsDerived):
      let replaces = rules.replaces
      try change(name, &editor) { draft, changes in
        try WriteCheck.require(stubs, besides: draft.scenario.stubs, in: name)
        for var stub in stubs {
          if keyIsDerived {
            stub = stub.with(draft.scenario.key(forNew: stub.stub, replacing: replaces))
          }
          changes.append(try Self.put(stub, into: &draft, replacing: replaces))
        }
      }
    case .response(let name, let key, let request, let extend):
      if draft?.scenario.name != name { _ = try editor.existing(name) }
      try change(name, &editor) { draft, changes in
        let old = try draft.answering(key: key, request)
        let stub = try extend(old)
        try WriteCheck.require([stub], besides: [old], in: name)
        let hider = draft.hider(of: stub.stub)
        draft.put(stub)
        changes.append(.response(stub.stub, in: name, hiddenBy: hider))
      }
    }
  }

  /// Writes the last scenario and checks the includes; called after the last addition.
  package mutating func finish(_ editor: inout CatalogEditor) throws -> [AdditionChange] {
    try write(&editor)
    let names = Set(try editor.scenarioNames())
    for (included, includer) in includes {
      if let name = included.ownName, !names.contains(name) {
        throw EditRefusal.missingInclude(name, of: includer, among: names.sorted())
      }
      try catalog.requireIncludable([included], by: includer)
    }
    return changes
  }

  private mutating func write(_ editor: inout CatalogEditor) throws {
    guard let draft else { return }
    self.draft = nil
    try draft.write(to: &editor)
    let written = WrittenScenario(
      before: draft.original, after: draft.scenario, changed: draft.changed.map(\.stub),
      isDocument: false)
    try requireNoSecrets(in: written)
    changes.append(.written(written))
  }

  private mutating func put(
    _ checked: CheckedScenario, into editor: inout CatalogEditor
  ) throws {
    let scenario = checked.scenario
    let existing = try editor.scenario(named: scenario.name)
    try WriteCheck.require(checked, besides: existing?.stubs ?? [])
    if existing != nil && !rules.replaces { throw EditRefusal.scenarioExists(scenario.name) }
    let written = WrittenScenario(
      before: existing, after: scenario, changed: scenario.stubs, isDocument: true)
    try requireNoSecrets(in: written)
    try editor.replace(checked)
    includes += scenario.includes.filter { existing?.includes.contains($0) != true }
      .map { ($0, scenario.name) }
    changes.append(.written(written))
  }

  private mutating func requireNoSecrets(in written: WrittenScenario) throws {
    guard rules.refusesSecrets else { return }
    // What did not change is not searched.
    var part = written.after
    part.stubs = written.changed
    let found = try secrets.findings(in: part, besides: written.before)
    if !found.isEmpty { throw EditRefusal.secrets(found) }
  }

  private mutating func change(
    _ name: ScenarioName, _ editor: inout CatalogEditor,
    _ body: (inout ScenarioDraft, inout [AdditionChange]) throws -> Void
  ) throws {
    if draft?.scenario.name != name { try write(&editor) }
    // Moved out, so that the draft is changed in place.
    var draft = try draft.take() ?? ScenarioDraft(name, of: editor.checked(named: name))
    try body(&draft, &changes)
    self.draft = draft
  }

  private static func put(
    _ checked: CheckedStub, into draft: inout ScenarioDraft, replacing: Bool
  ) throws(EditRefusal) -> AdditionChange {
    let (stub, name) = (checked.stub, draft.scenario.name)
    let replaced = draft.has(stub.key)
    if replaced && !replacing { throw .stubExists(stub.key, in: name) }
    let hider = draft.hider(of: stub)
    if let hider, !replaced { throw .hidden(stub, by: hider, in: name) }
    let isNew = draft.isNew
    draft.put(checked)
    return .stub(stub, in: name, replaced: replaced, makesScenario: isNew, hiddenBy: hider)
  }
}

extension Scenario {
  /// The key of a stub whose key was derived from its request.
  ///
  /// One that may replace another replaces that of the same request; otherwise the key gets a number if it is taken,
  /// also by a stub for another request whose key begins alike.
  fileprivate func key(forNew stub: Stub, replacing: Bool) -> Stub.Key {
    if replacing, let same = firstStub(asking: stub.request) { return same.key }
    var names = UniqueNames(
      limit: Stub.Key.maximumLength, taken: Set(stubs.map(\.key.rawValue)))
    return Stub.Key(unchecked: names.unique(DerivedName.key(of: stub.request)))
  }
}

/// A change that ``AdditionEditor`` makes to a catalog.
package enum Addition {
  /// A whole scenario from a document.
  case scenario(CheckedScenario)
  /// Properties of a scenario besides its stubs; the scenario is created if it does not exist.
  case header(HeaderChange, ScenarioName)
  /// Stubs; with `keyIsDerived`, their keys are made of their requests, and unique.
  case stubs([CheckedStub], ScenarioName, keyIsDerived: Bool = false)
  /// A further response for the stub with a key, or else with a request.
  case response(ScenarioName, key: Stub.Key?, RequestPattern?, (Stub) throws -> CheckedStub)
}

/// What an addition did.
package enum AdditionChange {
  case header(ScenarioName, isNew: Bool, isChanged: Bool)
  /// A stub was added or replaced; one that was replaced may be hidden by another one.
  case stub(Stub, in: ScenarioName, replaced: Bool, makesScenario: Bool, hiddenBy: Stub?)
  /// A stub got its last response.
  case response(Stub, in: ScenarioName, hiddenBy: Stub?)
  /// A scenario was written, after its other changes.
  case written(WrittenScenario)
}

/// A scenario that was written, and the one whose place it took.
package struct WrittenScenario {
  /// Nil for a new scenario.
  package let before: Scenario?
  package let after: Scenario
  /// The stubs that were added or replaced.
  package let changed: [Stub]
  /// Whether it was written as a whole.
  package let isDocument: Bool

  /// The stubs that another one hides: all of a document, and otherwise those that answered before.
  package var hidden: [CheckProblem] {
    if isDocument { return HiddenStubs.problems(in: after) }
    return HiddenStubs.problems(in: after, before: before, besides: Set(changed.map(\.key)))
  }
}
