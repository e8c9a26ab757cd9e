import StubDBModel

/// A stub that always gives its only response, without a delay and a throttle, as most do: it has no flow, no captures
/// and no templates.
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
