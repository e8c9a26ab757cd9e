import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBJobs

/// Says that a catalog is damaged where a command that succeeds does not read it.
///
/// An edit reads the scenarios that it changes, and a merge those that differ. What neither reads is not given new digests,
/// so that `check` finds the damage later as well: only as much is read here as takes no noticeable time.
enum DamageNote {
  /// The largest catalogs, in bytes, whose bodies are compared with their digests for an edit, and whose scenarios are as
  /// well for a merge.
  private static let largest = (edited: 1 << 20, merged: 16 << 20)

  static func showBeforeEdit(of catalog: Catalog) {
    // The edit itself says why a catalog cannot be read.
    guard (try? catalog.isDamaged(upTo: largest.edited, rows: false)) == true else { return }
    let name = TerminalText.path(catalog.url)
    Console.note(
      "\(Style.notes.yellow("Warning:")) \(name) is damaged: a body does not match its digest")
    Console.note("To see which: \(FollowUp.command("check", in: catalog))")
  }

  /// For the result of a merge; `check` is the command that finds the damage.
  static func showAfterMerge(into file: URL, name: String, check: String) {
    guard let catalog = try? Catalog(contentsOf: file),
      (try? catalog.isDamaged(upTo: largest.merged, rows: true)) == true
    else { return }
    Console.note(
      "\(Style.notes.yellow("Warning:")) \(name) is damaged where the sides do not differ: a scenario or a body does "
        + "not match its digest")
    Console.note("To see which: \(check)")
  }
}
