import StubDBCatalog
import StubDBModel

/// One thing that `add` puts into a catalog.
enum Addition {
  /// A whole scenario, from a document.
  case scenario(Scenario)
  /// A stub; a key that was made from the request is made unique.
  case stub(Stub, ScenarioName, keyIsDerived: Bool)

  /// Puts it into the catalog.
  func apply(
    to editor: inout CatalogEditor, replacing: Bool, report: inout AdditionReport
  ) throws {
    switch self {
    case .scenario(let scenario):
      let exists = try editor.scenario(named: scenario.name) != nil
      if exists && !replacing {
        throw CommandFailure(
          "scenario \(scenario.name) exists already",
          hints: ["To put this document in its place: add --replace"])
      }
      try editor.replace(scenario)
      report.note(scenario, replaced: exists)
    case .stub(var stub, let name, let keyIsDerived):
      let stubs = try editor.scenario(named: name)?.stubs
      let keys = stubs?.map(\.key) ?? []
      if keyIsDerived && !replacing { stub.key = StubKey.unique(stub.key, among: keys) }
      let exists = keys.contains(stub.key)
      if exists && !replacing {
        throw CommandFailure(
          "scenario \(name) has a stub \(Printable.quoted(stub.key)) already",
          hints: [
            "To put this one in its place: add --replace",
            "To keep both: --key with another name",
          ])
      }
      try editor.replace(stub, in: name)
      report.note(
        stub, in: name, replaced: exists, makesScenario: stubs == nil,
        hiddenBy: exists ? nil : Self.hider(of: stub, among: stubs ?? []))
    }
  }

  /// The stub that answers the very same request first and never stops to.
  private static func hider(of stub: Stub, among stubs: [Stub]) -> String? {
    stubs.first { other in
      other.request == stub.request && other.flow == stub.flow && other.priority <= stub.priority
        && [.repeatLast, .cycle].contains(other.then)
    }?.key
  }
}
