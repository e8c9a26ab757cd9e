#if Server
import StubDBJSON
import StubDBModel

/// A stub that a client of WireMock's API has added to a session, which is in no catalog.
struct AddedStub: Sendable {
  /// The scenario that the journal names for such stubs.
  static let scenario = ScenarioName(unchecked: "wiremock/mappings")

  let id: String
  /// The mapping as the client gets it back.
  let mapping: JSONObject
  let stub: Stub
}
#endif
