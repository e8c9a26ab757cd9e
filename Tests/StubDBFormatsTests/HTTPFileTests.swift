import StubDBJSON
import Testing

@testable import StubDBFormats

struct HTTPFileTests {
  @Test func requestsAreReadWithNamesFieldsAndContent() throws {
    let file = try HTTPFile(
      parsing: """
        @host = https://h.test
        // A comment
        @path={{host}}/v1

        ### log in
        POST {{path}}/session HTTP/1.1
        Content-Type: application/json
        # a comment between the fields
        X-Empty:

        {
          "user": "ada"
        }

        > {%
          client.global.set("a", 1);
        %}

        ###
        # @name = me
        {{path}}/me
          ?verbose=1
          &fields=all
        Accept: text/plain

        ###
        PUT {{host}}/avatar

        --b
        < ./avatar.png
        <@ ./caption.txt
        --b--

        <> ./2026-11-21.json
        ### nothing here
        """)
    #expect(
      file.variables == [
        .init(name: "host", value: "https://h.test"), .init(name: "path", value: "{{host}}/v1"),
      ])
    #expect(
      file.requests == [
        .init(
          name: "log in", line: 6, method: "POST", url: "{{path}}/session",
          headers: [
            .init(name: "Content-Type", value: "application/json", line: 7),
            .init(name: "X-Empty", value: "", line: 9),
          ], body: [.text("{\n  \"user\": \"ada\"\n}")]),
        .init(
          name: "me", line: 21, method: "GET", url: "{{path}}/me?verbose=1&fields=all",
          headers: [.init(name: "Accept", value: "text/plain", line: 24)]),
        .init(
          name: nil, line: 27, method: "PUT", url: "{{host}}/avatar",
          body: [
            .text("--b"), .file(path: "./avatar.png", isTemplate: false, line: 30),
            .file(path: "./caption.txt", isTemplate: true, line: 31), .text("--b--"),
          ]),
      ])
    #expect(
      file.omissions == [
        .init(line: 15, what: "a response handler"), .init(line: 34, what: "a saved response"),
      ])
  }

  @Test(arguments: [
    ("", 0), ("\u{FEFF}GET https://h.test/\r\n\r\n", 1), ("###\n###\n\n# only a comment\n", 0),
    ("https://h.test/a b\n### \nDELETE /x", 2),
    ("< {%\n  request.variables.set('a', 1)\n%}\nGET https://h.test/", 1),
  ])
  func anyNumberOfRequestsIsRead(text: String, count: Int) throws {
    #expect(try HTTPFile(parsing: text).requests.count == count)
  }

  @Test(arguments: [
    ("get https://h.test/", "GET", "https://h.test/"),
    ("Post https://h.test/ HTTP/1.1", "POST", "https://h.test/"),
    ("PROPFIND https://h.test/", "PROPFIND", "https://h.test/"),
    ("h.test/get it", "GET", "h.test/get it"),
  ])
  func aMethodMayBeInLowerCase(text: String, method: String, url: String) throws {
    #expect(
      try HTTPFile(parsing: text).requests == [
        .init(name: nil, line: 1, method: method, url: url)
      ])
  }

  @Test func aFileMayBeNamedWithItsEncoding() throws {
    let text = "POST https://h.test/\n\n<@UTF-8 a.txt\n<@é b\n<@latin1\n<a> b\n"
    #expect(
      try HTTPFile(parsing: text).requests.first?.body == [
        .file(path: "a.txt", isTemplate: true, line: 3), .text("<@é b\n<@latin1\n<a> b"),
      ])
  }

  @Test func moreFieldsThanARequestCanHoldAreRefused() {
    let text = "GET https://h.test/\n" + String(repeating: "a: b\n", count: 70_000)
    #expect(throws: HTTPFileError(line: 1002, "a request has at most 1000 header fields")) {
      try HTTPFile(parsing: text)
    }
  }

  @Test(arguments: [
    ("GET\n", "line 1: the URL is missing; write it as GET https://api.shop.test/v1/me"),
    (
      "\nPOST https://h.test/\n{\"a\"}\n",
      "line 3: this is not a header field; write Name: value, or an empty line before the content"
    ),
    (
      "GET https://h.test/\n\n> {% never ends\n",
      "line 3: the script has no end; it ends with %}"
    ),
    (
      "GET https://h.test/\n\n<@latin1 a.txt\n",
      "line 3: files are read as UTF-8, not as latin1; write <@ a.txt for a file in UTF-8, "
        + "or < a.txt for its bytes as they are"
    ),
    (
      "GRAPHQL https://h.test/\n\nquery { a }\n",
      "line 1: a query of GraphQL is sent as JSON; write POST, and {\"query\": \"…\"} as the content"
    ),
    (
      "POST https://h.test/\nx-request-type: graphql\n\nquery { a }\n",
      "line 2: a query of GraphQL is sent as JSON; write POST, and {\"query\": \"…\"} as the content"
    ),
    (
      "WEBSOCKET wss://h.test/\n",
      "line 1: WEBSOCKET is not a method of HTTP, and only requests of HTTP are sent"
    ),
    ("get\n", "line 1: the URL is missing; write it as GET https://api.shop.test/v1/me"),
  ])
  func mistakesAreRefusedWithTheirLine(text: String, message: String) {
    let error = #expect(throws: HTTPFileError.self) { try HTTPFile(parsing: text) }
    #expect(error?.description == message)
  }

  @Test func onlyTheLineEndsOfFilesEndLines() throws {
    let text = "a\u{2028}b\u{2029}c\u{85}d\u{B}e\u{C}f"
    let file = try HTTPFile(
      parsing:
        "@v=\u{301}x\r\nPOST https://h.test/\r\nA: b\u{2028}\u{85}c\r\nB:\u{301}x\r\n\r\n\(text)\r\ng"
    )
    #expect(file.requests.count == 1)
    #expect(file.requests.first?.body == [.text(text + "\ng")])
    #expect(
      file.requests.first?.headers.map(\.value) == ["b\u{2028}\u{85}c", "\u{301}x"])
    #expect(file.variables.map(\.value) == ["\u{301}x"])
  }
}
