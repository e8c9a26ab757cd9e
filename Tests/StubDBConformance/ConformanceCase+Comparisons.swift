extension ConformanceCase {
  private static func header(
    _ name: String, _ pattern: String, _ yes: [String], not: [String]
  ) -> ConformanceCase {
    row(
      name, "{\"headers\": {\"X-Value\": {\(pattern)}}}",
      matches: yes.map { .get("https://a.test/", ["X-Value": $0]) },
      not: not.map { .get("https://a.test/", ["X-Value": $0]) }, off: "header X-Value")
  }

  static let numbers: [ConformanceCase] = [
    header(
      "a number is compared as a quantity", #""equalToNumber": 1.5"#,
      ["1.5", "1.50", "15e-1", "+1.5"], not: ["1.51", "one", "1.5.0", "0x1"]),
    header(
      "a number without digits before its point is a number", #""equalToNumber": 0.5"#, [".5"],
      not: [".", "5"]),
    header(
      "numbers keep every digit", #""equalToNumber": 9007199254740993"#, ["9007199254740993"],
      not: ["9007199254740992"]),
    header(
      "greater", #""greaterThanNumber": 10"#, ["10.0001", "1e2"], not: ["10", "-11", "9", ""]),
    header(
      "greater or equal", #""greaterThanEqualNumber": 10"#, ["10.0", "11"], not: ["9.999"]),
    header("less", #""lessThanNumber": -1"#, ["-1.5", "-1e3"], not: ["-1", "0", "NaN"]),
    header("less or equal", #""lessThanEqualNumber": 0"#, ["0", "-0", "-1"], not: ["0.1"]),
    row(
      "an absent value is not a number", #"{"query": {"n": {"lessThanNumber": 5}}}"#,
      matches: [.get("https://a.test/?n=4")],
      not: [.get("https://a.test/"), .get("https://a.test/?n=")], off: "query n"),
    row(
      "a number in a path",
      #"{"path": "/items/{id}", "pathParameters": {"id": {"greaterThanNumber": 100}}}"#,
      matches: [.get("https://a.test/items/101")], not: [.get("https://a.test/items/99")],
      off: "path parameter id"),
    row(
      "a body that is a number", #"{"body": {"equalToNumber": 12}}"#, matches: [.post("12.0")],
      not: [.post("12 or so"), .post("")], off: "body"),
    row(
      "a range of numbers",
      #"{"query": {"n": {"and": [{"greaterThanEqualNumber": 1}, {"lessThanNumber": 3}]}}}"#,
      matches: [.get("https://a.test/?n=2.99")], not: [.get("https://a.test/?n=3")], off: "query n"),
  ]

  static let dates: [ConformanceCase] = [
    header(
      "a moment is the same in every zone", #""equalToDateTime": "2026-11-21T08:00:00Z""#,
      [
        "2026-11-21T08:00:00Z", "2026-11-21T09:00:00+01:00", "2026-11-21T08:00Z",
        "Sat, 21 Nov 2026 08:00:00 GMT", "Saturday, 21-Nov-26 08:00:00 GMT",
        "Sat Nov 21 08:00:00 2026", "2026-11-21T09:00:00+01:00[Europe/Paris]",
      ],
      not: ["2026-11-21T08:00:01Z", "2026-11-21T08:00:00+01:00", "today", "2026-13-01T00:00:00Z"]),
    header(
      "a day of the week has to be that of the date", #""before": "2030""#,
      [
        "Sat, 21 Nov 2026 08:00:00 GMT", "Thu, 1 Jan 1970 00:00:00 GMT",
        "Wed Dec 31 23:59:59 1969", "Tue Feb 29 08:00:00 2000",
      ],
      not: ["Sun, 21 Nov 2026 08:00:00 GMT", "Friday, 21-Nov-26 08:00:00 GMT"]),
    header(
      "before", #""before": "2026-11-21T08:00:00Z""#,
      ["2026-11-21T07:59:59.999Z", "2026-11-20", "2025"], not: ["2026-11-21T08:00:00Z", "2027"]),
    header(
      "after", #""after": "2026-11-21""#,
      ["2026-11-21T00:00:01", "2026-12", "2026-11-22T00:00:00Z"],
      not: ["2026-11-21", "2026-11-20T23:59:59Z", ""]),
    header(
      "a space stands for the plus of a zone", #""equalToDateTime": "2026-11-21T08:00:00Z""#,
      ["2026-11-21T09:00:00 01:00"], not: ["2026-11-21T09:00:00 02:00"]),
    header(
      "an offset from now", #""after": "now -1 days""#, ["2999-01-01T00:00:00Z"],
      not: ["2001-01-01"]),
    header(
      "an offset without the word now", #""before": "+2 hours""#, ["2001-01-01T00:00:00Z"],
      not: ["2999-01-01"]),
    header(
      "seconds and milliseconds since 1970",
      #""or": [{"equalToDateTime": "2001-09-09T01:46:40Z", "actualFormat": "unix"}, {"equalToDateTime": "2001-09-09T01:46:40Z", "actualFormat": "epoch"}]"#,
      ["1000000000", "1000000000000"], not: ["1000000001", "x", "2001-09-09T01:46:40Z"]),
    header(
      "a format of one's own",
      #""equalToDateTime": "2026-02-03T14:05:00", "actualFormat": "d/M/yyyy 'at' h:mm a""#,
      ["3/2/2026 at 2:05 PM"],
      not: ["3/2/2026 at 2:05 AM", "2026-02-03T14:05:00", "31/2/2026 at 2:05 PM"]),
    header(
      "digits without anything between them",
      #""equalToDateTime": "2026-02-03T14:05:06", "actualFormat": "yyyyMMddHHmmss""#,
      ["20260203140506"], not: ["2026020314050", "20260203140507"]),
    header(
      "both dates are rounded",
      #""equalToDateTime": "2026-02-15T10:00:00Z", "truncateExpected": "first day of month", "truncateActual": "first day of month""#,
      ["2026-02-01T00:00:00Z", "2026-02-28T23:59:59Z"], not: ["2026-03-01T00:00:00Z"]),
    header(
      "the last day of a month that has 29",
      #""equalToDateTime": "2024-02-29T00:00:00Z", "truncateActual": "last day of month""#,
      ["2024-02-03T04:05:06Z"], not: ["2024-03-01T00:00:00Z"]),
    header(
      "an offset beside a date is on the calendar",
      #""equalToDateTime": "2026-01-31T00:00:00Z", "expectedOffset": 1, "expectedOffsetUnit": "months""#,
      ["2026-02-28T00:00:00Z"], not: ["2026-03-03T00:00:00Z"]),
    header(
      "rounding can come after the offset",
      #""equalToDateTime": "2026-01-31T12:00:00Z", "expectedOffset": 1, "expectedOffsetUnit": "days", "truncateExpected": "first day of month", "applyTruncationLast": true"#,
      ["2026-02-01T00:00:00Z"], not: ["2026-01-02T00:00:00Z"]),
  ]
}
