import Foundation
import StubDBJSON

/// A line of the usage ledger, which is complete by itself: files and lines may be put together in any order.
///
/// A process writes ``began`` first, a ``run`` at the end of each run, and ``ended`` when it ends in good order. A line
/// is a JSON object with the version of the format as `ledger`, and no line break inside.
package enum LedgerLine: Hashable, Sendable {
  /// A process that plays scenarios began, at a time in UTC such as `2026-11-22T13:30:00Z`.
  case began(process: String, at: String)
  /// A run ended.
  case run(LedgerEntry)
  /// The process ended, so that all its runs have a line.
  case ended(process: String)

  /// The version of the format that is written; other versions are not read.
  package static let version = 1

  /// The line with its line break.
  package var text: String {
    switch self {
    case .began(let process, let time):
      Self.head(of: process) + ",\"began\":\(Self.quoted(time))}\n"
    case .run(let entry):
      Self.head(of: entry.process, catalog: entry.catalog, digest: entry.digest)
        + Self.tail(entry)
    case .ended(let process):
      Self.head(of: process) + ",\"ended\":true}\n"
    }
  }

  /// The beginning of each line of a process about a catalog.
  static func head(of process: String, catalog: String, digest: String?) -> String {
    head(of: process) + ",\"catalog\":\(quoted(catalog))"
      + (digest.map { ",\"digest\":\(quoted($0))" } ?? "")
  }

  /// The rest of a line, with its line break.
  static func tail(_ entry: LedgerEntry) -> String {
    var text = ",\"scenario\":" + quoted(entry.scenario)
    if !entry.overlays.isEmpty { text += ",\"overlays\":" + list(entry.overlays) }
    if let resolved = entry.resolved { text += ",\"resolved\":" + quoted(resolved) }
    if !entry.demands.isEmpty { text += ",\"demands\":" + list(entry.demands.map(\.rawValue)) }
    if let test = entry.test { text += ",\"test\":" + quoted(test) }
    let uses = entry.used.map { "\(quoted($0.scenario)):\(list($0.keys))" }
    return text + ",\"used\":{\(uses.joined(separator: ","))}}\n"
  }

  private static func head(of process: String) -> String {
    "{\"ledger\":\(version),\"process\":\(quoted(process))"
  }

  private static func list(_ texts: [String]) -> String {
    "[\(texts.map(quoted).joined(separator: ","))]"
  }

  /// The characters that JSON escapes, except the one with the number 0.
  private static let escaped =
    "\"\\" + String(String.UnicodeScalarView((1..<32).compactMap(Unicode.Scalar.init)))

  private static func quoted(_ text: String) -> String {
    // Almost no text needs escapes, and C finds that out in a fraction of the time.
    if text.withCString({ strcspn($0, escaped) }) == text.utf8.count { return "\"\(text)\"" }
    var writer = JSONWriter(indent: nil)
    writer.write(text)
    return writer.text
  }
}

/// What a run used.
package struct LedgerEntry: Hashable, Sendable {
  /// The stubs of one scenario that answered.
  package struct Use: Hashable, Sendable {
    /// The scenario whose document contains the stubs.
    package var scenario: String
    /// Their keys, in the order in which they answer.
    package var keys: [String]

    package init(scenario: String, keys: [String]) {
      (self.scenario, self.keys) = (scenario, keys)
    }
  }

  /// Something that the result of a run depends on besides the stubs that answered.
  package enum Demand: String, Sendable {
    /// All stubs of the scenario: each is required, or one more may answer what none did.
    case allStubs
    /// The description that the catalog keeps.
    case description
  }

  /// The process, which no other one is named like; empty until the line is written.
  package var process: String
  /// The path of the catalog: relative to the top of its git repository, or absolute if it is in none.
  package var catalog: String
  /// The digest of the catalog's content; nil if it is unknown.
  package var digest: String?
  /// The scenario that was loaded.
  package var scenario: String
  /// The overlays that were laid on top; usually empty.
  package var overlays: [String]
  /// The digest of all stubs that the scenario and the overlays had; nil in lines of earlier versions.
  package var resolved: String?
  /// Usually empty.
  package var demands: [Demand] = []
  /// The name of the test; nil if the run was not begun by a trait or by `loadScenario`.
  package var test: String?
  /// The stubs that answered, also those of included scenarios; empty if the run was asked nothing.
  package var used: [Use]

  package init(
    process: String = "", catalog: String, digest: String?, scenario: String, overlays: [String],
    test: String?, used: [Use]
  ) {
    (self.process, self.catalog, self.digest, self.scenario) = (process, catalog, digest, scenario)
    (self.overlays, self.test, self.used) = (overlays, test, used)
  }
}
