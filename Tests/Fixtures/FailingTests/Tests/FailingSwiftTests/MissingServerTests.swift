import StubDBUITesting
import Testing

/// Nothing listens at port 9: one test fails, and the others are skipped.
@Suite(.serialized, .session("checkout/paid", server: StubServerAddress("http://127.0.0.1:9")))
struct MissingServerTests {
  @Test(arguments: 1...3) func failsWithoutAServer(number: Int) {
    Issue.record("A test without a server goes on")
  }
}
