extension ConformanceCase {
  private static func range(
    _ value: String, _ others: KeyValuePairs<String, String> = [:]
  ) -> ConformanceRequest {
    var request = ConformanceRequest.get("https://a.test/")
    request.headers = [("Range", value)] + others.map { ($0.key, $0.value) }
    return request
  }

  private static func part(_ body: String, _ range: String) -> ConformanceOutcome {
    .response(stub: "a", status: 206, headers: ["Content-Range": ["bytes \(range)"]], body: body)
  }

  private static let whole = ConformanceOutcome.response(
    stub: "a", headers: ["Content-Range": []], body: "0123456789")

  private static func stub(_ rest: String) -> String {
    "{\"key\": \"a\", \"responses\": [{\"text\": \"0123456789\"\(rest)}]}"
  }

  /// Parts of a content, by RFC 9110 §14.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9110#section-14
  static let ranges: [ConformanceCase] = [
    play(
      "a range of the content", stub(""), (range("bytes=2-4"), part("234", "2-4/10")),
      (range("bytes=7-"), part("789", "7-9/10")), (range("bytes=-2"), part("89", "8-9/10")),
      (range("BYTES=0-99"), part("0123456789", "0-9/10")),
      (range("bytes=-99"), part("0123456789", "0-9/10"))),
    play(
      "a range that is not there", stub(""),
      (
        range("bytes=10-"),
        .response(
          stub: "a", status: 416,
          headers: ["Content-Range": ["bytes */10"], "Content-Type": []], body: "")
      ),
      (range("bytes=-0"), .response(stub: "a", status: 416, body: ""))),
    play(
      "a range that a server may ignore", stub(""), (range("bytes=0-1,4-5"), whole),
      (range("lines=0-1"), whole), (range("bytes=4-2"), whole), (range("bytes=a-b"), whole)),
    play(
      "only GET has ranges", stub(""),
      (.send("POST", "https://a.test/", ["Range": "bytes=0-1"]), whole)),
    play(
      "a range of a representation that the client still has",
      stub(#", "headers": {"ETag": "\"v2\"", "Content-Length": "10"}"#),
      (range("bytes=0-1", ["If-Range": "\"v2\""]), part("01", "0-1/10")),
      (range("bytes=0-1", ["If-Range": "\"v1\""]), whole)),
    play(
      "a stub that has no ranges", stub(#", "headers": {"Accept-Ranges": "none"}"#),
      (range("bytes=0-1"), whole)),
    play(
      "a stub that says its range itself",
      stub(#", "headers": {"Content-Range": "bytes 0-9/99"}"#),
      (
        range("bytes=0-1"),
        .response(stub: "a", headers: ["Content-Range": ["bytes 0-9/99"]], body: "0123456789")
      )),
    play(
      "an answer that is no 200 has no ranges", stub(#", "status": 404"#),
      (range("bytes=0-1"), .response(stub: "a", status: 404, body: "0123456789"))),
  ]

  private static let head = ConformanceRequest.send("HEAD", "https://a.test/")

  static let heads: [ConformanceCase] = [
    play(
      "a stub for GET answers HEAD",
      #"{"key": "a", "request": {"method": "GET"}, "responses": [{"json": 1}]}"#,
      (
        head,
        .response(stub: "a", headers: ["Content-Type": ["application/json"]], body: "")
      )),
    play(
      "a stub that names HEAD comes before one for GET",
      #"""
      {"key": "get", "request": {"method": "GET"}}, {"key": "post", "request": {"method": "POST"}},
      {"key": "head", "request": {"method": ["HEAD", "GET"]}}
      """#,
      (head, .response(stub: "head")), (.get("https://a.test/"), .response(stub: "get"))),
    play(
      "a stub for GET answers HEAD before one for everything",
      #"{"key": "get", "request": {"method": "GET"}}, {"key": "rest", "responses": [{"status": 404}]}"#,
      (head, .response(stub: "get"))),
    play(
      "a stub for HEAD does not answer GET", #"{"key": "a", "request": {"method": "HEAD"}}"#,
      (.get("https://a.test/"), .unmatched(off: ["method"]))),
  ]
}
