internal import Foundation
internal import HTTPTypes
internal import StubDBJSON
package import StubDBModel
internal import StubDBSupport

extension CurlCommand {
  /// Header fields that describe the client, not the request.
  private static let volatileFields: Set<String> = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control",
    "connection", "content-length", "cookie", "date", "dnt", "expect", "host",
    "if-modified-since", "if-none-match", "keep-alive", "origin", "pragma", "priority",
    "proxy-authorization", "range", "referer", "te", "traceparent", "tracestate",
    "transfer-encoding", "upgrade-insecure-requests", "user-agent", "via", "x-forwarded-for",
    "x-request-id", "x-correlation-id", "x-requested-with", "authorization",
  ]
  /// Words in the names of fields whose values are valid for one session, even if they are not secret.
  private static let sessionWords = ["auth", "token", "session", "csrf", "xsrf"]

  /// The prefix of a query parameter's name in the list of what ``pattern()`` omits.
  package static let parameterPrefix = "the query parameter "

  /// The pattern that the command's request satisfies.
  ///
  /// It requires the method, the URL with all its parameters, the content, and the header fields that describe the
  /// request.
  /// - Returns: The pattern, and what it omits: the header fields that differ from client to client, and the header
  /// fields and query parameters that contain secrets.
  /// - Throws: ``CurlError`` if the URL is not valid.
  package func pattern() throws(CurlError) -> (pattern: RequestPattern, leftOut: [String]) {
    guard let parts = URLParts(template: url), let host = parts.host, !host.isEmpty else {
      throw CurlError("\"\(url)\" is not a URL")
    }
    guard let method = HTTPRequest.Method(method) else {
      throw CurlError("\"\(method)\" is not a method")
    }
    let body = bodyPattern()
    var leftOut: [String] = []
    var headers: [HeaderPattern] = []
    for field in fields {
      let name = field.name.lowercased()
      // The pattern of the body implies it.
      if name == "content-type", body?.isOfType == true { continue }
      if Self.isLeftOut(name) {
        if !leftOut.contains(field.name) { leftOut.append(field.name) }
      } else {
        guard let name = HTTPField.Name(field.name) else {
          throw CurlError("\"\(field.name)\" is not a header field name")
        }
        headers.append(HeaderPattern(name, .equalTo(field.value)))
      }
    }
    // curl sends the user information of a URL in this field, unless it is given.
    if parts.userInformation != nil,
      !leftOut.contains(where: { $0.lowercased() == "authorization" })
    {
      leftOut.append("Authorization")
    }
    for name in parts.query.filter(Self.isHidden).map({ Self.parameterPrefix + $0.name })
    where !leftOut.contains(name) {
      leftOut.append(name)
    }
    let pattern = RequestPattern(
      methods: [method], scheme: parts.scheme, host: .equalTo(host), port: parts.port,
      path: .template(parts.path),
      query: Self.patterns(of: parts.query.filter { !Self.isHidden($0) }), headers: headers,
      body: body.map { [$0] } ?? [])
    return (pattern, leftOut)
  }

  private static func isHidden(_ item: URLParts.QueryItem) -> Bool {
    SensitiveName.hides(item.name, value: item.value)
  }

  private static func isLeftOut(_ name: String) -> Bool {
    volatileFields.contains(name) || name.hasPrefix("sec-")
      || sessionWords.contains { name.contains($0) } || SensitiveName(name) != .none
  }

  /// A name that occurs several times must have exactly these values.
  private static func patterns(of items: [URLParts.QueryItem]) -> [NamedPattern] {
    NamedValues(items.map { ($0.name, $0.value) }).values.map {
      NamedPattern($0.name, .exactly($0.values))
    }
  }

  private func bodyPattern() -> BodyPattern? {
    if !parts.isEmpty { return .multipart(parts.map(\.pattern)) }
    guard !content.isEmpty else { return nil }
    let type = contentType?.lowercased() ?? ""
    let saysForm = fields.contains {
      $0.name.lowercased() == "content-type" && $0.value.lowercased().contains("urlencoded")
    }
    if !saysForm, let json = try? JSONValue(parsing: content) {
      switch json {
      case .object, .array: return .equalToJSON(json)
      default: if type.contains("json") { return .equalToJSON(json) }
      }
    }
    guard let text = String(strictUTF8: content) else { return .binaryEqualTo(content) }
    if type.contains("urlencoded"), text.contains("=") {
      return .form(Self.patterns(of: URLParts.queryItems(text)))
    }
    return .value(.equalTo(text))
  }
}

extension CurlCommand.Part {
  fileprivate var pattern: PartPattern {
    let body = content.map { content in
      String(strictUTF8: content).map { .value(.equalTo($0)) }
        ?? BodyPattern.binaryEqualTo(content)
    }
    return PartPattern(
      name: name, filename: filename.map { .equalTo($0) }, body: body.map { [$0] } ?? [])
  }
}

extension BodyPattern {
  /// Whether the pattern itself implies the content type.
  fileprivate var isOfType: Bool {
    switch operation {
    case is EqualToJSONOperator, is FormOperator, is MultipartOperator: true
    default: false
    }
  }
}
