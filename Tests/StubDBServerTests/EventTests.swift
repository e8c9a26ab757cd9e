#if Server
import Foundation
import StubDBServer
import Testing

/// The events of all sessions, for one client.
@Suite struct EventTests {
  private static func follow(
    _ server: TestServer, _ query: String = "", last: Int? = nil
  ) throws -> RawClient {
    let client = try server.client()
    let field = last.map { "Last-Event-ID: \($0)\r\n" } ?? ""
    client.send("GET /__stubdb/events\(query) HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n")
    // Otherwise events may come along with the first sign of life.
    if query.isEmpty, last == nil { _ = client.read(until: ": ping") }
    return client
  }

  @Test func withoutASessionTheEventsOfAllCome() throws {
    let server = try TestServer(SessionTests.document)
    let client = try Self.follow(server)
    let id = try server.makeSession()
    _ = try server.ask("GET", "/~\(id)/two")
    let first = client.read(until: "\"url\":\"/two\"}\n\n")
    #expect(first?.contains("id: 1\nevent: request\n") == true)
    #expect(first?.contains("\"session\":\"\(id)\",\"status\":200,") == true)
    _ = try server.ask("GET", "/nowhere")
    let second = client.read(until: "\"url\":\"/nowhere\"}\n\n")
    #expect(second?.contains("id: 2\nevent: request\n") == true)
    #expect(second?.contains("\"matched\":false") == true)
    #expect(second?.contains("\"session\":\"default\",") == true)
    // A client whose connection broke goes on where it was, whatever its URL says.
    let again = try Self.follow(server, "?after=2", last: 1)
    #expect(again.read(until: "id: 2\nevent: request\n")?.contains("id: 1\n") == false)
    // The end of the server ends the events.
    server.server.end()
    #expect(again.read().bytes.suffix(5) == Data("0\r\n\r\n".utf8))
  }

  @Test func aNewRunAndWhatIsGoneAreTold() throws {
    let server = try TestServer(SessionTests.document)
    let client = try Self.follow(server)
    let id = try server.makeSession()
    _ = try server.ask("GET", "/~\(id)/two")
    _ = try server.ask("PATCH", "/__stubdb/sessions/\(id)", #"{"pace": "instant"}"#)
    #expect(
      client.read(until: "id: 2\nevent: run\ndata: {\"session\":\"\(id)\"}\n\n") != nil)
    _ = try server.ask("GET", "/~\(id)/two")
    #expect(client.read(until: "id: 3\nevent: request\n") != nil)
    _ = try server.ask("DELETE", "/__stubdb/sessions/\(id)")
    _ = try server.ask("GET", "/two")
    // The journals of the run before and of the session that ended are no longer there.
    let late = try Self.follow(server, "?after=0")
    let told = late.read(until: "id: 4\nevent: request\n")
    #expect(told?.contains("event: gap\ndata: {\"dropped\":2}\n\n") == true, "\(told ?? "")")
  }

  @Test(arguments: ["", "?session=default"])
  func aNumberOfAnotherServerBeginsAnew(query: String) throws {
    let server = try TestServer(SessionTests.document)
    _ = try Self.follow(server)
    _ = try server.ask("GET", "/two")
    let client = try Self.follow(server, query, last: 1_000)
    let told = client.read(until: "id: 1\nevent: request\n")
    #expect(told?.contains("event: run\n") == true)
  }

  @Test(arguments: ["", "?session=default"], [Int.min, -1])
  func whatIsNoNumberOfAnEventBeginsWithTheNewest(query: String, last: Int) throws {
    let server = try TestServer(SessionTests.document)
    _ = try server.ask("GET", "/two")
    let client = try Self.follow(server, query, last: last)
    _ = client.read(until: ": ping")
    _ = try server.ask("GET", "/two?later")
    let told = client.read(until: "two?later")
    #expect(told != nil && told?.contains("event: gap") == false)
  }

  @Test func aSessionThatIsNotThereHasNoEvents() throws {
    let server = try TestServer(SessionTests.document)
    let result = try server.ask("GET", "/__stubdb/events?session=abcdefghij")
    #expect(result.status == 404 && result.text("type") == "urn:stubdb:problem:no-such-session")
  }
}
#endif
