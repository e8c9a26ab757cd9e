import Foundation
import HTTPTypes
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEditing
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBRecording
import StubDBTestSupport

/// A catalog with the draft of runs of `a/shop` beside it, which is removed with the value.
final class RecordedDraft {
  /// A request of a run, and its answer.
  struct Seen {
    var method = "POST"
    var url = "https://api.shop.test/events"
    var headers: HTTPFields = [.contentType: "application/json"]
    var content = ""
    var answer = "ok"

    var request: StubRequest {
      StubRequest(
        method: method, url: url, headers: headers, body: .bytes(Data(content.utf8)))
    }
  }

  static let name = ScenarioName(unchecked: "a/shop")

  private let folder: URL
  let catalog: Catalog

  /// Makes a catalog with the stubs, which are not checked.
  init(_ stubs: [Stub] = []) throws {
    folder = try makeTemporaryFolder()
    catalog = try Catalog.create(at: folder.appendingPathComponent("shop.stubdb"))
    try catalog.edit { editor in
      for stub in stubs { try editor.insert(stub, into: Self.name) }
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Records a run of a test, as the test does.
  func record(_ exchanges: [Seen], mode: RecordMode = .newEpisodes) throws {
    try record(runs: [exchanges], mode: mode)
  }

  /// Records runs of several tests of one process.
  func record(runs: [[Seen]], mode: RecordMode = .newEpisodes) throws {
    let path = catalog.url.path
    let writer = try DraftWriter(catalog: path, environment: [:])
    for (number, exchanges) in runs.enumerated() {
      let recorder = RunRecorder(Self.name, mode: mode, catalog: path, writer: writer)
      recorder.name(test: "T/t\(number + 1)()")
      for (index, exchange) in exchanges.enumerated() {
        let answer = recorder.begin(exchange.request, number: index + 1)
        answer.head(status: 200, exactly: [])
        answer.content(Data(exchange.answer.utf8))
        answer.finish()
      }
      recorder.end(failed: false)
    }
    writer.close()
  }

  func writer() throws -> ReviewWriter {
    ReviewWriter(catalog: catalog, draft: try DraftReading(of: catalog, includingFailed: false))
  }

  /// What waits for the scenario; nil if the draft has nothing for it.
  func review() throws -> ScenarioReview? { try writer().reviews().first }

  /// What waits, as it is shown.
  func selection() throws -> ReviewSelection? {
    try ReviewSelection.all(of: writer().reviews(), only: nil).first
  }

  /// Whether anything is left of the draft.
  var hasDraft: Bool { FileManager.default.fileExists(atPath: catalog.url.path + ".draft") }

  @discardableResult
  func write(_ choices: ReviewChoices) throws -> ReviewResult {
    try writer().write(choices.outcome)
  }

  func stubs() throws -> [Stub] {
    try catalog.allScenarios().first { $0.name == Self.name }?.stubs ?? []
  }

  /// The stub that answers a request first, and the text of its first response.
  struct Answer: Equatable {
    var key: String
    var text: String
  }

  func answer(to request: StubRequest) throws -> Answer? {
    let stub = try catalog.load(Self.name).firstMatch(for: request)?.stub
    return stub.map { Answer(key: $0.key.rawValue, text: $0.responses[0].text) }
  }
}

extension StubResponse {
  /// The text of the content, empty if there is none.
  var text: String { String(decoding: body?.bytes ?? Data(), as: UTF8.self) }
}
