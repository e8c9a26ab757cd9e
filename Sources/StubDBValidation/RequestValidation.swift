internal import Foundation
internal import StubDBCatalog
internal import StubDBDescriptions
internal import StubDBDrift
internal import StubDBEngine
internal import StubDBModel
internal import StubDBPlayback
internal import StubDBSupport

/// Compares the requests of a run with the descriptions that its catalog keeps, but for what the team excepts.
final class RequestValidation: RunCheck {
  static let shared = RequestValidation()

  /// What a catalog keeps.
  private struct Known {
    var digest: String?
    var requests: DescribedRequests
  }

  private let known = Locked([String: Known]())

  func problems(of run: ScenarioRun, catalog path: String?) -> [VerificationProblem] {
    guard let path else {
      return [problem("The requests of a scenario without a catalog cannot be checked.", run)]
    }
    do {
      let exceptions = try Self.exceptions(beside: path)
      guard let requests = try requests(described: path) else {
        let catalog = "'\(path.replacing("'", with: "'\\''"))'"
        return [
          problem(
            "No request can be checked, because the catalog keeps no description. To keep one:\n"
              + "  stubdb check --openapi FILE --keep --catalog \(catalog)", run)
        ]
      }
      return violations(of: run, requests, exceptions)
    } catch {
      return [problem("No request can be checked: \(error)", run)]
    }
  }

  private func violations(
    of run: ScenarioRun, _ requests: DescribedRequests, _ exceptions: DriftExceptions
  ) -> [VerificationProblem] {
    var seen: Set<String> = []
    return run.journal.flatMap { event -> [VerificationProblem] in
      requests.violations(of: event.request).compactMap { violation in
        let place = DriftPlace(
          scenario: (event.scenario ?? run.scenario.name).rawValue, key: event.stubKey ?? "",
          pointer: violation.pointer, id: violation.id.rawValue)
        let asked = event.request
        let path = URLParts(asked.url)?.path ?? asked.url
        let part = violation.pointer.isEmpty ? "" : " \(violation.pointer)"
        let message =
          "\(asked.method) \(SecretDisplay.text(path))\(part): \(violation.message) (\(violation.origin))"
        // A request that is repeated is reported once.
        guard !exceptions.accepts(place), seen.insert(message).inserted else { return nil }
        return VerificationProblem(
          kind: .invalidRequest, message: message, scenario: event.scenario ?? run.scenario.name,
          stubKey: event.stubKey, request: asked)
      }
    }
  }

  private func problem(_ message: String, _ run: ScenarioRun) -> VerificationProblem {
    VerificationProblem(
      kind: .invalidRequest, message: message, scenario: run.scenario.name, stubKey: nil,
      request: nil)
  }

  // MARK: Reading

  private static func exceptions(beside catalog: String) throws -> DriftExceptions {
    let url = URL(fileURLWithPath: catalog).deletingLastPathComponent()
      .appendingPathComponent(DriftExceptions.fileName)
    guard FileManager.default.fileExists(atPath: url.path) else { return DriftExceptions() }
    return try DriftExceptions(parsing: Data(contentsOf: url), file: DriftExceptions.fileName)
  }

  /// What a catalog keeps, read again after it has changed; nil if it keeps nothing.
  private func requests(described path: String) throws -> DescribedRequests? {
    let catalog = try Catalog(contentsOf: URL(fileURLWithPath: path))
    let digest = try catalog.contentDigest()
    if let known = known.withLock({ $0[path] }), known.digest == digest { return known.requests }
    let scenarios = try catalog.file.read { connection in
      let reader = catalog.reader(connection)
      return try reader.names().filter { $0.rawValue.hasPrefix("\(KeptDescription.tag)/") }
        .compactMap { try reader.scenario($0) }
    }
    let descriptions = try scenarios.compactMap { try KeptDescription($0) }
    guard !descriptions.isEmpty else { return nil }
    let requests = DescribedRequests(descriptions)
    known.withLock { $0[path] = Known(digest: digest, requests: requests) }
    return requests
  }
}
