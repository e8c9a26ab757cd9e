#if Server
import Foundation
import HTTPTypes
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBEngine
package import StubDBJSON
import StubDBModel
import StubDBPlayback
import StubDBServing

/// Why the admin API refuses a request.
///
/// https://www.rfc-editor.org/rfc/rfc9457
package struct AdminProblem: Error, Sendable {
  package var status: Int
  /// The kind, as the end of its URI; nil if the status says all.
  package var kind: String?
  package var title: String
  /// One sentence: what failed, why, and what to do.
  package var detail: String
  package var members: JSONObject = [:]
  var headers: HTTPFields = [:]

  package init(
    _ status: Int, _ kind: String?, _ title: String, _ detail: String,
    _ members: JSONObject = [:]
  ) {
    (self.status, self.kind, self.title, self.detail) = (status, kind, title, detail)
    self.members = members
  }

  /// The problem as a client gets it.
  var answer: AdminAnswer {
    var value = members
    value["type"] = .string(kind.map { "urn:stubdb:problem:\($0)" } ?? "about:blank")
    value["title"] = .string(title)
    value["status"] = .number(JSONNumber(status))
    value["detail"] = .string(detail)
    return .json(.json(.object(value)), status: status, type: "application/problem+json", headers)
  }

  /// What an error of reading a request, of the catalog or of a run means to a client.
  init(_ error: any Error) {
    switch error {
    case let problem as AdminProblem: self = problem
    case let error as DocumentError:
      self.init(
        error.code == .syntax ? 400 : 422, error.code == .syntax ? "not-json" : "refused-document",
        error.code == .syntax ? "Not JSON" : "The document is refused", error.message)
      members["pointer"] = .string(error.pointer.description)
    case let error as CatalogError: self.init(error)
    case let error as VerificationError:
      self.init(422, "invalid-pattern", "The pattern is refused", error.description)
    case let error as EngineError:
      self.init(422, "refused-document", "The document is refused", error.message)
      if let pointer = error.pointer { members["pointer"] = .string(pointer.description) }
    case let error as PlayedAnswer.Failure:
      self.init(422, "untold-answer", "The answer cannot be described", error.message)
    default:
      self.init(500, nil, "Internal error", "\(error)")
    }
  }

  private init(_ error: CatalogError) {
    switch error.code {
    case .noSuchScenario: self.init(404, "no-such-scenario", "No such scenario", error.message)
    case .noSuchStub: self.init(404, "no-such-stub", "No such stub", error.message)
    case .scenarioExists, .stubExists: self.init(409, "exists", "It exists already", error.message)
    case .invalidValue, .danglingInclude, .includeCycle, .noSuchCatalog, .catalogNotPulled,
      .unplayable, .unresolvedConflict:
      self.init(422, "refused-document", "The document is refused", error.message)
    case .busy: self.init(503, "busy", "The catalog is busy", error.message)
    default: self.init(500, "catalog", "The catalog cannot be used", error.message)
    }
    if let nearest = error.suggestions.first { members["nearest"] = .string(nearest) }
    if let pointer = error.engineError?.pointer {
      members["pointer"] = .string(pointer.description)
    }
  }
}
#endif
