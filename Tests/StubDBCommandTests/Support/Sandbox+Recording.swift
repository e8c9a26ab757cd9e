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
  /// A sandbox whose folder has `shop.stubdb` without scenarios.
  static func empty() throws -> Sandbox {
    let box = try Sandbox()
    try box.must("init", "shop.stubdb")
    return box
  }

  /// What `stubdb match` prints of the answer of `a/shop` to a request.
  func answer(to request: SeenExchange) throws -> CommandResult {
    var arguments = ["match", "a/shop", request.method, request.url]
    for field in request.headers { arguments += ["--header", "\(field.name): \(field.value)"] }
    if !request.content.isEmpty { arguments += ["--data", request.content] }
    return try run(executable: Self.binary, arguments: arguments)
  }

  /// Records a run of a test beside `shop.stubdb`, as a test does.
  func record(
    _ exchanges: [SeenExchange], _ scenario: String, test: String,
    mode: RecordMode = .newEpisodes
  ) throws {
    try record([(scenario, exchanges)], test: test, mode: mode)
  }

  /// Records runs of several scenarios into one draft.
  func record(
    _ runs: [(scenario: String, exchanges: [SeenExchange])], test: String? = nil,
    mode: RecordMode = .newEpisodes
  ) throws {
    let catalog = folder.appendingPathComponent("shop.stubdb").path
    let writer = try DraftWriter(catalog: catalog, environment: [:])
    for (scenario, exchanges) in runs {
      let recorder = RunRecorder(
        ScenarioName(unchecked: scenario), mode: mode, catalog: catalog, writer: writer)
      if let test { recorder.name(test: test) }
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
    }
    writer.close()
  }
}
