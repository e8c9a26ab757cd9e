import StubDBModel

/// A stub that always gives its only response at once and does nothing else, as most do.
///
/// The journal and the selection keep this and not what it says, which is looked up when it is asked for: to keep a text
/// or a response is to write to memory that, in a scenario of many stubs, no cache holds.
struct PlainStub: Sendable {
  let stubs: CompiledStubs
  let rank: Int
  /// The status that its response begins with.
  let status: Int

  /// The scenario whose document contains the stub.
  var origin: ScenarioName { stubs.sources[rank].origin }
  var key: String { stubs.sources[rank].stub.key.rawValue }
  var response: StubResponse { stubs.sources[rank].stub.responses[0] }
}
