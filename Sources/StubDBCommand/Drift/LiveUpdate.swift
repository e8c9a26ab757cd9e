import Foundation
import HTTPTypes
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDrift
import StubDBEditing
import StubDBEngine
import StubDBFormats
import StubDBModel
import StubDBPlayback
import StubDBRecording
import StubDBSupport

/// Writes what a real server answers otherwise than its stubs into the draft of the catalog, as a recording does.
final class LiveUpdate {
  private let catalog: Catalog
  private let writer: DraftWriter
  /// What an earlier update proposed, unless a process may still write to the draft.
  private let earlier: [(stub: StubName, entry: DraftReading.Entry)]
  private let draft: DraftReading
  private var recorders: [ScenarioName: RunRecorder] = [:]
  /// The stubs that were compared.
  private var asked: Set<StubName> = []

  private struct StubName: Hashable {
    let scenario: String
    let key: String
  }

  /// - Throws: ``CommandError`` if nothing can be written without secrets.
  init(_ catalog: Catalog) throws {
    self.catalog = catalog
    draft = try DraftReading(of: catalog, includingFailed: true)
    let runs = draft.livingProcess == nil ? draft.runs : []
    earlier = runs.flatMap { run in
      run.entries.compactMap { entry in
        entry.stubKey.map { (StubName(scenario: run.scenario, key: $0), entry) }
      }
    }
    do {
      writer = try DraftWriter.shared(forCatalog: catalog.url.path)
    } catch {
      throw CommandError(
        "nothing can be written, because the rules of redaction beside the catalog cannot be used: \(error)"
      )
    }
  }

  /// Takes an answer that was compared; one that differs is written, unless the stub is of another catalog, which cannot
  /// take it.
  func take(_ answer: LiveAnswer, to question: LivePlan.Question, differs: Bool) {
    asked.insert(
      StubName(scenario: question.scenario.rawValue, key: question.key.rawValue))
    let isOfOtherCatalog = ScenarioReference(question.scenario.rawValue)?.catalog != nil
    guard differs, !isOfOtherCatalog else { return }
    var request = StubRequest(method: question.request.method, url: question.request.url)
    request.headers = HTTPFields(question.request.headers)
    request.body = .bytes(question.request.body)
    let exchange = recorder(of: question.scenario)
      .begin(request, number: answer.index + 1, for: question.key)
    exchange.head(
      status: answer.status,
      headers: answer.headers.filter { $0.count == 2 }.map { ($0[0], $0[1]) })
    exchange.content(answer.body)
    exchange.finish()
  }

  private func recorder(of scenario: ScenarioName) -> RunRecorder {
    if let recorder = recorders[scenario] { return recorder }
    let recorder = RunRecorder(
      scenario, mode: .all, catalog: catalog.url.path, writer: writer)
    recorder.name(test: "stubdb verify --live")
    recorders[scenario] = recorder
    return recorder
  }

  /// Ends the draft, and says how many answers are in it and what to type next.
  ///
  /// - Throws: ``CommandError`` if an answer that differs is not in the draft.
  func finish() throws {
    for recorder in recorders.values { recorder.end(failed: false) }
    writer.close()
    let replaced = earlier.filter { asked.contains($0.stub) }.map(\.entry)
    try draft.exclusively { try draft.settle(DraftReading.Settlement(removed: replaced)) }
    let outcomes = recorders.sorted { $0.key < $1.key }.map(\.value.outcome)
    let count = outcomes.reduce(0) { $0 + $1.count }
    let name = TerminalText.path(
      URL(fileURLWithPath: DraftWriter.folder(ofCatalog: catalog.url.path)))
    if count == 0 {
      Console.note("Nothing was written into \(name).")
    } else {
      Console.note("Wrote \(Plural.of(count, "answer")) into \(name).")
      Console.note(
        "To see and accept \(count == 1 ? "it" : "them"): "
          + FollowUp.command("review", in: catalog))
    }
    let problems = Set(outcomes.flatMap(\.problems)).sorted()
    guard problems.isEmpty else {
      throw CommandError(
        "not every answer that differs is in \(name)", hints: problems.map(TerminalText.line))
    }
  }
}

extension HTTPFields {
  /// The fields of pairs of a name and a value; others are left out.
  fileprivate init(_ pairs: [[String]]) {
    self.init()
    for pair in pairs where pair.count == 2 {
      if let name = HTTPField.Name(pair[0]) { append(HTTPField(name: name, value: pair[1])) }
    }
  }
}
