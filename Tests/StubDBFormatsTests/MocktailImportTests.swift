import Foundation
import HTTPTypes
import StubDBFormats
import StubDBModel
import Testing

/// What `.tail` files become.
@Suite struct MocktailImportTests {
  @Test(arguments: ["\n", "\r\n"])
  func aFileIsAStub(lineEnd: String) async throws {
    let text = "GET|POST\n.*/users\n200\ntext/plain\nX-A: 1\n\nhello\n\nworld\n"
      .replacingOccurrences(of: "\n", with: lineEnd)
    let run = try ImportRun("users.tail", text)
    let response = try #require(run.stubs.first).responses[0]
    #expect(run.stubs[0].key == "users")
    #expect(run.stubs[0].request.methods == [.get, .post])
    #expect(response.headers[.contentType] == "text/plain")
    #expect(response.body == .text("hello\n\nworld\n"))
    try await run.play([
      RecordedCase(url: "https://a.test/v1/USERS/7"),
      RecordedCase(method: "POST", url: "https://a.test/users?x=1"),
    ])
    await #expect(throws: (any Error).self) {
      try await run.play([RecordedCase(method: "PUT", url: "https://a.test/users")])
    }
  }

  @Test func base64IsBytes() throws {
    let run = try ImportRun("a.tail", "GET\n/a\n200\nimage/png;base64\n\nAAEC\n")
    #expect(run.stubs[0].responses[0].body == .data(Data([0, 1, 2])))
    #expect(run.stubs[0].responses[0].headers[.contentType] == "image/png")
  }

  @Test(arguments: [
    ("GET\n/a\n200\n", "a.tail:4"), ("GET\n/a(\n200\ntext/plain\n\n", "a.tail:2"),
    ("GET\n/a\n20\ntext/plain\n\n", "a.tail:3"),
  ])
  func mistakesAreReportedWithTheirLine(text: String, place: String) {
    let error = #expect(throws: FormatError.self) { try ImportRun("a.tail", text) }
    #expect(error?.description.hasPrefix(place) == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test func longerExpressionsAnswerFirst() throws {
    let run = try ImportRun([
      "a.tail": Data("GET\n/users\n200\ntext/plain\n\nall".utf8),
      "b.tail": Data("GET\n/users/7\n200\ntext/plain\n\none".utf8),
    ])
    #expect(run.result.scenarios.map(\.stubs.count) == [1, 1])
  }
}
