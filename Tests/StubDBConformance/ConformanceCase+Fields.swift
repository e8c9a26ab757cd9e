extension ConformanceCase {
  private static func url(_ headers: KeyValuePairs<String, String>) -> ConformanceRequest {
    .get("https://a.test/", headers)
  }

  private static func value(_ text: String) -> ConformanceRequest { url(["X-Value": text]) }

  static let headers: [ConformanceCase] = [
    row(
      "names of header fields ignore case", #"{"headers": {"X-Api-KEY": "k"}}"#,
      matches: [url(["x-api-key": "k"])], not: [url(["x-api-key": "K"]), url([:])],
      off: "header X-Api-KEY"),
    row(
      "values of header fields are trimmed", #"{"headers": {"X-A": "b c"}}"#,
      matches: [url(["X-A": " \t b c  "]).forEngineOnly]),
    row(
      "any line of a header field may match", #"{"headers": {"X-A": "2"}}"#,
      matches: [url(["X-A": "1", "X-A": "2"]).forEngineOnly],
      not: [url(["X-A": "1", "X-A": "3"]).forEngineOnly], off: "header X-A"),
    row(
      "all lines of a header field may match as one", #"{"headers": {"X-A": "1, 2"}}"#,
      matches: [url(["X-A": "1", "X-A": "2"]).forEngineOnly, url(["X-A": "1, 2"])],
      not: [url(["X-A": "2", "X-A": "1"]).forEngineOnly], off: "header X-A"),
    row(
      "a list counts lines, or the elements of a line",
      #"{"headers": {"Accept": ["text/html", "text/plain"]}}"#,
      matches: [
        url(["Accept": "text/plain,text/html"]),
        url(["Accept": "text/html", "Accept": "text/plain"]).forEngineOnly,
      ], not: [url(["Accept": "text/html"]), url(["Accept": "text/html, text/plain, */*"])],
      off: "header Accept"),
    row(
      "a comma in quotes does not separate",
      #"{"headers": {"If-Match": ["\"a,b\"", "\"c\""]}}"#,
      matches: [url(["If-Match": #""c", "a,b""#])],
      not: [url(["If-Match": #""a", "b", "c""#])], off: "header If-Match"),
    row(
      "elements of a line can be included", #"{"headers": {"Accept": {"includes": ["b/b"]}}}"#,
      matches: [url(["Accept": "a/a, b/b"])], not: [url(["Accept": "a/a"])], off: "header Accept"),
    row(
      "credentials of basic authentication",
      #"{"basicAuth": {"username": "Aladdin", "password": "open:sesame"}}"#,
      matches: [
        url(["Authorization": "Basic QWxhZGRpbjpvcGVuOnNlc2FtZQ=="]),
        url(["Authorization": "basic  QWxhZGRpbjpvcGVuOnNlc2FtZQ=="]).forEngineOnly,
      ],
      not: [url(["Authorization": "Basic QWxhZGRpbjpvcGVu"]), url(["Authorization": "Basic"])],
      off: "basicAuth"),
    row(
      "several header fields must all match",
      #"{"headers": {"A": "1", "B": {"absent": true}, "C": {"contains": "x"}}}"#,
      matches: [url(["A": "1", "C": "axb"])], not: [url(["A": "2", "B": "1"])],
      off: "header A", "header B", "header C"),
  ]

  static let cookies: [ConformanceCase] = [
    row(
      "a cookie matches by its case-sensitive name", #"{"cookies": {"sid": "abc"}}"#,
      matches: [url(["Cookie": "theme=dark; sid=abc"]), url(["Cookie": "sid=abc"])],
      not: [url(["Cookie": "SID=abc"]), url([:])], off: "cookie sid"),
    row(
      "a cookie's value may hold an equals sign", #"{"cookies": {"t": "a=b="}}"#,
      matches: [url(["Cookie": "t=a=b="])], not: [url(["Cookie": "t=a"])], off: "cookie t"),
    row(
      "any of repeated cookies may match", #"{"cookies": {"t": "2"}}"#,
      matches: [url(["Cookie": "t=1; t=2"])]),
    row(
      "an absent cookie", #"{"cookies": {"t": {"absent": true}}}"#,
      matches: [url(["Cookie": "u=1"]), url([:])], not: [url(["Cookie": "t=1"])], off: "cookie t"),
  ]

  private static func pattern(_ text: String) -> String { "{\"headers\": {\"X-Value\": \(text)}}" }

  private static func row(
    _ name: String, value pattern: String, matches: [ConformanceRequest],
    not: [ConformanceRequest] = []
  ) -> ConformanceCase {
    row(name, self.pattern(pattern), matches: matches, not: not, off: "header X-Value")
  }

  static let operators: [ConformanceCase] = [
    row(
      "equalTo compares every character", value: #"{"equalTo": "ab"}"#, matches: [value("ab")],
      not: [value("aB"), value("abc"), url([:])]),
    row(
      "equalTo can ignore case", value: #"{"equalTo": "Straße", "caseInsensitive": true}"#,
      matches: [value("STRAßE").forEngineOnly, value("straße").forEngineOnly],
      not: [value("strasse")]),
    row(
      "contains looks anywhere", value: #"{"contains": "bc"}"#,
      matches: [value("bc"), value("abcd")], not: [value("b c"), url([:])]),
    row(
      "doesNotContain matches what is absent", value: #"{"doesNotContain": "x"}"#,
      matches: [value("abc"), url([:])], not: [value("axb")]),
    row(
      "matches compares the whole value", value: #"{"matches": "a+|b"}"#,
      matches: [value("aaa"), value("b")], not: [value("ab"), value("xa"), url([:])]),
    row(
      "doesNotMatch matches what is absent", value: #"{"doesNotMatch": "a+"}"#,
      matches: [value("ab"), url([:])], not: [value("aa")]),
    row("anything matches what is absent", value: #"{"anything": true}"#, matches: [url([:])]),
    row(
      "and needs every operand", value: #"{"and": [{"contains": "a"}, {"contains": "b"}]}"#,
      matches: [value("ab")], not: [value("a"), value("b"), url([:])]),
    row(
      "or needs one operand", value: #"{"or": ["a", {"absent": true}]}"#,
      matches: [value("a"), url([:])], not: [value("b")]),
    row(
      "not turns around", value: #"{"not": {"equalTo": "a"}}"#, matches: [value("b"), url([:])],
      not: [value("a")]),
    row(
      "lists can be combined",
      value: #"{"and": [{"includes": ["a"]}, {"not": {"includes": ["b"]}}]}"#,
      matches: [value("a, c"), value("a")], not: [value("a, b"), value("c")]),
    row(
      "a dot in an expression matches line ends",
      #"{"body": {"matches": "a.*z"}}"#, matches: [.post("a\r\n\nz")], not: [.post("a\nz\n")],
      off: "body"),
  ]
}
