extension ConformanceCase {
  private static let anyGet = ConformanceRequest.get("https://a.test/")
  private static let lost = -1005

  private static func one(_ response: String) -> String {
    "{\"key\": \"a\", \"responses\": [\(response)]}"
  }

  private static func row(
    _ name: String, _ response: String, body: String, _ pieces: [(bytes: Int, after: Int)],
    error: Int? = nil
  ) -> ConformanceCase {
    play(name, one(response), (anyGet, .pieces(stub: "a", body: body, pieces, error: error)))
  }

  static let timings: [ConformanceCase] = [
    row(
      "content in equal pieces, the rest in the last",
      #"{"text": "0123456", "chunks": {"count": 3, "over": "30ms"}}"#, body: "0123456",
      [(2, 10), (2, 10), (3, 10)]),
    row(
      "no more pieces than bytes", #"{"text": "ab", "chunks": {"count": 5, "over": "4ms"}}"#,
      body: "ab", [(1, 2), (1, 2)]),
    row(
      "a stream of events",
      #"""
      {"headers": {"Content-Type": "text/event-stream"}, "chunks": [
        {"text": "data: 1\n\n"}, {"text": "data: 2\n\n", "after": "3ms"}, {"json": {"a": 1}}]}
      """#,
      body: "data: 1\n\ndata: 2\n\n{\"a\":1}", [(9, 0), (9, 3), (7, 0)]),
    row(
      "events",
      #"""
      {"events": [{"event": "paid", "id": "7", "retry": "2s", "data": "a\nb"},
        {"json": {"b": 1, "a": [2]}, "after": "3ms"}, {"id": ""}]}
      """#,
      body: "event: paid\nid: 7\nretry: 2000\ndata: a\ndata: b\n\n"
        + "data: {\"a\":[2],\"b\":1}\n\nid: \n\n",
      [(47, 0), (23, 3), (6, 0)]),
    row(
      "a slow line", #"{"text": "0123456789", "throttle": "100B/s"}"#, body: "0123456789",
      [(5, 50), (5, 50)]),
    row(
      "a slow line under pieces of their own",
      #"{"throttle": "1kB/s", "chunks": [{"text": "12345"}, {"text": "6", "after": "2ms"}]}"#,
      body: "123456", [(5, 5), (1, 3)]),
    play(
      "a network has its latency", one(#"{"throttle": "lte", "delay": "1ms", "text": ""}"#),
      (anyGet, .response(stub: "a", body: "", delayMilliseconds: 71))),
    play(
      "callbacks are no part of the answer",
      one(#"{"text": "x", "callbacks": [{"request": {"url": "https://hooks.test/"}}]}"#),
      (anyGet, .response(stub: "a", body: "x"))),
    play(
      "a delay between two equal times", one(#"{"delay": {"uniform": ["7ms", "7ms"]}}"#),
      (anyGet, .response(stub: "a", delayMilliseconds: 7))),
    play(
      "a delay without spread",
      one(#"{"delay": {"lognormal": {"median": "9ms", "sigma": 0}}}"#),
      (anyGet, .response(stub: "a", delayMilliseconds: 9))),
  ]

  static let faults: [ConformanceCase] = [
    row(
      "an error after some bytes", #"{"text": "0123456789", "error": "timedOut", "afterBytes": 4}"#,
      body: "0123456789", [(4, 0)], error: -1001),
    row(
      "an error after the head", #"{"text": "0123", "error": "timedOut", "afterBytes": 0}"#,
      body: "0123", [(0, 0)], error: -1001),
    row(
      "an error after more bytes than there are",
      #"{"text": "0123", "fault": "connectionReset", "afterBytes": 9}"#, body: "0123", [(4, 0)],
      error: lost),
    row(
      "an error amid the pieces",
      #"{"text": "0123456", "chunks": {"count": 3, "over": "3ms"}, "error": "timedOut", "afterBytes": 3}"#,
      body: "0123456", [(2, 1), (1, 1)], error: -1001),
    row(
      "truncated content ends half way", #"{"text": "0123456", "fault": "truncated"}"#,
      body: "0123456", [(3, 0)], error: lost),
    row(
      "truncated content ends where it says",
      #"{"text": "0123456", "fault": "truncated", "afterBytes": 5}"#, body: "0123456", [(5, 0)],
      error: lost),
    row(
      "garbage after some bytes", #"{"text": "0123", "fault": "garbage", "afterBytes": 2}"#,
      body: "0123", [(2, 0)], error: -1017),
    play(
      "a connection that is reset", one(#"{"fault": "connectionReset"}"#),
      (anyGet, .error(stub: "a", domain: "NSURLErrorDomain", code: lost))),
    play(
      "a connection that closes without an answer", one(#"{"fault": "emptyResponse"}"#),
      (anyGet, .error(stub: "a", domain: "NSURLErrorDomain", code: lost))),
    play(
      "bytes that are not a response", one(#"{"fault": "garbage", "delay": "2ms"}"#),
      (anyGet, .error(stub: "a", domain: "NSURLErrorDomain", code: -1017))),
    play("no answer ever", one(#"{"fault": "never"}"#), (anyGet, .silence(stub: "a"))),
  ]
}
