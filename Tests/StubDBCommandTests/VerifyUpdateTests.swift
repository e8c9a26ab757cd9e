import Foundation
import StubDBTestSupport
import Testing

/// `stubdb verify --live --update`, which proposes what a real server answers otherwise.
struct VerifyUpdateTests {
  private static let document = #"""
    {"scenario": "orders/open", "stubs": [
      {"key": "list", "request": {"method": "GET", "url": "https://api.shop.test/v1/orders"},
       "responses": [{"json": {"items": [{"id": 1, "state": "PAID"}]}, "delay": "20ms"},
                     {"status": 404}]},
      {"key": "one", "request": {"method": "GET", "url": "https://api.shop.test/v1/orders/{id}"},
       "responses": [{"json": {"id": 1}}]},
      {"key": "me", "request": {"method": "GET", "url": "https://api.shop.test/v1/me"},
       "responses": [{"json": {"name": "Ada"}}]}
    ]}
    """#

  private static let same = [
    "/v1/orders": #"{"items":[{"id":7,"state":"PAID"}]}"#, "/v1/orders/42": #"{"id":42}"#,
    "/v1/me": #"{"name":"Grace"}"#,
  ]
  private static let changed = same.merging([
    "/v1/orders": #"{"items":[{"id":"o_7","state":"PAID"}]}"#,
    "/v1/orders/42": #"{"id":"o_42","token":"tulip-window-harbor-4711"}"#,
  ]) { $1 }

  private static func box() throws -> Sandbox {
    let box = try Sandbox()
    try box.write("orders.json", document)
    try box.must("init", "shop.stubdb")
    try box.must("add", "--file", "orders.json")
    return box
  }

  private static func server(
    _ contents: [String: String], field: String = ""
  ) throws -> LoopbackServer {
    try LoopbackServer { request in
      let content = contents[String(request.line.split(separator: " ")[1])] ?? "{}"
      return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(field)"
        + "Content-Length: \(content.utf8.count)\r\n\r\n\(content)"
    }
  }

  private static func verify(
    _ box: Sandbox, _ server: LoopbackServer, _ more: String...
  ) throws -> CommandResult {
    try box.run(
      executable: Sandbox.binary,
      arguments: [
        "verify", "--live", "orders/open", "--against", server.url(""), "--param", "id=42",
        "--header", "X-Api-Key: tulip-window-harbor-4711",
      ] + more)
  }

  private static func draft(_ box: Sandbox) throws -> String {
    try box.contents().filter { $0.path.contains(".draft/") && $0.path.hasSuffix(".jsonl") }
      .map { String(decoding: $0.content ?? Data(), as: UTF8.self) }.joined()
  }

  @Test func whatDiffersGoesIntoTheDraftAndReviewTakesIt() throws {
    let (box, server) = (try Self.box(), try Self.server(Self.changed))
    let before = try box.contents().first { $0.path == "shop.stubdb" }?.content
    let result = try Self.verify(box, server, "--update")
    #expect(result.code == 2, "\(result)")
    #expect(
      result.err.contains(
        "Wrote 2 answers into shop.stubdb.draft.\nTo see and accept them: stubdb review\n"),
      "\(result)")
    #expect(!"\(result)".contains("o_7") && !"\(result)".contains("tulip"))
    #expect(try box.contents().first { $0.path == "shop.stubdb" }?.content == before)
    // The key that was sent comes back in an answer: neither is in the draft.
    let draft = try Self.draft(box)
    #expect(draft.split(separator: "\n").count == 3)
    #expect(draft.contains("REDACTED-1") && !draft.contains("tulip"), "\(draft)")

    let review = try box.run("review")
    #expect(review.code == 2, "\(review)")
    #expect(review.out.hasPrefix("~ orders/open\n  ~ list\n"), "\(review)")
    #expect(review.out.contains(#"/responses/0/json/items/0/id  1 → "o_7""#), "\(review)")
    #expect(review.out.contains("  # one  stubdb verify --live\n"), "\(review)")
    #expect(!review.out.contains("\n  + ") && !review.out.contains("headers"), "\(review)")
    #expect(try box.run("review", "--accept-all").code == 0)
    // The requests, the later answers and the delays stay.
    let one = try box.run("show", "orders/open", "one", "--json").out
    #expect(one.contains("/v1/orders/{id}") && one.contains(#""o_42""#), "\(one)")
    let list = try box.run("show", "orders/open", "list", "--json").out
    #expect(list.contains("20ms") && list.contains("404") && list.contains(#""o_7""#), "\(list)")
    #expect(try Self.verify(box, server).code == 0)
    #expect(try box.run("review").code == 0)
  }

  @Test func anotherUpdateTakesThePlaceOfTheOneBefore() throws {
    let box = try Self.box()
    _ = try Self.verify(box, Self.server(Self.changed), "--update")
    var later = Self.changed
    later["/v1/orders"] = #"{"items":[{"id":null,"state":"PAID"}]}"#
    _ = try Self.verify(box, Self.server(later), "--update")
    let review = try box.run("review")
    #expect(review.out.contains("/responses/0/json/items/0/id  1 → null"), "\(review)")
    #expect(!review.out.contains("  ! "), "\(review)")
    let result = try Self.verify(box, Self.server(Self.same), "--update")
    #expect(result.code == 0, "\(result)")
    #expect(result.err.contains("Nothing was written into shop.stubdb.draft.\n"))
    #expect(try box.contents().contains { $0.path.contains(".draft") } == false)
  }

  @Test func aResourceStaysOneAndBeginsWithTheItemsOfTheServer() throws {
    let box = try Self.box()
    try box.write(
      "notes.json",
      #"""
      {"scenario": "notes/one", "stubs": [{"key": "notes", "resource": {
        "at": "https://api.shop.test/v1/notes", "id": "integer", "seed": [{"id": 1, "title": "Milk"}]}}]}
      """#)
    try box.must("add", "--file", "notes.json")
    func reviewed(_ list: String, exitCode: Int32 = 2, kept: String? = nil) throws -> String {
      let server = try Self.server(["/v1/notes": list])
      let result = try box.run(
        "verify", "--live", "notes/one", "--against", server.url(""), "--update")
      #expect(result.code == exitCode, "\(result)")
      let note =
        kept.map { "Not written: notes/one notes, whose seed stays: \($0).\n" } ?? "Wrote 1 answer"
      #expect(result.err.contains(note), "\(result)")
      _ = try box.run("review", "--accept-all")
      return try box.run("show", "notes/one", "notes", "--json").out
    }
    let before = try box.run("show", "notes/one", "notes", "--json").out
    // A resource gives no such answers.
    let none = "a resource answers a list in JSON, and the answer is none"
    #expect(try reviewed(#"{"notes":[]}"#, kept: none) == before)
    let text = """
      the resource cannot have the item at /0; an item needs its id: a member "id" that is a whole number
      """
    #expect(try reviewed(#"[{"id":"n_7","title":"Milk"}]"#, kept: text) == before)
    // A value that may be missing is a warning.
    let after = try reviewed(#"[{"id":7,"title":null}]"#, exitCode: 0)
    #expect(after.contains(#""at": "https://api.shop.test/v1/notes""#), "\(after)")
    #expect(after.contains(#""id": 7"#) && !after.contains("responses"), "\(after)")
  }

  @Test func aPageOfTheListOfTheServerIsNotTheSeed() throws {
    let box = try Self.box()
    try box.write(
      "notes.json",
      #"""
      {"scenario": "notes/two", "stubs": [{"key": "notes", "resource": {
        "at": "https://api.shop.test/v1/notes", "id": "integer",
        "seed": [{"id": 1, "title": "Milk"}, {"id": 2, "title": "Bread"}]}}]}
      """#)
    try box.must("add", "--file", "notes.json")
    let before = try box.run("show", "notes/two", "notes", "--json").out
    func verified(_ field: String) throws -> CommandResult {
      let server = try Self.server(["/v1/notes": #"[{"id":7}]"#], field: field)
      return try box.run(
        "verify", "--live", "notes/two", "--against", server.url(""), "--update")
    }
    let page = try verified("Link: </v1/notes?from=1>; rel=\"next\"\r\n")
    #expect(page.code == 2, "\(page)")
    #expect(
      page.err.contains(
        """
        Not written: notes/two notes, whose seed stays: the answer is one page of a longer list; \
        its field Link leads to another page.
        Nothing was written into shop.stubdb.draft.

        """), "\(page)")
    #expect(try box.run("review", "--accept-all").code == 0)
    #expect(try box.run("show", "notes/two", "notes", "--json").out == before)
    // The total shows that this is all.
    let all = try verified("X-Total-Count: 1\r\n")
    #expect(all.err.contains("Wrote 1 answer into shop.stubdb.draft.\n"), "\(all)")
    #expect(try box.run("review", "--accept-all").code == 0)
    #expect(try box.run("show", "notes/two", "notes", "--json").out.contains(#""id": 7"#))
  }

  @Test func whatTestsRecordedStays() throws {
    let box = try Self.box()
    try box.write(
      "shop.stubdb.draft/1.jsonl",
      """
      {"draft":1,"process":"99999999-1","run":1,"order":1,"scenario":"orders/open","mode":"newEpisodes",\
      "test":"Shop/test()","stub":{"key":"recorded","request":{"method":"GET",\
      "url":"https://api.shop.test/v1/new"},"responses":[{"text":"new"}]}}
      """)
    _ = try Self.verify(box, Self.server(Self.changed), "--update")
    _ = try Self.verify(box, Self.server(Self.changed), "--update")
    let review = try box.run("review")
    #expect(review.out.contains("  + get-v1-new  GET"), "\(review)")
    #expect(review.err.contains("3 stubs to be taken into shop.stubdb, or not.\n"), "\(review)")
    #expect(try box.run("review", "--accept", "orders/open/one").code == 2)
    #expect(try box.run("show", "orders/open", "one", "--json").out.contains(#""o_42""#))
  }

  @Test func whatIsExceptedIsNotWritten() throws {
    let (box, server) = (try Self.box(), try Self.server(Self.changed))
    _ = try Self.verify(box, server, "--accept", "the app reads no ids")
    // A member that only the server has is a note, which an exception does not accept.
    let result = try Self.verify(box, server, "--update")
    #expect(result.err.contains("Wrote 1 answer into shop.stubdb.draft.\n"), "\(result)")
    #expect(result.err.contains("To see and accept it: stubdb review\n"), "\(result)")
    let both = try Self.verify(box, server, "--update", "--accept", "no")
    #expect(both.code == 64 && both.err.contains("--accept and --update exclude each other"))
  }

  @Test func brokenRulesOfRedactionRefuseBeforeAnythingIsSent() throws {
    let (box, server) = (try Self.box(), try Self.server(Self.changed))
    try box.write(".stubdb-redact.json", "{")
    let result = try Self.verify(box, server, "--update")
    #expect(result.code == 1 && result.err.contains("the rules of redaction"), "\(result)")
    #expect(server.requests.isEmpty)
  }
}
