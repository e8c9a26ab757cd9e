package import Foundation
internal import HTTPTypes
package import StubDBCatalog
package import StubDBDrift
internal import StubDBEditing
internal import StubDBEngine
package import StubDBFormats
internal import StubDBJSON
internal import StubDBJobs
package import StubDBModel
internal import StubDBPlayback
internal import StubDBRecording

/// Writes what a real server answers otherwise than its stubs into the draft of the catalog, as a recording does.
package final class LiveUpdate {
  private let catalog: Catalog
  private let writer: DraftWriter
  /// What an earlier update proposed, unless a process may still write to the draft.
  private let earlier: [(stub: StubName, entry: DraftReading.Entry)]
  private let draft: DraftReading
  private var recorders: [ScenarioName: RunRecorder] = [:]
  /// The stubs that were compared.
  private var asked: Set<StubName> = []
  private var kept: [Written.Kept] = []

  private struct StubName: Hashable {
    let scenario: String
    let key: String
  }

  /// - Throws: `JobError` if nothing can be written without secrets.
  package init(_ catalog: Catalog) throws {
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
      throw JobError(
        .unusable,
        "nothing can be written, because the rules of redaction beside the catalog cannot be used: \(lines: "\(error)")"
      )
    }
  }

  /// Takes an answer that was compared; one that differs is written, unless the stub is of another catalog, which cannot
  /// take it, or the answer is not the whole list of a resource.
  package func take(_ answer: LiveAnswer, to question: LivePlan.Question, differs: Bool) {
    asked.insert(
      StubName(scenario: question.scenario.rawValue, key: question.key.rawValue))
    let isOfOtherCatalog = ScenarioReference(question.scenario.rawValue)?.catalog != nil
    guard differs, !isOfOtherCatalog else { return }
    if let resource = question.resource, let reason = Self.obstacle(answer, question, resource) {
      kept.append(
        Written.Kept(scenario: question.scenario, key: question.key, reason: reason))
      return
    }
    var request = StubRequest(method: question.request.method, url: question.request.url)
    request.headers = HTTPFields(pairs: question.request.headers)
    request.body = .bytes(question.request.body)
    let exchange = recorder(of: question.scenario)
      .begin(request, number: answer.index + 1, for: question.key)
    exchange.head(
      status: answer.status,
      headers: answer.headers.filter { $0.count == 2 }.map { ($0[0], $0[1]) })
    exchange.content(answer.body)
    exchange.finish()
  }

  /// Why a resource cannot begin with the items of an answer, as a clause; nil if it can.
  private static func obstacle(
    _ answer: LiveAnswer, _ question: LivePlan.Question, _ resource: Resource
  ) -> String? {
    guard answer.status == 200 else {
      return "a resource answers its list with 200, and not with \(answer.status)"
    }
    let sampled = answer.sampled(isHead: false)
    if let page = ListPage(sampled, to: question.request.url, of: resource) {
      return "the answer is one page of a longer list; \(page.sign)"
    }
    guard case .array(let items)? = try? JSONValue(parsing: answer.body) else {
      return "a resource answers a list in JSON, and the answer is none"
    }
    do {
      try resource.check(items, at: JSONPointer())
      return nil
    } catch {
      return "the resource cannot have the item at \(error.pointer); \(error.message)"
    }
  }

  private func recorder(of scenario: ScenarioName) -> RunRecorder {
    if let recorder = recorders[scenario] { return recorder }
    let recorder = RunRecorder(
      scenario, mode: .all, catalog: catalog.url.path, writer: writer)
    recorder.name(test: "stubdb verify --live")
    recorders[scenario] = recorder
    return recorder
  }

  /// What an update wrote.
  package struct Written {
    /// A resource whose seed stays.
    package struct Kept {
      package let scenario: ScenarioName
      package let key: Stub.Key
      /// Why, as a clause.
      package let reason: String
    }

    /// How many answers are in the draft.
    package let count: Int
    /// The folder of the draft.
    package let folder: URL
    /// The resources whose answers are left out, in the order of their stubs.
    package let kept: [Kept]
    /// Why other answers that differ are not in it, sorted.
    package let problems: [String]
  }

  /// Ends the draft.
  package func finish() throws -> Written {
    for recorder in recorders.values { recorder.end(failed: false) }
    writer.close()
    let replaced = earlier.filter { asked.contains($0.stub) }.map(\.entry)
    try draft.exclusively { try draft.settle(DraftReading.Settlement(removed: replaced)) }
    let outcomes = recorders.sorted { $0.key < $1.key }.map(\.value.outcome)
    return Written(
      count: outcomes.reduce(0) { $0 + $1.count },
      folder: URL(fileURLWithPath: DraftWriter.folder(ofCatalog: catalog.url.path)),
      kept: kept.sorted {
        ($0.scenario.rawValue, $0.key.rawValue) < ($1.scenario.rawValue, $1.key.rawValue)
      },
      problems: Set(outcomes.flatMap(\.problems)).sorted())
  }
}
