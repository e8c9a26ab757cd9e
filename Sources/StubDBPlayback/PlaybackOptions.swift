public import Foundation
package import StubDBEngine
public import StubDBModel

/// How a scenario is played.
public struct PlaybackOptions: Hashable, Sendable {
  /// What these options decide, and not the defaults of a suite or a catalog.
  var chosen: PlaybackDefaults
  /// The seed that decides everything random.
  public var seed: UInt64
  /// Whether stubs may leave a request to the real network.
  public var allowsPassthrough: Bool
  /// Scenarios to lay on top of one that is loaded by name; the last one answers first.
  ///
  /// A run of a scenario that was loaded before refuses all requests if there are any, since it has no catalog.
  public var overlays: [String]
  /// What happens to requests that the scenario does not answer, if the run is of a scenario that an interceptor loads
  /// by its name.
  ///
  /// The variable `STUBDB_RECORD` (`none`, `once`, `new-episodes` or `all`) wins over it. Where `CI` is set, nothing is
  /// recorded unless `STUBDB_RECORD_ALLOW_CI` is, too. Other runs ignore it.
  public var record: RecordMode
  /// Whether a test reports unmatched requests, so that the error of the request needs only one line.
  package var isReportedElsewhere = false
  /// What looks for more problems at the end; nil for nothing.
  package var check: ChosenCheck?
  /// What changes or holds answers; nil for nothing.
  package var control: ChosenControl?
  /// Why all requests are refused; nil if they are not.
  package var refusal: String?

  /// Makes options; what is nil is as the defaults of suites and of the catalog say.
  public init(
    pace: Pace? = nil, seed: UInt64 = 0, unmatched: UnmatchedPolicy? = nil,
    allowsPassthrough: Bool = false, requiresStubs: Bool? = nil,
    requiresWholeSequences: Bool? = nil,
    overlays: [any ScenarioNaming] = [], record: RecordMode = .none, today: Today? = nil
  ) {
    chosen = PlaybackDefaults(
      pace: pace, unmatched: unmatched, requiresStubs: requiresStubs,
      requiresWholeSequences: requiresWholeSequences, today: today)
    self.seed = seed
    self.allowsPassthrough = allowsPassthrough
    self.overlays = overlays.map(\.scenarioName)
    self.record = record
  }
}

extension PlaybackOptions {
  /// How the times of the scenario relate to real time; as they are, unless something else is chosen.
  public var pace: Pace {
    get { chosen.pace ?? .real }
    set { chosen.pace = newValue }
  }

  /// What happens to requests that no stub answers; they fail, unless something else is chosen.
  public var unmatched: UnmatchedPolicy {
    get { chosen.unmatched ?? .fail }
    set { chosen.unmatched = newValue }
  }

  /// Whether each stub of the scenario and its overlays counts as one with `"required": true`, but not those of
  /// scenarios that they include.
  public var requiresStubs: Bool {
    get { chosen.requiresStubs ?? false }
    set { chosen.requiresStubs = newValue }
  }

  /// Whether every sequence of responses that is begun must be finished, not only those of stubs with `"required":
  /// true` or `"then": "fail"`.
  public var requiresWholeSequences: Bool {
    get { chosen.requiresWholeSequences ?? false }
    set { chosen.requiresWholeSequences = newValue }
  }

  /// The day that it is in the run; nil for the clock of the system and answers as they were recorded.
  public var today: Today? {
    get { chosen.today }
    set { chosen.today = newValue }
  }

  /// The same options with another mode of recording.
  package func recording(_ mode: RecordMode) -> PlaybackOptions {
    var options = self
    options.record = mode
    return options
  }

  /// The options for a scenario that is loaded already, on which nothing can be laid any more.
  package var withoutCatalog: PlaybackOptions {
    guard !overlays.isEmpty else { return self }
    var options = self
    let names = overlays.map { "\"\($0)\"" }.joined(separator: ", ")
    options.refusal =
      "the options ask for the overlays \(names), but the scenario was loaded without them;"
      + " load it with catalog.load(_:overlays:) and leave them out of the options"
    return options
  }
}

/// Looks for problems in the requests of a run; a module that has one is compiled only where it is imported.
package protocol RunCheck: AnyObject, Sendable {
  /// The problems, in the order of the journal; the path is that of the catalog.
  func problems(of run: ScenarioRun, catalog: String?) -> [VerificationProblem]
}

/// A check, compared by its identity.
package struct ChosenCheck: Hashable, Sendable {
  package let check: any RunCheck
  /// The catalog of a run that is recorded as a whole; nil for that of the scenario.
  package var catalog: String?
  package init(check: any RunCheck) { self.check = check }
  package static func == (one: Self, other: Self) -> Bool { one.check === other.check }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(check)) }
}

/// Changes and holds the answers of a run; a module that has one is compiled only where it is imported.
package protocol AnswerControl: AnyObject, Sendable {
  /// Whether answers are held; the client never gets one at once then.
  var holdsAnswers: Bool { get }
  /// The response in place of the one that a stub or a closure gives; called on the thread of the request.
  func response(_ response: StubResponse, to event: ServeEvent, of player: Player) -> StubResponse
  /// Holds an answer until `give` is called, on any thread; cancelled if the request is given up.
  func hold(_ event: ServeEvent, give: @escaping @Sendable () -> Void) -> any Cancellable
}

/// A control, compared by its identity.
package struct ChosenControl: Hashable, Sendable {
  package let control: any AnswerControl
  package init(control: any AnswerControl) { self.control = control }
  package static func == (one: Self, other: Self) -> Bool { one.control === other.control }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(control)) }
}

/// How the times of a scenario relate to real time.
public struct Pace: Hashable, Sendable {
  private enum Kind: Hashable {
    case real
    case instant
    case scaled(Double)
  }

  private let kind: Kind

  /// Delays take the time that they say.
  public static let real = Pace(kind: .real)
  /// Delays take no time; the order of events stays the same.
  public static let instant = Pace(kind: .instant)

  /// Delays take this many times as long as they say; zero or more.
  public static func scaled(_ factor: Double) -> Pace { Pace(kind: .scaled(factor)) }

  private init(kind: Kind) { self.kind = kind }

  /// Reads `real`, `instant` or a factor; nil for other texts.
  package init?(_ text: String) {
    let words = ["real": Kind.real, "instant": .instant]
    guard let kind = words[text] ?? Double(text).map(Kind.scaled) else { return nil }
    if case .scaled(let factor) = kind, !factor.isFinite || factor < 0 { return nil }
    self.kind = kind
  }

  /// The word, or the factor.
  package var text: String {
    switch kind {
    case .real: "real"
    case .instant: "instant"
    case .scaled(let factor): "\(factor)"
    }
  }

  /// The real time that a time of the scenario takes at this pace; never negative.
  package func scaled(_ time: Duration) -> Duration {
    switch kind {
    case .real: max(.zero, time)
    case .instant: .zero
    case .scaled(let factor):
      factor.isFinite && factor > 0 ? Self.product(max(.zero, time), factor) : .zero
    }
  }

  /// Clamped, because the arithmetic of `Duration` stops the process on overflow.
  private static func product(_ time: Duration, _ factor: Double) -> Duration {
    let longest = Duration.seconds(1_000_000_000_000)
    return time / longest * factor < 1 ? time * factor : longest
  }
}

/// What happens to a request that no stub answers.
///
/// The request is in the journal in any case, and reaches the network only with ``passthrough``.
public struct UnmatchedPolicy: Hashable, Sendable {
  enum Kind: Hashable {
    case fail
    case passthrough
    case respond(Int)
  }

  let kind: Kind

  /// The client gets a `URLError` with the code ``errorCode``, whose `localizedDescription` is the text of the
  /// ``UnmatchedReport``, and verification fails.
  public static let fail = UnmatchedPolicy(kind: .fail)
  /// The request goes to the real network, through a session that is not intercepted; verification accepts it.
  public static let passthrough = UnmatchedPolicy(kind: .passthrough)

  /// The client gets a response with this status, 100 to 999, and the text of the report as its content, if the status
  /// allows any; verification accepts it.
  ///
  /// Of other numbers the nearest valid one counts.
  public static func respond(_ status: Int) -> UnmatchedPolicy {
    UnmatchedPolicy(kind: .respond(StubResponse.validStatus(status)))
  }

  private init(kind: Kind) { self.kind = kind }

  /// Reads `fail`, `passthrough` or a status; nil for other texts.
  package init?(_ text: String) {
    let words = ["fail": Kind.fail, "passthrough": .passthrough]
    guard let kind = words[text] ?? Int(text).map(Kind.respond) else { return nil }
    if case .respond(let status) = kind, !(100...999).contains(status) { return nil }
    self.kind = kind
  }

  /// The code of the error of ``fail``: `resourceUnavailable`, -1008.
  ///
  /// The network itself does not use this code, and clients that retry after transient errors do not retry after it.
  public static let errorCode = URLError.Code.resourceUnavailable
}
