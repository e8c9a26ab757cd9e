/// What a run does with requests that its scenario does not answer: whether they go to the real network and into the
/// draft beside the catalog.
///
/// The names are those of VCR. Nothing is ever written to the catalog by a run; `stubdb review` accepts a draft.
public struct RecordMode: Hashable, Sendable {
  /// The name in code and in drafts.
  package let name: String

  /// Nothing is recorded; the default.
  public static let none = RecordMode(name: "none")
  /// Everything is recorded if the catalog does not have the scenario, or if it has no stubs; otherwise nothing.
  public static let once = RecordMode(name: "once")
  /// Stubs answer, and what they do not answer is recorded.
  public static let newEpisodes = RecordMode(name: "newEpisodes")
  /// No stub answers, and everything is recorded.
  public static let all = RecordMode(name: "all")

  /// The variable that names the mode for all tests, whatever they say.
  package static let variable = "STUBDB_RECORD"
  /// The variable that allows to record in continuous integration.
  package static let permission = "STUBDB_RECORD_ALLOW_CI"

  package static let spellings = [
    "none": RecordMode.none, "once": .once, "new-episodes": .newEpisodes, "all": .all,
  ]

  /// Whether an environment is one of continuous integration.
  package static func isIntegration(_ environment: [String: String]) -> Bool {
    !["", "0", "false"].contains(environment["CI"]?.lowercased() ?? "")
  }

  /// The mode that counts in an environment; nil if the variable is not a mode.
  ///
  /// Under `CI` nothing is recorded unless the environment allows it: a test that lacks a stub has to fail there.
  package func effective(in environment: [String: String]) -> RecordMode? {
    var mode = self
    if let text = environment[Self.variable], !text.isEmpty {
      guard let named = Self.spellings[text] else { return nil }
      mode = named
    }
    let isIntegration = Self.isIntegration(environment)
    let isAllowed = !["", "0", "false"].contains(environment[Self.permission]?.lowercased() ?? "")
    return isIntegration && !isAllowed ? RecordMode.none : mode
  }
}
