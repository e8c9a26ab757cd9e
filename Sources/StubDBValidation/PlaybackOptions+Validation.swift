public import StubDBModel
public import StubDBPlayback

extension PlaybackOptions {
  /// Makes options that may have requests checked against the descriptions that the catalog keeps.
  ///
  /// A run with `validatesRequests` has a problem for each request that such a description does not allow, whatever answers
  /// it. `stubdb check --openapi FILE --keep` keeps a description, and `.stubdb-verify.json` beside the catalog has the
  /// exceptions. Requests to hosts that no description names are not checked. The other arguments are those of the
  /// initializer without it.
  public init(
    pace: Pace? = nil, seed: UInt64 = 0, unmatched: UnmatchedPolicy? = nil,
    allowsPassthrough: Bool = false, requiresStubs: Bool? = nil,
    requiresWholeSequences: Bool? = nil, overlays: [any ScenarioNaming] = [],
    record: RecordMode = .none, today: Today? = nil, validatesRequests: Bool
  ) {
    self.init(
      pace: pace, seed: seed, unmatched: unmatched, allowsPassthrough: allowsPassthrough,
      requiresStubs: requiresStubs, requiresWholeSequences: requiresWholeSequences,
      overlays: overlays, record: record, today: today)
    self = validatingRequests(validatesRequests)
  }

  /// The same options, which have requests checked or not.
  public func validatingRequests(_ isOn: Bool = true) -> PlaybackOptions {
    var options = self
    options.check = isOn ? ChosenCheck(check: RequestValidation.shared) : nil
    return options
  }
}
