import Foundation
import HTTPTypes
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBRecording

/// A request with its answer, as a test sees them.
struct SeenExchange {
  var method = "GET"
  var url: String
  var headers: HTTPFields = [:]
  var content = ""
  /// A content that is no text.
  var bytes: Data?
  var status = 200
  var answer: String
  var answerHeaders: [(name: String, value: String)] = []
}

extension Sandbox {
  /// Records a run of a test beside `shop.stubdb`, as a test does.
  func record(
    _ exchanges: [SeenExchange], _ scenario: String, test: String,
    mode: RecordMode = .newEpisodes
  ) throws {
    let catalog = folder.appendingPathComponent("shop.stubdb").path
    let writer = try DraftWriter(catalog: catalog, environment: [:])
    let recorder = RunRecorder(
      ScenarioName(unchecked: scenario), mode: mode, catalog: catalog, writer: writer)
    recorder.name(test: test)
    for (index, exchange) in exchanges.enumerated() {
      var request = StubRequest(method: exchange.method, url: exchange.url)
      request.headers = exchange.headers
      request.body = .bytes(exchange.bytes ?? Data(exchange.content.utf8))
      let answer = recorder.begin(request, number: index + 1)
      answer.head(status: exchange.status, exactly: exchange.answerHeaders)
      answer.content(Data(exchange.answer.utf8))
      answer.finish()
    }
    recorder.end(failed: false)
    writer.close()
  }
}
