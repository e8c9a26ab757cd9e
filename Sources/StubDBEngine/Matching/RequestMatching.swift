import Foundation
import StubDBModel

/// Decides whether a request satisfies request patterns.
struct RequestMatching: Sendable {
  let values: ValueMatching
  let body: BodyMatching

  init(_ operands: CompiledOperands) {
    values = ValueMatching(operands: operands)
    body = BodyMatching(values: values)
  }

  /// Whether every part matches; `template` is the path's, if it has placeholders.
  func matches(
    _ pattern: borrowing RequestPattern, template: PathTemplate?, _ request: PreparedRequest
  ) -> Bool {
    matchesMethod(pattern.methods, request) && matchesOrigin(pattern, request)
      && matchesPath(pattern.path, template: template, request)
      && matchesQuery(pattern, request)
      && pattern.headers.allSatisfy {
        values.matches(request.values(ofHeader: $0.name), $0.pattern, in: request.context) == true
      }
      && pattern.cookies.allSatisfy {
        values.matches(request.values(ofCookie: $0.name), $0.pattern, in: request.context) == true
      }
      && pattern.pathParameters.allSatisfy {
        let found = template?.values(of: $0.name, in: request.segments) ?? []
        return values.matches(FieldValues(found), $0.pattern, in: request.context) == true
      }
      && pattern.captured.allSatisfy {
        values.matches(request.values(ofCaptured: $0.name), $0.pattern, in: request.context) == true
      }
      && (pattern.basicAuth.map { Self.matchesCredentials($0, request) } ?? true)
      && pattern.body.allSatisfy { body.matches(request.body, $0) == true }
  }

  /// Whether the path matches; `template` is the pattern's, if it has placeholders.
  func matchesPath(
    _ pattern: PathPattern?, template: PathTemplate?, _ request: PreparedRequest
  ) -> Bool {
    switch pattern {
    case nil: true
    case .template(let text):
      template?.matches(request.segments) ?? ByteText.isEqual(text, request.path)
    case .value(let pattern): values.matches(request.path, pattern, in: request.context) == true
    }
  }

  /// Whether the method matches; a stub for `GET` answers `HEAD` too. https://www.rfc-editor.org/rfc/rfc9110#section-9.3.2
  func matchesMethod(_ methods: [String], _ request: PreparedRequest) -> Bool {
    methods.isEmpty
      || methods.contains { method in
        ByteText.isEqual(method, request.request.method)
          || request.isHead && ByteText.isEqual(method, "GET")
      }
  }

  private func matchesOrigin(
    _ pattern: borrowing RequestPattern, _ request: PreparedRequest
  ) -> Bool {
    if let scheme = pattern.scheme, scheme != request.scheme { return false }
    if !Self.matchesPort(pattern, request) { return false }
    guard let host = pattern.host else { return true }
    return values.matches(request.host, host, in: request.context) == true
  }

  /// A pattern with a scheme and no port means the scheme's default port; one with neither means any port.
  static func matchesPort(_ pattern: borrowing RequestPattern, _ request: PreparedRequest) -> Bool {
    if let port = pattern.port { return port == request.port }
    guard let scheme = pattern.scheme else { return true }
    return URLParts.defaultPort(scheme) == request.port
  }

  private func matchesQuery(
    _ pattern: borrowing RequestPattern, _ request: PreparedRequest
  ) -> Bool {
    let query = pattern.query
    if pattern.queryIsExact,
      request.query.contains(where: { item in
        !query.contains { ByteText.isEqual($0.name, item.name) }
      })
    {
      return false
    }
    return query.allSatisfy {
      values.matches(request.values(ofQuery: $0.name), $0.pattern, in: request.context) == true
    }
  }

  /// Whether an `Authorization` field holds the credentials. https://www.rfc-editor.org/rfc/rfc7617#section-2
  static func matchesCredentials(
    _ credentials: BasicCredentials, _ request: PreparedRequest
  ) -> Bool {
    let expected = Data("\(credentials.username):\(credentials.password)".utf8)
    return request.values(ofHeader: "authorization").values.contains { value in
      let parts = value.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1)
      guard parts.count == 2, ByteText.isSameName(String(Substring(parts[0])), "basic") else {
        return false
      }
      return Data(base64Encoded: FieldValues.trimmed(parts[1])) == expected
    }
  }
}
