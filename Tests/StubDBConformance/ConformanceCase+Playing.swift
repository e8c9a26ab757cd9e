extension ConformanceCase {
  private static let anyGet = ConformanceRequest.get("https://a.test/")

  private static func stub(_ key: String, _ rest: String) -> String {
    "{\"key\": \"\(key)\", \(rest)}"
  }

  static let orders: [ConformanceCase] = [
    play(
      "the first of two stubs answers", #"{"key": "b"}, {"key": "a"}"#,
      (anyGet, .response(stub: "b"))),
    play(
      "the lower priority number answers",
      #"{"key": "a"}, {"key": "b", "priority": 6}, {"key": "c", "priority": 1}"#,
      (anyGet, .response(stub: "c"))),
    play(
      "a scenario's own stubs come before included ones", #"{"key": "own"}"#,
      includes: ["base": #"{"key": "included"}"#], (anyGet, .response(stub: "own"))),
    play(
      "an included stub with a lower priority number answers first", #"{"key": "own"}"#,
      includes: ["base": #"{"key": "included", "priority": 4}"#],
      (anyGet, .response(stub: "included"))),
    play(
      "a general stub before a special one hides it",
      #"{"key": "all", "request": {"path": "/**"}}, {"key": "one", "request": {"path": "/a"}}"#,
      (.get("https://a.test/a"), .response(stub: "all"))),
    play(
      "a special stub before a general one leaves it the rest",
      #"""
      {"key": "one", "request": {"path": "/a"}}, {"key": "id", "request": {"path": "/{id}"}},
      {"key": "all"}
      """#,
      (.get("https://a.test/a"), .response(stub: "one")),
      (.get("https://a.test/b"), .response(stub: "id")),
      (.get("https://a.test/b/c"), .response(stub: "all"))),
  ]

  static let responses: [ConformanceCase] = [
    play(
      "without responses a stub answers an empty 200", #"{"key": "a"}"#,
      (anyGet, .response(stub: "a", status: 200, body: ""))),
    play(
      "JSON content has its type",
      stub("a", #""responses": [{"status": 402, "json": {"b": 1, "a": [true]}}]"#),
      (
        anyGet,
        .response(
          stub: "a", status: 402, headers: ["Content-Type": ["application/json"]],
          body: #"{"a":[true],"b":1}"#)
      )),
    play(
      "text content has its type", stub("a", #""responses": [{"text": "häi"}]"#),
      (
        anyGet,
        .response(stub: "a", headers: ["Content-Type": ["text/plain; charset=utf-8"]], body: "häi")
      )),
    play(
      "a type that is given stays",
      stub(
        "a",
        #""responses": [{"json": {}, "headers": {"content-type": "application/problem+json"}}]"#),
      (
        anyGet,
        .response(stub: "a", headers: ["Content-Type": ["application/problem+json"]], body: "{}")
      )),
    play(
      "bytes have no type of their own", stub("a", #""responses": [{"base64": "aGk="}]"#),
      (anyGet, .response(stub: "a", headers: ["Content-Type": []], body: "hi"))),
    play(
      "header fields repeat",
      stub("a", #""responses": [{"headers": {"X-Part": ["1", "2"], "X-One": "x"}}]"#),
      (anyGet, .response(stub: "a", headers: ["X-Part": ["1", "2"], "X-One": ["x"]]))),
    play(
      "a delay", stub("a", #""responses": [{"delay": "30ms", "text": "late"}]"#),
      (anyGet, .response(stub: "a", body: "late", delayMilliseconds: 30))),
    play(
      "an error by its name", stub("a", #""responses": [{"error": "notConnectedToInternet"}]"#),
      (anyGet, .error(stub: "a", domain: "NSURLErrorDomain", code: -1009))),
    play(
      "an error of any domain",
      stub("a", #""responses": [{"error": {"domain": "Shop", "code": 7, "userInfo": {"a": 1}}}]"#),
      (anyGet, .error(stub: "a", domain: "Shop", code: 7))),
  ]

  private static func sequence(_ key: String, then: String) -> String {
    stub(key, #""responses": [{"text": "1"}, {"text": "2"}], "then": "\#(then)""#)
  }

  private static func answer(_ stub: String, _ text: String)
    -> (ConformanceRequest, ConformanceOutcome)
  {
    (anyGet, .response(stub: stub, body: text))
  }

  static let sequences: [ConformanceCase] = [
    play(
      "the last response is repeated", sequence("a", then: "repeatLast"), answer("a", "1"),
      answer("a", "2"), answer("a", "2")),
    play(
      "a cycle begins again", sequence("a", then: "cycle"), answer("a", "1"), answer("a", "2"),
      answer("a", "1"), answer("a", "2")),
    play(
      "a stub that is used up fails", sequence("a", then: "fail") + #", {"key": "b"}"#,
      answer("a", "1"), answer("a", "2"), (anyGet, .unmatched(off: ["responses"])),
      (anyGet, .unmatched(off: ["responses"]))),
    play(
      "a stub that is used up leaves the request to the next one",
      sequence("a", then: "next") + ", " + sequence("b", then: "next"), answer("a", "1"),
      answer("a", "2"), answer("b", "1"), answer("b", "2"),
      (anyGet, .unmatched(off: ["responses"]))),
    play(
      "a response is given as often as it says",
      stub(
        "a",
        #""responses": [{"text": "1", "repeat": 2}, {"text": "2"}, {"text": "3", "repeat": 2}], "then": "cycle""#
      ), answer("a", "1"), answer("a", "1"), answer("a", "2"), answer("a", "3"), answer("a", "3"),
      answer("a", "1")),
    play(
      "one response can be used up", stub("a", #""then": "fail""#), answer("a", ""),
      (anyGet, .unmatched(off: ["responses"]))),
    play(
      "errors and responses mix in a sequence",
      stub("a", #""responses": [{"error": "timedOut"}, {"text": "ok"}]"#),
      (anyGet, .error(stub: "a", domain: "NSURLErrorDomain", code: -1001)), answer("a", "ok")),
    play(
      "each stub counts for itself",
      #"""
      {"key": "x", "request": {"path": "/x"}, "responses": [{"text": "x1"}, {"text": "x2"}]},
      {"key": "y", "request": {"path": "/y"}, "responses": [{"text": "y1"}, {"text": "y2"}]}
      """#,
      (.get("https://a.test/x"), .response(stub: "x", body: "x1")),
      (.get("https://a.test/y"), .response(stub: "y", body: "y1")),
      (.get("https://a.test/x"), .response(stub: "x", body: "x2"))),
  ]
}
