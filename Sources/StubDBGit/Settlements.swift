package import StubDBCatalog
internal import StubDBCatalogEditing
package import StubDBChanges
internal import StubDBJSON
package import StubDBJobs
internal import StubDBModel

/// Commands that settle listed conflicts.
package struct Settlements {
  package let lines: [JobText]

  /// Makes the commands for the conflicts, which are not empty.
  package init(of conflicts: [Conflict], in catalog: Catalog) throws {
    let all = try catalog.conflicts()
    let source = CatalogScenarios(try CatalogSnapshot(contentsOf: catalog.url))
    guard let first = conflicts.first else {
      lines = []
      return
    }
    func command(_ place: [String], _ option: String) -> JobText {
      let isAll = place == Self.all
      let options = (isAll ? place : []) + [option]
      return "\(command: "resolve", on: isAll ? [] : place, options, catalog: catalog.url)"
    }
    /// One conflict, or all if one alone does not go with the rest.
    func place(_ side: ConflictSettlement.Side) -> [String] {
      let isPossible =
        (try? ConflictSettlement.settle([first], of: all, with: side, in: source)) != nil
      return isPossible ? Self.words(for: first) : Self.all
    }
    let theirs = place(.theirs)
    let ours = conflicts.count == 1 ? place(.ours) : Self.all
    let one = conflicts.count == 1 ? "it" : "the first"
    lines = [
      "To take their version of \(theirs == Self.all ? "all" : one): \(command(theirs, "--theirs"))",
      "To keep ours\(ours == Self.all ? " everywhere" : ""): \(command(ours, "--ours"))",
      "To edit the scenario: \(command([first.scenario.rawValue], "--edit"))",
    ]
  }

  /// Selects every conflict.
  private static let all = ["--all"]

  /// The arguments that select a conflict.
  private static func words(for conflict: Conflict) -> [String] {
    [conflict.scenario.rawValue, conflict.key].compactMap(\.self)
      + (conflict.pointer.tokens.isEmpty ? [] : [conflict.pointer.description])
  }
}
