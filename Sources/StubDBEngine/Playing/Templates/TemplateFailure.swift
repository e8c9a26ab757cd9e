import StubDBJSON
import StubDBModel

/// Why the templates of an answer could not be filled in: a part of the stub and a reason.
struct TemplateFailure: Error {
  var message: String

  /// What a client gets in place of the answer.
  static let code = -1

  /// What a client gets in place of the answer.
  func error(of event: ServeEvent) -> ResponseError {
    ResponseError(
      domain: "StubDB", code: Self.code,
      userInfo: ["NSLocalizedDescription": .string(text(of: event))])
  }

  /// The problem for the verification of the run.
  func problem(of event: ServeEvent, in scenario: ScenarioName) -> VerificationProblem {
    VerificationProblem(
      kind: .failedTemplate, message: text(of: event), scenario: event.scenario ?? scenario,
      stubKey: event.stubKey, request: event.request)
  }

  private func text(of event: ServeEvent) -> String {
    let stub = "stub \"\(event.stubKey ?? "")\" of scenario \"\(event.scenario?.rawValue ?? "")\""
    let request = "\(event.request.method) \(TextExcerpt.plain(event.request.url))"
    return "The template of \(stub) cannot be filled in for \(request): \(message)"
  }
}
