package import StubDBChanges
internal import StubDBDrift
import StubDBFormats
package import StubDBModel

/// Compares the shapes of the answers of stubs that are stored.
package struct StoredShapes {
  package private(set) var report = ShapeReport()

  package init() {}

  /// Compares the scenarios that two catalogs have in common, or one of them.
  ///
  /// - Throws: What reading throws.
  package mutating func compare(
    _ old: any ScenarioSource, _ new: any ScenarioSource, only name: ScenarioName?
  ) throws {
    let before = Dictionary(try old.entries.map { ($0.name, $0) }) { first, _ in first }
    for entry in try new.entries.sorted(by: { $0.name < $1.name }) {
      guard name == nil || entry.name == name, let earlier = before[entry.name],
        earlier.digest != entry.digest
      else { continue }
      compare(try old.scenario(named: entry.name), try new.scenario(named: entry.name))
    }
  }

  /// Compares the stubs of two scenarios that have the same key, or answer the same requests.
  package mutating func compare(_ old: Scenario, _ new: Scenario) {
    let (before, after) = (ExportContent([old]), ExportContent([new]))
    let (oldByKey, newByKey) = (Self.byKey(before), Self.byKey(after))
    let (oldByRequest, newByRequest) = (Self.byRequest(before), Self.byRequest(after))
    for stub in after.stubs {
      if let other = oldByKey[stub.stub.key] ?? oldByRequest[stub.stub.request] {
        compare(other, stub, of: new.name)
      } else {
        skip(new, stub, "\(old.name) has no stub with its key or its request")
      }
    }
    for stub in before.stubs
    where newByKey[stub.stub.key] == nil && newByRequest[stub.stub.request] == nil {
      skip(old, stub, "\(new.name) has no stub with its key or its request")
    }
  }

  private static func byKey(_ content: ExportContent) -> [Stub.Key: ExportedStub] {
    Dictionary(content.stubs.map { ($0.stub.key, $0) }) { first, _ in first }
  }

  private static func byRequest(_ content: ExportContent) -> [RequestPattern: ExportedStub] {
    Dictionary(content.stubs.map { ($0.stub.request, $0) }) { first, _ in first }
  }

  private mutating func compare(
    _ old: ExportedStub, _ new: ExportedStub, of scenario: ScenarioName
  ) {
    let before = old.storedAnswers(to: old.anyExample())
    let after = new.storedAnswers(to: new.anyExample())
    for (index, answers) in zip(before, after).enumerated() {
      guard case (.answer(let earlier), .answer(let later)) = answers else { continue }
      var comparison = ShapeComparison()
      comparison.compare(AnswerShape(earlier), AnswerShape(later))
      report.add(
        comparison, of: scenario, new.stub.key, response: before.count > 1 ? index + 1 : nil)
    }
  }

  private mutating func skip(_ scenario: Scenario, _ stub: ExportedStub, _ reason: String) {
    report.skipped.append(
      LivePlan.Skipped(scenario: scenario.name, key: stub.stub.key, reason: reason))
  }
}
