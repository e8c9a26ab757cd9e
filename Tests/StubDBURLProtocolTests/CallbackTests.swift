import Foundation
import StubDBEngine
import StubDBPlayback
import StubDBTestSupport
import StubDBURLProtocol
import Testing

@Suite struct CallbackTests {
  /// A server in this process would get the calls if they were sent.
  @Test(arguments: Exchange.allCases)
  func callbacksAreEventsAndNeverSent(_ exchange: Exchange) async throws {
    let server = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" }
    let interceptor = StubInterceptor(
      try load(
        #"""
        { "scenario": "test/calls", "stubs": [
          { "key": "pay", "responses": [ { "text": "ok", "callbacks": [
            { "request": { "url": "\#(server.url("/hook"))", "text": "paid" }, "after": "5s", "times": 2 } ] } ] } ] }
        """#), options: .init(pace: .instant, unmatched: .passthrough, allowsPassthrough: true))
    let answer = try await exchange.send(
      try request("POST", "https://a.test/pay"), through: interceptor)
    #expect(answer.text == "ok")
    let callbacks = await interceptor.allCallbacks()
    #expect(callbacks.map(\.turn) == [1, 2])
    #expect(callbacks.allSatisfy { $0.request.text == "paid" && $0.requestNumber == 1 })
    #expect(server.requests.isEmpty)
  }
}
