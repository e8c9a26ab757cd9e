import Foundation
import HTTPTypes
import StubDBPlayback
import Testing

/// What `review` takes can be played: one stub that cannot keeps its whole scenario from answering.
struct ReviewPlayableTests {
  private static let json: HTTPFields = [.contentType: "application/json"]
  private static let parts: HTTPFields = [.contentType: "multipart/form-data; boundary=B"]

  /// Contents that patterns of their kind refuse, and some that look like them.
  private static let contents: [(headers: HTTPFields, content: String)] = [
    (json, #""[1]""#),
    (json, #""{}""#),
    (json, #"" {} ""#),
    (json, #""{\"a\":1}""#),
    (json, #"{"a":1}"#),
    (json, "{}"),
    (json, #""text""#),
    (json, #""${json-unit.regex}[""#),
    (json, #"{"query":"{x"}"#),
    (json, #"{"query":"{x}"}"#),
    (json, #"{"query":"query \"","variables":{"a":1}}"#),
    (parts, part(#"{"a":"${json-unit.regex}["}"#)),
    (parts, part(#""[1]""#)),
    (parts, part(#"{"query":"{x"}"#)),
  ]

  private static func part(_ content: String) -> String {
    "--B\r\nContent-Disposition: form-data; name=\"j\"\r\nContent-Type: application/json\r\n\r\n"
      + content + "\r\n--B--\r\n"
  }

  private static let existing = """
    {"key": "old", "request": {"method": "GET", "url": "https://api.shop.test/old"},
      "responses": [{"text": "old answer"}]}
    """

  @Test func contentsThatPatternsRefuseAreAnsweredAsRecorded() throws {
    let box = try Sandbox.empty()
    try box.insertUnchecked(Self.existing, into: "a/shop")
    let exchanges = Self.contents.enumerated().map { place, row in
      SeenExchange(
        method: "POST", url: "https://api.shop.test/a", headers: row.headers,
        content: row.content, answer: "answer \(place).")
    }
    try box.record(exchanges, "a/shop", test: "T/records()")
    let taken = try box.run("review", "--accept-all")
    #expect(taken.code == 0, "\(taken)")
    let checked = try box.run("check")
    #expect(checked.code == 0, "\(checked)")
    for exchange in exchanges {
      let result = try box.answer(to: exchange)
      #expect(result.out.contains(exchange.answer), "\(exchange.content): \(result)")
    }
    let old = try box.answer(to: SeenExchange(url: "https://api.shop.test/old", answer: ""))
    #expect(old.out.contains("old answer"), "\(old)")
  }

  /// A stub as an older version could write it, with what cannot be played.
  private static let broken = """
    {"key": "get-items",
      "request": {"method": "GET", "url": "https://api.shop.test/items", "queryIsExact": true},
      "capture": {"a": {"jsonPath": "a"}}, "responses": [{"text": "old"}]}
    """

  @Test func aStubThatCouldNotBePlayedIsNamedAndWaits() throws {
    let box = try Sandbox.empty()
    try box.insertUnchecked(Self.broken, into: "a/shop")
    let exchanges = ["items", "other"].map {
      SeenExchange(url: "https://api.shop.test/\($0)", answer: "new \($0)")
    }
    try box.record(exchanges, "a/shop", test: "T/records()", mode: .all)
    let taken = try box.run("review", "--accept-all")
    #expect(taken.code == 2)
    let lines = taken.err.split(separator: "\n").map(String.init)
    try #require(lines.count == 6, "\(taken)")
    #expect(lines[0] == "Took 1 stub into shop.stubdb, dropped 0.")
    #expect(
      lines[1].hasPrefix(
        "Warning: stub get-items of a/shop was not taken and waits, because it could not be played: "
          + "/capture/a/jsonPath: \"a\" is not a JSONPath of RFC 9535: "), "\(taken)")
    #expect(lines[2] == "To edit it: stubdb review a/shop/get-items --edit")
    #expect(lines[3] == "To drop it: stubdb review --reject a/shop/get-items")
    // The stub that is there already keeps the scenario from being asked.
    #expect(
      lines[4].hasPrefix("Warning: a/shop cannot be played, so nothing shows whether"), "\(taken)")
    #expect(lines[5] == "To see what is to be mended: stubdb check a/shop")
    let shown = try box.run("show", "a/shop", "--json")
    #expect(shown.out.contains("\"old\"") && !shown.out.contains("new items"), "\(shown)")
    #expect(shown.out.contains("new other"), "\(shown)")
    // Its request is in the draft, until somebody decides.
    let waiting = try box.run("review")
    #expect(waiting.code == 2 && waiting.out.contains("get-items"), "\(waiting)")
    try box.must("review", "--reject", "a/shop/get-items")
    #expect(try box.run("review").code == 0)
  }
}
