import StubDBModel

/// What a run reads of a stub that always gives its only response and does nothing else, as most do.
///
/// The stub has it, too, but in several places of a large memory: in a scenario of many stubs each of them is a cache
/// miss.
struct PlainAnswer: Sendable {
  /// The scenario whose document contains the stub.
  let origin: ScenarioName
  let key: String
  let response: StubResponse
  /// The status that a client gets before anything else; nil if it gets none.
  let status: Int?
  /// Whether the response comes late or slowly.
  let isSlow: Bool

  init(_ source: borrowing LoadedScenario.Source) {
    origin = source.origin
    key = source.stub.key.rawValue
    response = source.stub.responses[0]
    status = response.sentStatus
    isSlow = response.delay != nil || response.throttle != nil
  }
}
