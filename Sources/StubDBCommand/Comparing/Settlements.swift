import StubDBCatalog
import StubDBCatalogEditing
import StubDBChanges
import StubDBGit
import StubDBJSON
import StubDBModel

/// Commands that settle listed conflicts, each ready to be typed.
struct Settlements {
  let lines: [String]

  /// Makes the commands for the conflicts, which are not empty.
  init(of conflicts: [Conflict], in catalog: Catalog) throws {
    let all = try catalog.conflicts()
    let source = CatalogScenarios(try CatalogSnapshot(contentsOf: catalog.url))
    guard let first = conflicts.first else {
      lines = []
      return
    }
    func command(_ place: [String], _ option: String) -> String {
      let isAll = place == Self.all
      return FollowUp.command(
        "resolve", on: isAll ? [] : place, (isAll ? place : []) + [option], catalog: catalog.url)
    }
    /// One conflict, or all if one alone does not go with the rest.
    func place(_ side: ConflictSettlement.Side) -> [String] {
      let isPossible =
        (try? ConflictSettlement.settle([first], of: all, with: side, in: source)) != nil
      return isPossible ? Self.words(for: first) : Self.all
    }
    let theirs = place(.theirs)
    let ours = conflicts.count == 1 ? place(.ours) : Self.all
    lines = [
      (theirs == Self.all
        ? "To take their version of all: "
        : "To take their version of \(conflicts.count == 1 ? "it" : "the first"): ")
        + command(theirs, "--theirs"),
      (ours == Self.all ? "To keep ours everywhere: " : "To keep ours: ")
        + command(ours, "--ours"),
      "To edit the scenario: " + command([first.scenario.rawValue], "--edit"),
    ]
  }

  /// Stands for every conflict.
  private static let all = ["--all"]

  /// The arguments that select a conflict.
  private static func words(for conflict: Conflict) -> [String] {
    [conflict.scenario.rawValue, conflict.key].compactMap(\.self)
      + (conflict.pointer.tokens.isEmpty ? [] : [conflict.pointer.description])
  }
}
