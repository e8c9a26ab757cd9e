package import Foundation
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

  /// Commands that work where settling some conflicts with one side does not, the nearest to it first.
  package static func alternatives(
    to error: SettlementError, with side: ConflictSettlement.Side, of all: [Conflict],
    _ source: EditedScenarios, in catalog: URL
  ) -> [JobText] {
    let name = error.scenario.rawValue
    func command(_ options: [String], on arguments: [String]) -> JobText {
      "\(command: "resolve", on: arguments, options, catalog: catalog)"
    }
    let whole = all.filter { $0.scenario == error.scenario }
    let sides: [(ConflictSettlement.Side, String)] = [(.ours, "--ours"), (.theirs, "--theirs")]
    var hints: [JobText] = []
    for (side, flag) in side == .ours ? sides : sides.reversed() {
      for (chosen, options, names) in [(all, Self.all, []), (whole, [], [name])]
      where !chosen.isEmpty {
        let changes = try? ConflictSettlement.settle(chosen, of: all, with: side, in: source)
        if changes != nil { hints.append("This works: \(command(options + [flag], on: names))") }
      }
    }
    if !whole.isEmpty {
      hints.append("To settle it by hand: \(command(["--edit"], on: [name]))")
    }
    return hints
  }

  /// Selects every conflict.
  private static let all = ["--all"]

  /// The arguments that select a conflict.
  private static func words(for conflict: Conflict) -> [String] {
    [conflict.scenario.rawValue, conflict.key].compactMap(\.self)
      + (conflict.pointer.tokens.isEmpty ? [] : [conflict.pointer.description])
  }
}
