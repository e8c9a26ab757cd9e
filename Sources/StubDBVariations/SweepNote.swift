package import Foundation

/// A line of a sweep file about a sweep that has tried nothing, or not everything.
package struct SweepNote: Hashable, Sendable {
  /// Why nothing was tried.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// No test of the process has the variation that is named.
    case unknown
    /// What a test was answered has nothing to vary.
    case nothing
    /// A limit has left out a part of the variations.
    case cut
  }

  package var kind: Kind
  /// When it was written, in seconds since 1970.
  package var time: Double
  /// The name of the test; nil for what all tests of a process were asked for.
  package var test: String?
  /// The path of the catalog as in the usage ledger; nil if the scenario was made in memory.
  package var catalog: String?
  /// The variation that is named; nil for ``Kind/nothing``.
  package var variation: String?
  /// What the sweep varies; nil for ``Kind/unknown``.
  package var sweep: Variation.Kind?
  /// A sentence that says it all.
  package var message: String

  package init(
    _ kind: Kind, time: Double, test: String?, catalog: String?, variation: String? = nil,
    sweep: Variation.Kind? = nil, message: String
  ) {
    (self.kind, self.time, self.test, self.catalog) = (kind, time, test, catalog)
    (self.variation, self.sweep, self.message) = (variation, sweep, message)
  }
}

extension SweepNote {
  /// The line with its line break.
  package var text: String {
    SweepObject.line(
      time,
      [
        ("note", kind.rawValue), ("test", test), ("catalog", catalog), ("variation", variation),
        ("kind", sweep?.rawValue), ("message", message),
      ])
  }

  /// Reads a line without its line break; nil if it is no note of this version.
  package init?(_ line: some Collection<UInt8>) {
    guard let line = SweepObject(line), let kind = line.text("note").flatMap(Kind.init(rawValue:)),
      let message = line.text("message")
    else { return nil }
    (self.kind, self.time, self.message) = (kind, line.time, message)
    (test, catalog, variation) = (line.text("test"), line.text("catalog"), line.text("variation"))
    sweep = line.text("kind").flatMap(Variation.Kind.init(rawValue:))
  }

  /// The notes of a file; lines that are none are left out.
  package static func notes(of file: Data) -> [SweepNote] {
    file.split(separator: UInt8(ascii: "\n")).compactMap { SweepNote($0) }
  }
}
