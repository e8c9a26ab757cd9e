import Foundation
import HTTPTypes
import StubDBEngine
import StubDBFormats
import StubDBJSON
import StubDBModel
import Testing

/// What is recorded and looks like a placeholder, of this program or of a pattern.
@Suite struct RecordedPlaceholderTests {
  private func exchange(
    _ body: String, type: String = "text/plain", answer: String = "ok"
  ) -> RecordedExchange {
    var exchange = RecordedExchange(
      method: "POST", url: "https://a.test/x",
      outcome: .answer(RecordedAnswer(status: 200, body: .text(answer))),
      source: ReportSource(file: "draft", log: ReportLog()))
    exchange.requestHeaders = RecordedHeaders([.init("Content-Type", type)])
    exchange.requestBody = .bytes(Data(body.utf8))
    return exchange
  }

  @Test func onlyAPlaceholderAsAWholeIsFree() throws {
    let stubs = RecordedStubs(of: [
      exchange("first", answer: "REDACTED-10"), exchange("REDACTED-1/REDACTED-10"),
    ]).list.map(\.stub)
    let bodies = stubs.map { $0.request.body }
    #expect(bodies.contains([.value(.matches(".*/REDACTED-10"))]), "\(bodies)")
  }

  @Test func onlyAPlaceholderAsAWholeIsFreeInWhatSomebodyWrote() {
    var secrets = UnansweredSecrets()
    secrets.take(StubResponse(body: .text("REDACTED-10")))
    func freed(_ body: BodyPattern) -> [BodyPattern] {
      var copy = secrets
      return copy.freed(RequestPattern(body: [body])).pattern.body
    }
    #expect(
      freed(.value(.matches("^REDACTED-1/REDACTED-10$")))
        == [.value(.matches("^.*/REDACTED-10$"))])
    #expect(
      freed(.equalToXML(XMLPattern("<a><b>REDACTED-10</b><c>is REDACTED-1</c></a>")))
        == [
          .equalToXML(
            XMLPattern(
              "<a><b>REDACTED-10</b><c>${xmlunit.ignore}</c></a>", enablePlaceholders: true))
        ])
  }

  /// The last stub is for texts that look like what redaction leaves, which exports of this program have.
  @Test func aNumberIsAPlaceholderOnlyIfRedactionGaveIt() {
    func bodies(_ numbers: Set<String>, _ texts: String...) -> [[BodyPattern]] {
      RecordedStubs(of: texts.map { exchange($0) }, numbers: numbers).list.map {
        $0.stub.request.body
      }
    }
    #expect(bodies([], "see 900000001") == [[.value(.equalTo("see 900000001"))]])
    #expect(bodies(["900000001"], "see 900000001") == [[.value(.matches("see .*"))]])
    #expect(bodies(["900000002"], "see 900000001") == [[.value(.equalTo("see 900000001"))]])
    #expect(bodies([], "see REDACTED-1") == [[.value(.matches("see .*"))]])
  }

  private static func multipart(_ part: String) -> String {
    "--B\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Type: application/json\r\n\r\n"
      + "\(part)\r\n--B--\r\n"
  }

  @Test(
    arguments: [
      #"{"t":"${json-unit.ignore}"}"#, #"{"t":"${json-unit.foo}"}"#,
      ##"{"t":["#{json-unit.regex}.*"]}"##,
      #"{"t":"\u0024{json-unit.ignore}"}"#,
      #"{"query":"{ me }","variables":{"t":"${json-unit.ignore}"}}"#,
    ], [false, true])
  func aRecordedTextThatLooksLikeAPlaceholderIsWhatItSays(text: String, isPart: Bool) throws {
    let type = isPart ? "multipart/form-data; boundary=B" : "application/json"
    func sent(_ text: String) -> RecordedExchange {
      exchange(isPart ? Self.multipart(text) : text, type: type)
    }
    let stubs = RecordedStubs(of: [sent(text)]).list.map(\.stub)
    let loaded = try LoadedScenario(Scenario(name: ScenarioName(unchecked: "a"), stubs: stubs))
    #expect(loaded.firstMatch(for: sent(text).request) != nil)
    let other = text.replacing("json-unit", with: "json-other")
    #expect(loaded.firstMatch(for: sent(other).request) == nil)
  }
}
