import Foundation
import HTTPTypes
import StubDBEngine
import StubDBFormats
import StubDBJSON
import StubDBModel
import Testing

/// The same program again: it sends what it sent, with the values that are new in each run.
@Suite struct NextRunTests {
  /// A request: a value of a header field, and a content.
  struct Sent: Sendable {
    var value: String
    var body = ""
  }

  /// Two requests of the same URL, as they were recorded and as the next run sends them.
  struct Run: CustomStringConvertible, Sendable {
    var description: String
    var field: String
    var recorded: [Sent]
    var next: [Sent]
    var statuses = [200, 200]
  }

  private static func upload(_ type: String, _ boundary: String, _ content: String = "1") -> Sent {
    let part = "--\(boundary)\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\(content)\r\n"
    return Sent(
      value: "multipart/\(type); boundary=\(boundary)", body: "\(part)--\(boundary)--\r\n")
  }

  /// A request of a batch, in a content of its own.
  private static func batch(_ outer: String, _ inner: String, _ content: String) -> Sent {
    let changes = """
      --\(inner)\r\nContent-Type: application/http\r\n\r\n\(content)\r\n--\(inner)--\r\n
      """
    let type = "multipart/mixed; boundary=\(inner)"
    return Sent(
      value: "multipart/related; boundary=\(outer)",
      body: "--\(outer)\r\nContent-Type: \(type)\r\n\r\n\(changes)\r\n--\(outer)--\r\n")
  }

  private static func values(_ one: String, _ other: String) -> [Sent] {
    [Sent(value: one), Sent(value: other)]
  }

  static let runs = [
    Run(
      description: "an upload twice", field: "Content-Type",
      recorded: [upload("form-data", "x1"), upload("form-data", "x2")],
      next: [upload("form-data", "y1"), upload("form-data", "y2")]),
    Run(
      description: "parts that are equal as JSON", field: "Content-Type",
      recorded: [upload("form-data", "x1", #"{"x":1}"#), upload("form-data", "x2", #"{"x": 1}"#)],
      next: [upload("form-data", "y1", #"{"x":1}"#), upload("form-data", "y2", #"{"x": 1}"#)]),
    Run(
      description: "the time of the client", field: "If-Modified-Since",
      recorded: values("Mon, 23 Nov 2026 17:00:00 GMT", "Mon, 23 Nov 2026 17:00:01 GMT"),
      next: values("Tue, 24 Nov 2026 17:00:00 GMT", "Tue, 24 Nov 2026 17:00:02 GMT")),
    Run(
      description: "a number that goes on", field: "X-Seq",
      recorded: values("781", "782"), next: values("1034", "1035")),
    Run(
      description: "a random value beside a name", field: "X-Trace",
      recorded: values("none", "4bf92f3577b34da6"), next: values("none", "00f067aa0ba902b7")),
    // What a run sends again tells requests apart, in whatever order.
    Run(
      description: "a type", field: "Accept",
      recorded: values("text/csv", "text/html"), next: values("text/html", "text/csv")),
    Run(
      description: "a number of the application", field: "X-Tenant",
      recorded: values("1", "2"), next: values("2", "1")),
    Run(
      description: "a range", field: "Range", recorded: values("bytes=0-1", "bytes=2-3"),
      next: values("bytes=2-3", "bytes=0-1"), statuses: [206, 206]),
    Run(
      description: "the type of an upload", field: "Content-Type",
      recorded: [upload("form-data", "x1"), upload("mixed", "x2")],
      next: [upload("mixed", "y1"), upload("form-data", "y2")]),
    Run(
      description: "a batch of sets of changes", field: "Content-Type",
      recorded: [batch("x1", "x2", "PUT /a"), batch("x3", "x4", "PUT /b")],
      next: [batch("y1", "y2", "PUT /a"), batch("y3", "y4", "PUT /b")]),
  ]

  private static func entry(_ sent: Sent, _ field: String, status: Int, answer: String) -> String {
    let method = sent.body.isEmpty ? "GET" : "POST"
    let header: JSONValue = [["name": .string(field), "value": .string(sent.value)]]
    let data: JSONValue = ["mimeType": .string(sent.value), "text": .string(sent.body)]
    let content = sent.body.isEmpty ? "" : #", "postData": \#(data.canonicalText)"#
    return HARText.entry(
      method, "https://a.test/x", request: #", "headers": \#(header.canonicalText)\#(content)"#,
      status: status, content: HARText.content(answer))
  }

  /// A request and the answer to it.
  private static func played(
    _ sent: Sent, _ field: String, status: Int, answer: String
  ) throws -> RecordedCase {
    var headers = HTTPFields()
    headers[try #require(HTTPField.Name(field))] = sent.value
    return RecordedCase(
      method: sent.body.isEmpty ? "GET" : "POST", url: "https://a.test/x", headers: headers,
      body: Data(sent.body.utf8), status: status, content: Data(answer.utf8))
  }

  @Test(arguments: runs)
  func everyRequestOfTheNextRunGetsItsAnswer(run: Run) async throws {
    let answers = ["first", "second"]
    let entries = run.recorded.indices.map { place in
      Self.entry(
        run.recorded[place], run.field, status: run.statuses[place], answer: answers[place])
    }
    let imported = try ImportRun("a.har", HARText.archive(entries))
    let isTurned = run.next.map(\.value.mediaType) == run.recorded.reversed().map(\.value.mediaType)
    let isSame = run.next.map(\.value.mediaType) == run.recorded.map(\.value.mediaType)
    let places = isTurned && !isSame ? [1, 0] : [0, 1]
    try await imported.play(
      try zip(run.next, places).map { sent, place in
        try Self.played(sent, run.field, status: run.statuses[place], answer: answers[place])
      })
  }

  @Test func partsWithoutAContentStayWithoutOne() throws {
    let upload = Self.upload("form-data", "b", "")
    let none = Sent(value: upload.value, body: "--b--\r\n")
    for (sent, others) in [
      (upload, [Self.upload("form-data", "b", "zz"), none]), (none, [upload]),
    ] {
      let entry = Self.entry(sent, "Content-Type", status: 200, answer: "x")
      let run = try ImportRun("a.har", HARText.archive([entry]))
      let loaded = try LoadedScenario(try #require(run.result.scenarios.first))
      #expect(loaded.firstMatch(for: Self.request(sent)) != nil)
      for other in others { #expect(loaded.firstMatch(for: Self.request(other)) == nil) }
      #expect(run.ids(.changed) == [])
    }
  }

  private static func request(_ sent: Sent) -> StubRequest {
    var request = StubRequest(method: "POST", url: "https://a.test/x")
    request.headers[.contentType] = sent.value
    request.body = .bytes(Data(sent.body.utf8))
    return request
  }
}

extension String {
  /// The value without its parameters.
  fileprivate var mediaType: String { String(prefix { $0 != ";" }) }
}
