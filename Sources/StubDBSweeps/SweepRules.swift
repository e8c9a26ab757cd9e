internal import Foundation
internal import StubDBEngine
internal import StubDBModel

/// What the repetitions of a test must keep to.
struct SweepRules: Sendable {
  /// Whether an error that comes out of the test is the one that must; nil if none must.
  var expecting: (@Sendable (any Error, SweptFailure) -> Bool)?
  /// The keys of the stubs whose failure may be swallowed.
  var mayFail: Set<String>
  /// Requests that may be sent without a stub, each as a method and a URL.
  private let allowed: [String]
  /// How many more times than in the unchanged run a stub may be asked.
  var retries: Int
  /// The real time without any request after which a test counts as one that does not end.
  var deadline: Duration

  init(
    expecting: (@Sendable (any Error, SweptFailure) -> Bool)? = nil, mayFail: [String] = [],
    allowing: [String] = [], retries: Int = 10, deadline: Duration = .seconds(10)
  ) {
    (self.expecting, self.mayFail) = (expecting, Set(mayFail))
    (allowed, self.retries, self.deadline) = (allowing, max(0, retries), deadline)
  }

  /// The filters of the allowed requests.
  ///
  /// - Throws: `DocumentError` or `EngineError` for a line that is no method and URL.
  func filters() throws -> [RequestFilter] {
    try allowed.map { try RequestFilter(RequestPattern(line: $0)) }
  }
}

/// Which variations are tried.
struct SweepFilter: Sendable {
  /// The variable that restricts a process to the variation that it names; `none` switches all sweeps off.
  static let variable = "STUBDB_SWEEP"
  /// The variable that leaves out what ended an earlier process.
  static let skipVariable = "STUBDB_SWEEP_SKIP_CRASHED"

  /// Copied once, since each look at the environment copies all of it.
  private static let environment = ProcessInfo.processInfo.environment

  /// The name of the only variation; nil for all.
  let only: String?
  /// Whether the name is one of all tests of the process, of which most do not have it.
  let isOfProcess: Bool
  /// Whether variations that ended a process are left out.
  let skipsCrashed: Bool

  /// The variable counts before the trait.
  init(only: String?, environment: [String: String] = Self.environment) {
    let named = environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }
    self.only = named ?? only
    isOfProcess = named != nil
    skipsCrashed = !["", "0", "false"].contains(
      environment[Self.skipVariable]?.lowercased() ?? "")
  }

  /// Whether any variation is tried; a trait names one.
  var allowsAny: Bool { !isOfProcess || only != "none" }
}
