extension ConformanceCase {
  private static let anyGet = ConformanceRequest.get("https://a.test/")

  private static func stub(
    _ key: String, _ method: String, flow: String, status: Int = 200
  ) -> String {
    """
    {"key": "\(key)", "request": {"method": "\(method)", "path": "/order"},
     "responses": [{"status": \(status)}], "flow": {"name": "order", \(flow)}}
    """
  }

  private static func order(_ method: String) -> ConformanceRequest {
    .send(method, "https://a.test/order")
  }

  static let flows: [ConformanceCase] = [
    play(
      "a flow begins in started and goes on",
      [
        stub("open", "GET", flow: #""requires": "started""#),
        stub("pay", "POST", flow: #""requires": "started", "becomes": "paid""#, status: 201),
        stub("paid", "GET", flow: #""requires": "paid""#),
      ].joined(separator: ","),
      (order("GET"), .response(stub: "open")), (order("GET"), .response(stub: "open")),
      (order("POST"), .response(stub: "pay", status: 201)),
      (order("GET"), .response(stub: "paid")),
      (order("POST"), .unmatched(off: ["flow order"]))),
    play(
      "a flow that is blocked leaves the request to the next stub",
      [
        stub("paid", "GET", flow: #""requires": "paid""#),
        #"{"key": "rest", "responses": [{"status": 404}]}"#,
      ].joined(separator: ","),
      (order("GET"), .response(stub: "rest", status: 404))),
    play(
      "a flow may be entered from any state",
      [
        stub("reset", "DELETE", flow: #""becomes": "started""#),
        stub("pay", "POST", flow: #""requires": "started", "becomes": "paid""#),
      ].joined(separator: ","),
      (order("POST"), .response(stub: "pay")), (order("DELETE"), .response(stub: "reset")),
      (order("POST"), .response(stub: "pay"))),
    play(
      "included scenarios share the flows",
      stub("paid", "GET", flow: #""requires": "paid""#),
      includes: ["base": stub("pay", "POST", flow: #""becomes": "paid""#)],
      (order("GET"), .unmatched(off: ["flow order"])), (order("POST"), .response(stub: "pay")),
      (order("GET"), .response(stub: "paid"))),
    play(
      "flows of different names do not know each other",
      #"""
      {"key": "a", "request": {"path": "/a"}, "flow": {"name": "a", "becomes": "b"}},
      {"key": "b", "request": {"path": "/b"}, "flow": {"name": "b", "requires": "b"}}
      """#,
      (.get("https://a.test/a"), .response(stub: "a")),
      (.get("https://a.test/b"), .unmatched(off: ["flow b"]))),
  ]

  static let handovers: [ConformanceCase] = [
    play(
      "a response leaves the answer to the next stub and slows it down",
      #"""
      {"key": "slow", "responses": [{"next": true, "delay": "3ms", "throttle": "1kB/s"}]},
      {"key": "a", "responses": [{"text": "12345", "delay": "4ms"}]}
      """#,
      (anyGet, .response(stub: "a", body: "12345", delayMilliseconds: 7)),
      (anyGet, .pieces(stub: "a", body: "12345", [(5, 5)]))),
    play(
      "the slowest network counts",
      #"""
      {"key": "slow", "responses": [{"next": true, "throttle": "1kB/s"}]},
      {"key": "a", "responses": [{"text": "1234", "throttle": "500B/s"}]}
      """#,
      (anyGet, .pieces(stub: "a", body: "1234", [(4, 8)]))),
    play(
      "a response that hands over counts in its sequence",
      #"""
      {"key": "first", "responses": [{"next": true, "repeat": 2}, {"text": "third"}]},
      {"key": "a", "responses": [{"text": "x"}]}
      """#,
      (anyGet, .response(stub: "a", body: "x")), (anyGet, .response(stub: "a", body: "x")),
      (anyGet, .response(stub: "first", body: "third"))),
    play(
      "a response that hands over to no stub does not count",
      #"""
      {"key": "first", "responses": [{"next": true}, {"text": "second"}]},
      {"key": "a", "request": {"path": "/a"}}
      """#,
      (anyGet, .unmatched()), (.get("https://a.test/a"), .response(stub: "a")),
      (anyGet, .response(stub: "first", body: "second"))),
    play(
      "a response of the real network",
      #"{"key": "a", "responses": [{"passthrough": true}, {"text": "x"}]}"#,
      (anyGet, .passthrough(stub: "a")),
      (anyGet.forEngineOnly, .response(stub: "a", body: "x"))),
    play(
      "a stub that is used up lets requests through",
      #"{"key": "a", "responses": [{"text": "x"}], "then": "passthrough"}"#,
      (anyGet, .response(stub: "a", body: "x")), (anyGet, .passthrough(stub: "a")),
      (anyGet, .passthrough(stub: "a"))),
  ]
}
