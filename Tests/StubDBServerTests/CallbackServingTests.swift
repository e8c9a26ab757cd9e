#if Server
import Foundation
import HTTPTypes
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBPlayback
import Testing

@testable import StubDBServer

@Suite struct CallbackServingTests {
  private static func options(
    _ change: (inout ServerOptions) -> Void = { _ in }
  ) -> ServerOptions {
    var options = ServerOptions()
    options.forwarding.allowsCallbacks = true
    options.forwarding.allowsPrivateUpstreams = true
    change(&options)
    return options
  }

  private static let receiver = #"""
    {"scenario": "receiver", "stubs": [{"key": "hook", "request": {"method": "POST", "path": "/hook"},
      "responses": [{"status": 202, "text": "thanks"}]}]}
    """#

  private static func document(_ port: Int) -> String {
    #"""
    {"scenario": "shop", "stubs": [{"key": "pay", "request": {"path": "/pay"},
      "capture": {"order": {"query": "order"}},
      "responses": [{"template": true, "text": "ok", "callbacks": [
        {"request": {"url": "http://127.0.0.1:\#(port)/hook?from={{request.path}}", "headers": {"X-Hook": "1"},
          "json": {"order": "{{captured.order}}"}}, "after": "10ms", "times": 2}]}]}]}
    """#
  }

  @Test func callbacksAreSentAndTheJournalSaysWhatBecameOfThem() async throws {
    let receiver = try TestServer(Self.receiver)
    let server = try TestServer(Self.document(receiver.server.port), options: Self.options())
    #expect(try server.ask("GET", "/pay?order=o_7").text == "ok")
    let events = await server.server.allCallbacks()
    #expect(events.count == 2 && events.map(\.turn) == [1, 2])
    let calls = receiver.player.run.journal.map(\.request)
    #expect(calls.map(\.text) == [#"{"order":"o_7"}"#, #"{"order":"o_7"}"#])
    let call = try #require(calls.first)
    #expect(call.method == "POST" && call.url.hasSuffix("/hook?from=/pay"))
    #expect(call.headers["X-Hook"] == "1" && call.headers["User-Agent"] == "stubdb")
    #expect(call.headers["Content-Type"] == "application/json" && call.headers["Via"] == nil)
    let entry = try server.ask("GET", "/__stubdb/sessions/default/journal/1")
    #expect(entry.text("/callbacks/1/outcome") == "answered", "\(entry)")
    #expect(entry["/callbacks/1/status"] == 202 && entry["/callbacks/1/turn"] == 2)
    #expect(
      entry.text("/callbacks/0/url") == "http://127.0.0.1:\(receiver.server.port)/hook?from=/pay")
    #expect(!entry.isMissing("/callbacks/0/durationMs") && entry.isMissing("/callbacks/2"))
  }

  @Test func callbacksToPrivateAddressesNeedTheSecondFlag() async throws {
    let receiver = try TestServer(Self.receiver)
    let server = try TestServer(
      Self.document(receiver.server.port),
      options: Self.options { $0.forwarding.allowsPrivateUpstreams = false })
    _ = try server.ask("GET", "/pay?order=1")
    guard case .refused(let reason)? = await server.server.allCallbacks().first?.outcome else {
      Issue.record("it was sent")
      return
    }
    #expect(reason.contains("--allow-private-upstream"))
    #expect(receiver.player.run.journal.isEmpty)
    let entry = try server.ask("GET", "/__stubdb/sessions/default/journal/1")
    #expect(entry.text("/callbacks/0/outcome") == "refused")
  }

  @Test func aCallThatFailsSaysWhy() async throws {
    let port = try TestServer(Self.receiver).server.port
    let server = try TestServer(Self.document(port), options: Self.options())
    _ = try server.ask("GET", "/pay?order=1")
    guard case .failed(let reason)? = await server.server.allCallbacks().first?.outcome else {
      Issue.record("nobody listens there")
      return
    }
    #expect(
      reason
        == "The other server cannot be reached: it refused the connection, so probably nothing "
        + "listens on that port")
  }

  @Test func theEndOfASessionEndsItsCallbacks() async throws {
    let receiver = try TestServer(
      #"{"scenario": "receiver", "stubs": [{"key": "hook", "responses": [{"fault": "never"}]}]}"#)
    let catalog = try TestCatalog(Self.document(receiver.server.port))
    let server = try TestServer(catalog: catalog, scenario: "shop", options: Self.options())
    let id = try server.makeSession()
    let player = try #require(server.server.sessions[id]).player
    _ = try server.ask("GET", "/~\(id)/pay?order=1")
    #expect(try server.ask("DELETE", "/__stubdb/sessions/\(id)").status == 200)
    await player.callbacks.waitForAll()
    #expect(player.callbacks.events.allSatisfy { $0.outcome == nil })
  }

  // MARK: Calls that lead to calls

  private static let loop = #"""
    {"scenario": "loop", "stubs": [{"key": "self", "responses": [{"template": true, "callbacks": [
      {"request": {"method": "GET", "url": "http://{{request.headers.Host}}/"}, "times": 4}]}]}]}
    """#

  @Test func aServerThatCallsItselfComesToAnEnd() async throws {
    let server = try TestServer(Self.loop, options: Self.options())
    #expect(try server.ask("GET", "/", host: "127.0.0.1:\(server.server.port)").status == 200)
    let outcomes = await server.server.allCallbacks().compactMap(\.outcome)
    // Each of the four calls begins a chain.
    #expect(server.player.run.journal.count == 1 + 4 * (1 + CallbackChains.mostFollowing))
    #expect(
      outcomes.contains(
        .refused(reason: "The first call of this chain has led to 100 others already")))
  }

  @Test(arguments: ["9223372036854775807 x", "99999999999999999999", "5", "-1", "x", ""])
  func theFieldOfAChainMayBeAnything(field: String) async throws {
    let server = try TestServer(Self.document(1), options: Self.options())
    let fields = ["StubDB-Callback: \(field)"]
    #expect(try server.ask("GET", "/pay?order=1", fields: fields).status == 200)
    let first = await server.server.allCallbacks().first?.outcome
    let isLast = ["9223372036854775807 x", "5"].contains(field)
    let refusal = "The request before is the last of \(CallbackChains.mostInARow) calls in a row"
    #expect((first == .refused(reason: refusal)) == isLast)
  }

  @Test func chainsAreForgottenOnlyForNewerOnes() throws {
    let name = try #require(CallbackChains.fieldName)
    var chains = CallbackChains()
    func place(_ chain: Int) -> CallbackChains.Place {
      chains.place(
        ofCallAfter: StubRequest(url: "http://a.test/", headers: [name: "1 \(chain)"]))
    }
    for _ in 0..<CallbackChains.mostFollowing { #expect(place(0) == .field("2 0")) }
    for chain in 1...1_000 { _ = place(chain) }
    guard case .refused = place(0) else {
      Issue.record("the first chain was forgotten")
      return
    }
  }

  @Test func aCatalogThatChangesKeepsTheCallbacks() async throws {
    let receiver = try TestServer(Self.receiver)
    let server = try TestServer(Self.document(receiver.server.port), options: Self.options())
    _ = try server.ask("GET", "/pay?order=1")
    let stub = #"{"request": {"url": "/more"}, "response": {"status": 204}}"#
    #expect(try server.ask("POST", "/__admin/mappings", stub).status == 201)
    #expect(await server.server.allCallbacks().count == 2)
    #expect(receiver.player.run.journal.count == 2)
  }
}
#endif
