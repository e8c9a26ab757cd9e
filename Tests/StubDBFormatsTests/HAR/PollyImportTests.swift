import Foundation
import HTTPTypes
import StubDBFormats
import StubDBJSON
import StubDBModel
import Testing

/// Recordings of Polly.JS: contents in pieces, the order of equal requests, and files in YAML.
@Suite struct PollyImportTests {
  private static let coded = #"[{"name": "Content-Encoding", "value": "gzip"}]"#
  private func run(
    _ entries: [String], creator: String = "Polly.JS"
  ) throws -> ImportRun {
    try ImportRun("recording.har", HARText.archive(entries, creator: creator))
  }

  /// `{"name": "Ada"}`, compressed.
  private static func gzip() throws -> Data {
    try #require(
      Data(base64Encoded: "H4sIAAAAAAACA6tWykvMTVWyUlByTElUqgUAaKIK5A8AAAA="))
  }

  /// A list of two pieces.
  private static func pieces(_ encode: (Data) -> String) throws -> String {
    let data = try gzip()
    let list = [data.prefix(7), data.dropFirst(7)].map { JSONValue.string(encode(Data($0))) }
    return JSONValue.array(list).canonicalText
  }

  private static func digits(_ data: Data) -> String {
    data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  @Test func piecesAreJoinedAndDecoded() throws {
    let base64 = try Self.pieces { $0.base64EncodedString() }
    let hexadecimal = try Self.pieces(Self.digits)
    for (text, more) in [
      (base64, #", "encoding": "base64""#), (hexadecimal, #", "_isBinary": true"#),
      (hexadecimal, ""),
    ] {
      let run = try run([
        HARText.entry(
          headers: Self.coded,
          content: HARText.content(text, type: "application/json", more: more))
      ])
      #expect(run.stubs[0].responses[0].body == .json(["name": "Ada"]))
      #expect(run.ids(.changed) + run.ids(.dropped) == [])
    }
  }

  @Test(arguments: [
    (#"["abcd", "ef"]"#, "Polly.JS", true), (#"["abcd", "ef"]"#, "WebInspector", true),
    (#"["items"]"#, "Polly.JS", true), (#"[1, 2]"#, "Polly.JS", true),
    (#"["abcd", "ef"]"#, "Polly.JS", false),
  ])
  func listsThatAreContentsStayLists(text: String, creator: String, isCoded: Bool) throws {
    let run = try run(
      [
        HARText.entry(
          headers: isCoded ? Self.coded : "[]",
          content: HARText.content(text, type: "application/json"))
      ], creator: creator)
    #expect(run.stubs[0].responses[0].body == .json(try JSONValue(parsing: text)))
  }

  @Test func equalRequestsAnswerInTheOrderThatTheyAreNumbered() throws {
    func entry(_ text: String, _ order: Int) -> String {
      HARText.entry(
        content: HARText.content(text),
        entry: #", "_id": "0d1c6b7f2a3e4b5c6d7e8f9a0b1c2d3e", "_order": \#(order)"#)
    }
    let run = try run([entry("c", 2), entry("a", 0), entry("b", 1)])
    #expect(run.stubs[0].responses.map(\.body) == [.text("a"), .text("b"), .text("c")])
  }

  @Test func recordingsHaveTheirNames() throws {
    let har = HARText.archive([HARText.entry()], creator: "Polly.JS")
    let named = har.replacingOccurrences(
      of: #""version": "1.2""#, with: #""version": "1.2", "_recordingName": "Cart/adds an item""#)
    #expect(
      try ImportRun("recording.har", named).result.scenarios.map(\.name.rawValue)
        == ["cart/adds-an-item"])
    #expect(
      try ImportRun("recording.har", har).result.scenarios.map(\.name.rawValue) == ["recording"])
  }

  @Test func persistersThatWriteYAMLAreRead() async throws {
    let run = try ImportRun(
      "chat.har.yaml",
      """
      log:
        _recordingName: chat
        creator: {name: Polly.JS, version: 6.0.6}
        version: "1.2"
        entries:
          - _id: aa
            _order: 0
            request:
              method: POST
              url: https://api.shop.test/v1/search
              headers: []
              postData:
                mimeType: application/json
                textJSON:
                  query: mug
            response:
              status: 200
              headers:
                - {name: content-encoding, value: gzip}
                - {name: content-type, value: application/json}
              content:
                mimeType: application/json
                encoding: base64
                text: '\(try Self.pieces { $0.base64EncodedString() })'
                textDecoded:
                  name: Ada
          - request:
              method: GET
              url: https://api.shop.test/v1/plain
              headers: []
            response:
              status: 200
              headers:
                - {name: content-encoding, value: br}
              content:
                mimeType: application/json
                encoding: base64
                text: '["CweA"]'
                textDecoded: {"a": 1}
      """)
    try await run.play([
      RecordedCase(
        method: "POST", url: "https://api.shop.test/v1/search",
        headers: [.contentType: "application/json"], body: Data(#"{"query":"mug"}"#.utf8),
        content: Data(#"{"name": "Ada"}"#.utf8)),
      RecordedCase(url: "https://api.shop.test/v1/plain", content: Data(#"{"a": 1}"#.utf8)),
    ])
    #expect(run.unknown == [])
  }
}
