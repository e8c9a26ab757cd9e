internal import Foundation
internal import StubDBJSON

/// The variables of the environment, of which empty ones do not count.
struct EnvironmentSettings {
  let environment: [String: String]

  subscript(_ names: String...) -> String? {
    names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
  }

  /// The trimmed text of a file that a variable names.
  func file(_ name: String) throws(RemoteError) -> String? {
    guard let path = self[name] else { return nil }
    do {
      let text = try String(contentsOfFile: path, encoding: .utf8)
      return text.trimmingCharacters(in: .whitespacesAndNewlines)
    } catch {
      throw RemoteError(
        .denied, "cannot read \(path), which $\(name) names: \(error.localizedDescription)")
    }
  }
}

/// Asks services that give tokens, which are never written to a file or to a message.
struct TokenService {
  let client: RetryingClient

  /// The members of an answer in JSON; nil if there is none within two seconds, as on a machine without the service.
  func localAnswer(_ url: String, _ fields: [String: String]) throws(RemoteError) -> JSONValue? {
    try client.transport.localAnswer("GET", url, fields).flatMap { try? JSONValue(parsing: $0) }
  }

  /// The access token that a service of OAuth 2.0 gives for a form.
  ///
  /// - Throws: ``RemoteError`` with `denied` and the service's code of the error, such as `invalid_grant`.
  func token(from url: String, for form: [(String, String)]) throws(RemoteError) -> String {
    var request = TransferRequest(method: "POST", url: url, limit: 1 << 16)
    request.fields = ["Content-Type": "application/x-www-form-urlencoded"]
    request.content = Data(URLText.query(form).utf8)
    let answer = try client.answer(at: url) {
      () throws(RemoteError) in request
    }
    let value = try? JSONValue(parsing: answer.content)
    if answer.status == 200, let token = value?.text("access_token") { return token }
    let reason = value?.text("error").map { " (\($0.prefix(100)))" } ?? ""
    throw RemoteError(
      .denied, "\(url) gave no token: it answered with the status \(answer.status ?? 0)\(reason)")
  }
}

extension HTTPTransport {
  /// The content of an answer of this machine; nil if there is none within two seconds, as on any other machine.
  func localAnswer(
    _ method: String, _ url: String, _ fields: [String: String]
  ) throws(RemoteError) -> Data? {
    var request = TransferRequest(method: method, url: url, limit: 1 << 16)
    request.fields = fields
    request.timeout = 2
    let answer = try answer(to: request) { _ in }
    return answer.status == 200 ? answer.content : nil
  }
}

extension JSONValue {
  /// A member that is a string.
  func text(_ key: String) -> String? {
    guard case .object(let members) = self, case .string(let text) = members[key] else {
      return nil
    }
    return text
  }
}
