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
  ])
  func mistakesAreRefusedWithTheirLine(text: String, message: String) {
    let error = #expect(throws: HTTPFileError.self) { try HTTPFile(parsing: text) }
    #expect(error?.description == message)
  }
}
