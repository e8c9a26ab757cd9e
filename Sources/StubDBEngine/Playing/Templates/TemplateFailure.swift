import StubDBJSON
import StubDBModel

/// Reports why the templates of an answer could not be filled in, with the part of the stub.
struct TemplateFailure: Error {
  var message: String

  /// The error for the client.
  static let code = -1

  /// The error for the client.
  func error(of event: ServeEvent) -> ResponseError {
    ResponseError(
      domain: "StubDB", code: Self.code,
      userInfo: ["NSLocalizedDescription": .string(text(of: event))])
  }

  /// The problem for verification.
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
