package import Foundation
import StubDBModel
import StubDBPlayback
import StubDBSupport

/// A line of a sweep file, which is complete by itself: files and lines may be put together in any order.
///
/// A process writes ``State/begun`` before it tries a variation, and the outcome after it. The files are in the folder
/// ``folder(inLedger:)``, one for each process. A line is a JSON object with the version of the format as `sweep`, and
/// no line break inside.
package struct SweepLine: Hashable, Sendable {
  /// What became of a variation.
  package enum State: String, Hashable, Sendable, CaseIterable {
    /// It is under way; if its process has ended and wrote nothing after it, the variation may have ended the process.
    case begun
    /// It showed nothing.
    case survived
    /// It showed a defect.
    case found
    /// It was left out, because it ended a process before, or the time limit of the test cut it short.
    case skipped
  }

  /// The version of the format that is written; other versions are not read.
  package static let version = 1

  /// When it was written, in seconds since 1970; of two outcomes of a variation of a test, the later one counts.
  package var time: Double
  /// The name of the test, as in the usage ledger; the cases of a parameterized test share it.
  package var test: String
  /// The path of the catalog as in the usage ledger; nil if the scenario was made in memory.
  package var catalog: String?
  /// The beginning of the digest of the catalog's content, in hexadecimal; nil if the scenario was made in memory.
  package var digest: String?
  /// The scenario that was loaded.
  package var scenario: String
  /// What was varied.
  package var kind: Variation.Kind
  /// The name of the variation; the line that it begins with has the same.
  package var variation: String
  /// The name that repeats it alone, where that is known only at the end: the whole order; nil if it is the same.
  package var tried: String?
  /// The scenario whose document contains the stub; nil for orders and closures.
  package var origin: String?
  /// The key of the stub; nil for orders.
  package var key: String?
  /// The JSON pointer of what was changed; nil for others than evolutions.
  package var pointer: String?
  /// What became of it.
  package var state: State
  /// The finding; nil unless the state is ``State/found``.
  package var finding: Finding?

  /// Makes a line about a variation.
  package init(
    time: Double, test: String, catalog: String?, digest: String? = nil, scenario: String,
    _ variation: Variation, _ state: State, tried: String? = nil, finding: Finding? = nil
  ) {
    (self.time, self.test, self.catalog, self.scenario) = (time, test, catalog, scenario)
    (self.digest, self.tried) = (digest, tried == variation.name ? nil : tried)
    (kind, self.variation) = (variation.kind, variation.name)
    (origin, key) = (variation.stub?.scenario?.rawValue, variation.stub?.key)
    (pointer, self.state, self.finding) = (variation.pointer, state, finding)
  }

  /// The folder of the sweep files inside that of the usage ledger.
  package static func folder(inLedger ledger: String) -> String {
    ledger + "/" + LedgerFolder.sweeps
  }
}

/// A defect of the code under test that a variation showed.
package struct Finding: Hashable, Sendable {
  /// What is wrong.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The process ended.
    case crash
    /// The test did not end.
    case hang
    /// A request was sent again and again.
    case endlessRetry
    /// A request was sent for which there is no stub.
    case unmatchedRequest
    /// The error that must come out did not.
    case swallowedError
    /// A request that may have been carried out was sent again.
    case repeatedWrite
    /// A request was sent again before the time that the answer said.
    case earlyRetry
    /// An expectation failed, or an error was thrown, that the unchanged run does not have.
    case failure
  }

  /// What is wrong.
  package var kind: Kind
  /// What was seen, as sentences.
  package var message: String

  package init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }
}

extension SweepLine {
  /// The line with its line break.
  package var text: String {
    SweepObject.line(
      time,
      [
        ("test", test), ("catalog", catalog), ("digest", digest), ("scenario", scenario),
        ("kind", kind.rawValue), ("variation", variation), ("tried", tried), ("origin", origin),
        ("key", key), ("pointer", pointer),
        ("state", state.rawValue), ("finding", finding?.kind.rawValue),
        ("message", finding?.message),
      ])
  }

  /// Reads a line without its line break; nil if it is none about a variation.
  package init?(_ line: some Collection<UInt8>) {
    guard let line = SweepObject(line), let test = line.text("test"),
      let scenario = line.text("scenario"),
      let kind = line.text("kind").flatMap(Variation.Kind.init(rawValue:)),
      let variation = line.text("variation"),
      let state = line.text("state").flatMap(State.init(rawValue:))
    else { return nil }
    (self.time, self.test, self.scenario) = (line.time, test, scenario)
    (self.kind, self.variation, self.state) = (kind, variation, state)
    (catalog, digest, tried) = (line.text("catalog"), line.text("digest"), line.text("tried"))
    (origin, key, pointer) = (line.text("origin"), line.text("key"), line.text("pointer"))
    finding = line.text("finding").flatMap(Finding.Kind.init(rawValue:)).map {
      Finding($0, line.text("message") ?? "")
    }
  }

  /// The failure that the stub was given; nil for others than failures, and for those of a later version.
  package var failure: FailureKind? {
    guard kind == .failure, let name = variation.split(separator: "/").last else { return nil }
    return FailureKind(rawValue: String(name))
  }

  /// The last line of a process that ended in good order, with its line break.
  package static let end = "{\"sweep\":\(version),\"ended\":true}\n"

  /// The lines about variations of a file; lines that cannot be read are left out.
  package static func lines(of file: Data) -> [SweepLine] {
    file.split(separator: UInt8(ascii: "\n")).compactMap { SweepLine($0) }
  }
}

/// A failure that a stub is given in place of its answers; the raw value is its name in those of variations.
package enum FailureKind: String, Hashable, Sendable, CaseIterable {
  case noConnection = "no-connection"
  case timeout
  case reset
  case serverError = "500"
  case unauthorized = "401"
  case tooManyRequests = "429"
  case empty
  case truncated
  case captivePortal = "captive-portal"
}
