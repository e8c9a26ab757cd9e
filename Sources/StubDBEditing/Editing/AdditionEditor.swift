import StubDBCatalog
import StubDBCatalogEditing
import StubDBModel

/// Applies additions to a catalog, one after another, and reports them.
struct AdditionEditor {
  let replacing: Bool
  let catalog: Catalog
  private(set) var report = AdditionReport()
  /// The scenario that stubs are being added to, which is not written yet.
  private var draft: ScenarioDraft?
  /// What the documents and options include, each with the first scenario that includes it.
  private var includes: [(included: ScenarioReference, by: ScenarioName, isDocument: Bool)] = []

  init(replacing: Bool, catalog: Catalog) {
    self.replacing = replacing
    self.catalog = catalog
  }

  mutating func apply(_ addition: Addition, to editor: inout CatalogEditor) throws {
    switch addition {
    case .scenario(let scenario):
      try write(&editor)
      try put(scenario, into: &editor)
    case .header(let options, let name):
      try change(name, &editor) { draft, report in
        let (isNew, isChanged) = (draft.isNew, draft.apply(options))
        report.note(name, isNew: isNew, isChanged: isChanged)
      }
      includes += options.includes.map { ($0, name, false) }
    case .stub(let stub, let name, let origin):
      let replacing = replacing
      try change(name, &editor) { draft, report in
        try Self.put(stub, origin, into: &draft, replacing: replacing, &report)
      }
    case .response(let name, let key, let request, let extend):
      if draft?.scenario.name != name { _ = try editor.existing(name, in: catalog) }
      try change(name, &editor) { draft, report in
        let stub = try extend(draft.answering(key: key, request))
        let hider = draft.hider(of: stub)
        draft.put(stub)
        report.note(response: stub.responses.count, of: stub, in: name, hiddenBy: hider)
      }
    }
  }

  /// Writes the last scenario and checks the includes; called after the last addition.
  mutating func finish(_ editor: inout CatalogEditor) throws {
    try write(&editor)
    let names = Set(try editor.scenarioNames())
    for (included, includer, isDocument) in includes {
      if let name = included.ownName, !names.contains(name) {
        throw AdditionError.missingInclude(
          name, of: includer, in: catalog, among: names.sorted(), isDocument: isDocument)
      }
      try catalog.requireIncludable([included], by: includer)
    }
  }

  private mutating func write(_ editor: inout CatalogEditor) throws {
    try draft?.write(to: &editor)
    draft = nil
  }

  private mutating func put(_ scenario: Scenario, into editor: inout CatalogEditor) throws {
    let existing = try editor.scenario(named: scenario.name)
    if existing != nil && !replacing {
      throw CommandError(
        "scenario \(scenario.name) already exists",
        hints: [FollowUp.again("To put this document in its place", adding: "--replace")])
    }
    try editor.replace(decoded: scenario)
    includes += scenario.includes.map { ($0, scenario.name, true) }
    report.note(scenario, replacing: existing)
  }

  private mutating func change(
    _ name: ScenarioName, _ editor: inout CatalogEditor,
    _ body: (inout ScenarioDraft, inout AdditionReport) throws -> Void
  ) throws {
    if draft?.scenario.name != name { try write(&editor) }
    // Moved out, so that the draft is changed in place.
    var draft = try draft.take() ?? ScenarioDraft(name, of: editor.scenario(named: name))
    try body(&draft, &report)
    self.draft = draft
  }

  private static func put(
    _ stub: Stub, _ origin: Addition.Origin, into draft: inout ScenarioDraft, replacing: Bool,
    _ report: inout AdditionReport
  ) throws {
    var stub = stub
    let name = draft.scenario.name
    if case .options(keyIsDerived: true) = origin {
      stub.key = draft.scenario.key(forNew: stub, replacing: replacing)
    }
    let replaced = draft.has(stub.key)
    if replaced && !replacing { throw AdditionError.keyExists(stub.key.rawValue, in: name, origin) }
    let hider = draft.hider(of: stub)
    if let hider, !replaced { throw AdditionError.hidden(stub, by: hider, in: name, origin) }
    report.note(stub, in: name, replaced: replaced, makesScenario: draft.isNew, hiddenBy: hider)
    guard case .options = origin else { return draft.put(stub) }
    // This second reference makes `put` copy the list of stubs, so it must not be taken for each stub of a document.
    let before = draft.scenario
    draft.put(stub)
    report.note(hiddenIn: draft.scenario, before: before, by: stub)
  }
}

extension Scenario {
  /// The key of a stub whose key was derived from its request.
  ///
  /// One that may replace another replaces that of the same request; otherwise the key gets a number if it is taken,
  /// also by a stub for another request whose key begins alike.
  func key(forNew stub: Stub, replacing: Bool) -> Stub.Key {
    if replacing, let same = firstStub(asking: stub.request) { return same.key }
    var names = UniqueNames(
      limit: Stub.Key.maximumLength, taken: Set(stubs.map(\.key.rawValue)))
    return Stub.Key(unchecked: names.unique(stub.key.rawValue))
  }
}

/// A change that `add` makes to a catalog.
enum Addition {
  /// The source of a stub.
  enum Origin {
    /// Options; a key that is derived from the request is made unique.
    case options(keyIsDerived: Bool)
    case file
  }

  /// A whole scenario from a document.
  case scenario(Scenario)
  /// Properties of a scenario besides its stubs; the scenario is created if it does not exist.
  case header(ScenarioOptions, ScenarioName)
  case stub(Stub, ScenarioName, Origin)
  /// A further response for the stub with a key, or else with a request.
  case response(ScenarioName, key: String?, RequestPattern?, (Stub) throws -> Stub)

  /// The scenario that changes.
  var scenario: ScenarioName {
    switch self {
    case .scenario(let scenario): scenario.name
    case .header(_, let name), .stub(_, let name, _), .response(let name, _, _, _): name
    }
  }
}
