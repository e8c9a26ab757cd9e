package import Foundation
import StubDBJSON
package import StubDBModel
import StubDBSupport

/// How strictly scenarios are played, as far as it is decided.
///
/// A test's options count before the traits of its suites, and these before the settings of the catalog.
package struct PlaybackDefaults: Hashable, Sendable {
  var pace: Pace?
  var unmatched: UnmatchedPolicy?
  var requiresStubs: Bool?
  var requiresWholeSequences: Bool?
  package var today: PlaybackOptions.Today?

  package init(
    pace: Pace? = nil, unmatched: UnmatchedPolicy? = nil, requiresStubs: Bool? = nil,
    requiresWholeSequences: Bool? = nil, today: PlaybackOptions.Today? = nil
  ) {
    (self.pace, self.unmatched, self.today) = (pace, unmatched, today)
    (self.requiresStubs, self.requiresWholeSequences) = (requiresStubs, requiresWholeSequences)
  }
}

extension PlaybackOptions {
  /// The options, and what they leave open as in the defaults.
  package func completed(with defaults: PlaybackDefaults) -> PlaybackOptions {
    var options = self
    options.chosen = PlaybackDefaults(
      pace: chosen.pace ?? defaults.pace, unmatched: chosen.unmatched ?? defaults.unmatched,
      requiresStubs: chosen.requiresStubs ?? defaults.requiresStubs,
      requiresWholeSequences: chosen.requiresWholeSequences ?? defaults.requiresWholeSequences,
      today: chosen.today ?? defaults.today)
    return options
  }

  /// The options, and what they leave open as in the settings beside a catalog.
  ///
  /// If these cannot be read, all requests are refused with the reason: played without them, a test might pass that
  /// should fail.
  package func completed(besideCatalog path: String) -> PlaybackOptions {
    switch CatalogSettings.defaults(besideCatalog: path) {
    case .success(let defaults): return completed(with: defaults)
    case .failure(let error):
      var options = self
      options.refusal = options.refusal ?? "The settings of the catalog cannot be used: \(error)"
      return options
    }
  }
}

/// The settings of the catalogs in a folder, which a process reads once.
package enum CatalogSettings {
  /// The name of the file.
  package static let fileName = ".stubdb-settings.json"

  private static let known = Locked([String: Result<PlaybackDefaults, DocumentError>]())

  /// The defaults for the scenarios of a catalog; empty if there are no settings.
  package static func defaults(
    besideCatalog path: String
  ) -> Result<PlaybackDefaults, DocumentError> {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    return known.withLock { known in
      if let defaults = known[folder.path] { return defaults }
      let file = folder.appendingPathComponent(fileName)
      let read = Result { () throws(DocumentError) in
        guard let text = FileManager.default.contents(atPath: file.path) else {
          guard FileManager.default.fileExists(atPath: file.path) else { return PlaybackDefaults() }
          throw DocumentError(.unreadableFile, file: file.path, message: "it cannot be read")
        }
        return try defaults(text, file: file.path)
      }
      known[folder.path] = read
      return read
    }
  }

  /// Reads settings.
  ///
  /// - Throws: `DocumentError` with the file and the line.
  package static func defaults(
    _ text: Data, file: String?
  ) throws(DocumentError) -> PlaybackDefaults {
    try DocumentNode.reading(text, file: file) { (root) throws(DocumentError) in
      let settings = try root.object(DocumentObjectKind("the settings", ["defaults"]))
      return try settings["defaults"]?.playbackDefaults() ?? PlaybackDefaults()
    }
  }
}

extension DocumentNode {
  fileprivate func playbackDefaults() throws(DocumentError) -> PlaybackDefaults {
    let object = try object(
      DocumentObjectKind(
        "defaults", ["requiresStubs", "requiresWholeSequences", "unmatched", "pace", "today"]))
    return PlaybackDefaults(
      pace: try object["pace"]?.pace(), unmatched: try object["unmatched"]?.unmatchedPolicy(),
      requiresStubs: try object["requiresStubs"]?.bool(),
      requiresWholeSequences: try object["requiresWholeSequences"]?.bool(),
      today: try object["today"]?.today())
  }

  private func today() throws(DocumentError) -> PlaybackOptions.Today {
    if case .string(let text) = value, let today = PlaybackOptions.Today(text) { return today }
    throw failure(.invalidValue, "today is \"now\", \"recorded\" or a date such as \"2027-02-28\"")
  }

  /// Reads `"real"`, `"instant"` or a factor.
  package func pace() throws(DocumentError) -> Pace {
    if let pace = scalar.flatMap({ Pace($0) }) { return pace }
    throw failure(.invalidValue, "the pace is \"real\", \"instant\" or a factor such as 0.1")
  }

  private func unmatchedPolicy() throws(DocumentError) -> UnmatchedPolicy {
    if let policy = scalar.flatMap({ UnmatchedPolicy($0) }) { return policy }
    throw failure(.invalidValue, "it is \"fail\", \"passthrough\" or a status such as 404")
  }

  private var scalar: String? {
    switch value {
    case .string(let text): text
    case .number(let number): number.text
    default: nil
    }
  }
}
