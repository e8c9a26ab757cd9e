import StubDBChanges
import StubDBDrift
import StubDBFormats
import StubDBJSON
import StubDBModel

/// Compares the shapes of the answers of stubs that are stored.
struct StoredShapes {
  private(set) var report = ShapeReport()

  /// Compares the scenarios that two catalogs have in common, or one of them.
  mutating func compare(
    _ old: any ScenarioSource, _ new: any ScenarioSource, only name: ScenarioName?
  ) throws {
    let before = Dictionary(try old.entries.map { ($0.name, $0) }) { first, _ in first }
    for entry in try new.entries.sorted(by: { $0.name < $1.name }) {
      guard name == nil || entry.name == name, let earlier = before[entry.name],
        earlier.digest != entry.digest
      else { continue }
      try compare(old.scenario(named: entry.name), new.scenario(named: entry.name))
    }
  }

  /// Compares the stubs of two scenarios that have the same key, or answer the same requests.
  mutating func compare(_ old: Scenario, _ new: Scenario) throws {
    let (before, after) = (try Self.exported(old), try Self.exported(new))
    for stub in after.stubs {
      let other =
        before.stubs.first { $0.stub.key == stub.stub.key }
        ?? before.stubs.first { $0.stub.request == stub.stub.request }
      guard let other else {
        skip(new, stub, "\(old.name) has no stub with its key or its request")
        continue
      }
      compare(other, stub, of: new.name)
    }
    for stub in before.stubs
    where !after.stubs.contains(where: {
      $0.stub.key == stub.stub.key || $0.stub.request == stub.stub.request
    }) {
      skip(old, stub, "\(new.name) has no stub with its key or its request")
    }
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

  private static func exported(_ scenario: Scenario) throws -> ExportContent {
    do throws(FormatError) {
      return try ExportContent([scenario])
    } catch {
      throw CommandError(error.description)
    }
  }
}
