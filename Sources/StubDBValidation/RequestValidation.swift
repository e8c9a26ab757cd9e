internal import Foundation
internal import StubDBCatalog
internal import StubDBDescriptions
internal import StubDBDrift
package import StubDBEngine
internal import StubDBModel
internal import StubDBPlayback
internal import StubDBSupport

/// Compares the requests of a run with the descriptions that its catalog keeps, but for what the team excepts.
package final class RequestValidation: RunCheck {
  package static let shared = RequestValidation()

  /// What a catalog keeps.
  private struct Known {
    /// The catalog as it was read; nil if its next change might go unnoticed.
    var file: DependedFile?
    var digest: String?
    /// Nil if it keeps nothing.
    var requests: DescribedRequests?
  }

  private let known = Locked([String: Known]())

  package func problems(of run: ScenarioRun, catalog path: String?) -> [VerificationProblem] {
    let rules: Rules
    do {
      rules = try self.rules(of: path)
    } catch {
      return [
        VerificationProblem(
          kind: .invalidRequest, message: "\(error)", scenario: run.scenario.name, stubKey: nil,
          request: nil)
      ]
    }
    var seen: Set<String> = []
    return run.journal.flatMap { event in
      let scenario = event.scenario ?? run.scenario.name
      // A request that is repeated is reported once.
      return rules.messages(on: event, of: scenario).filter { seen.insert($0).inserted }.map {
        VerificationProblem(
          kind: .invalidRequest, message: $0, scenario: scenario, stubKey: event.stubKey,
          request: event.request)
      }
    }
  }

  /// Why no request to scenarios of a catalog can be checked; nil if they can be.
  package func obstacle(catalog path: String) -> String? {
    do {
      _ = try rules(of: path)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// What a request violates, for the log of a server, or why it cannot be checked.
  package func messages(on event: ServeEvent, catalog path: String) -> [String] {
    do {
      return try rules(of: path).messages(on: event, of: event.scenario)
    } catch {
      return ["\(error)".replacing("\n ", with: "")]
    }
  }

  // MARK: Reading

  private struct Unusable: Error, CustomStringConvertible {
    let description: String
  }

  private func rules(of path: String?) throws(Unusable) -> Rules {
    guard let path else {
      throw Unusable(description: "The requests of a scenario without a catalog cannot be checked.")
    }
    do {
      let exceptions = try Self.exceptions(beside: path)
      if let requests = try requests(described: path) {
        return Rules(requests: requests, exceptions: exceptions)
      }
    } catch {
      throw Unusable(description: "No request can be checked: \(error)")
    }
    let catalog = "'\(path.replacing("'", with: "'\\''"))'"
    throw Unusable(
      description:
        "No request can be checked, because the catalog keeps no description. To keep one:\n"
        + "  stubdb check --openapi FILE --keep --catalog \(catalog)")
  }

  private static func exceptions(beside catalog: String) throws -> DriftExceptions {
    let url = URL(fileURLWithPath: catalog).deletingLastPathComponent()
      .appendingPathComponent(DriftExceptions.fileName)
    guard FileManager.default.fileExists(atPath: url.path) else { return DriftExceptions() }
    return try DriftExceptions(parsing: Data(contentsOf: url), file: DriftExceptions.fileName)
  }

  /// What a catalog keeps, read again after it has changed; nil if it keeps nothing.
  private func requests(described path: String) throws -> DescribedRequests? {
    let url = URL(fileURLWithPath: path)
    let file = DependedFile(Catalog(unchecked: url).file)
    let before = known.withLock { $0[path] }
    // Opening a catalog takes longer than comparing a request with it.
    if let before, before.file == file { return before.requests }
    let catalog = try Catalog(contentsOf: url)
    let digest = try catalog.contentDigest()
    let read = file.isSettled(at: Date()) ? file : nil
    if let before, before.digest == digest {
      known.withLock { $0[path] = Known(file: read, digest: digest, requests: before.requests) }
      return before.requests
    }
    let scenarios = try catalog.file.read { connection in
      let reader = catalog.reader(connection)
      return try reader.names().filter { $0.rawValue.hasPrefix("\(KeptDescription.tag)/") }
        .compactMap { try reader.scenario($0) }
    }
    let descriptions = try scenarios.compactMap { try KeptDescription($0) }
    let requests = descriptions.isEmpty ? nil : DescribedRequests(descriptions)
    known.withLock { $0[path] = Known(file: read, digest: digest, requests: requests) }
    return requests
  }
}

/// What requests are compared with.
private struct Rules {
  let requests: DescribedRequests
  let exceptions: DriftExceptions

  /// What a request violates, but for the exceptions.
  func messages(on event: ServeEvent, of scenario: ScenarioName?) -> [String] {
    let asked = event.request
    let path = SecretDisplay.text(URLParts(asked.url)?.path ?? asked.url)
    return requests.violations(of: asked).compactMap { violation in
      let place = DriftPlace(
        scenario: scenario?.rawValue ?? "", key: event.stubKey ?? "", pointer: violation.pointer,
        id: violation.id.rawValue)
      guard !exceptions.accepts(place) else { return nil }
      let part = violation.pointer.isEmpty ? "" : " \(violation.pointer)"
      return "\(asked.method) \(path)\(part): \(violation.message) (\(violation.origin))"
    }
  }
}
