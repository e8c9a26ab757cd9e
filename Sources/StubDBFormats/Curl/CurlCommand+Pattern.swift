internal import Foundation
package import StubDBModel

extension CurlCommand {
  /// Fields that say who asks and from where, not what for.
  private static let volatileFields: Set<String> = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control",
    "connection", "content-length", "cookie", "date", "dnt", "expect", "host",
    "if-modified-since", "if-none-match", "keep-alive", "origin", "pragma", "priority",
    "proxy-authorization", "range", "referer", "te", "traceparent", "tracestate",
    "transfer-encoding", "upgrade-insecure-requests", "user-agent", "via", "x-forwarded-for",
    "x-request-id", "x-correlation-id", "x-requested-with", "authorization",
  ]
  /// Words in the names of fields whose values hold for one session, even where they are no secrets.
  private static let sessionWords = ["auth", "token", "session", "csrf", "xsrf"]

  /// Stands before the name of a query parameter among what ``pattern()`` leaves out.
  package static let parameterPrefix = "the query parameter "

  /// What a request must satisfy to be the one that the command sends.
  ///
  /// Method, URL with all its parameters, content, and the header fields that say what is asked for.
  /// - Returns: The pattern, and what it does not ask for: the header fields that every client writes in
  ///   its own way, and the header fields and query parameters that hold secrets.
  /// - Throws: ``CurlError`` where the URL is none.
  package func pattern() throws(CurlError) -> (pattern: RequestPattern, leftOut: [String]) {
    guard let parts = URLParts(template: url), let host = parts.host, !host.isEmpty else {
      throw CurlError("\"\(url)\" is not a URL")
    }
    let body = bodyPattern()
    var leftOut: [String] = []
    if parts.userInformation != nil { leftOut.append("user information") }
    var headers: [NamedPattern] = []
    for field in fields {
      let name = field.name.lowercased()
      // The pattern of the body says it already.
      let isImplied = name == "content-type" && body?.isOfType == true
      if isImplied { continue }
      if Self.isLeftOut(name) {
        if !leftOut.contains(field.name) { leftOut.append(field.name) }
      } else {
        headers.append(NamedPattern(field.name, .equalTo(field.value)))
      }
    }
    var query: [URLParts.QueryItem] = []
    for item in parts.query {
      if SensitiveName.hides(item.name, value: item.value) {
        let name = Self.parameterPrefix + item.name
        if !leftOut.contains(name) { leftOut.append(name) }
      } else {
        query.append(item)
      }
    }
    let pattern = RequestPattern(
      methods: [method], scheme: parts.scheme, host: .equalTo(host), port: parts.port,
      path: .template(parts.path),
      query: Self.patterns(of: query), headers: headers, body: body.map { [$0] } ?? [])
    return (pattern, leftOut)
  }

  private static func isLeftOut(_ name: String) -> Bool {
    volatileFields.contains(name) || name.hasPrefix("sec-")
      || sessionWords.contains { name.contains($0) } || SensitiveName(name) != .none
  }

  /// A name that comes several times must have just these values.
  private static func patterns(of items: [URLParts.QueryItem]) -> [NamedPattern] {
    var names: [String] = []
    for item in items where !names.contains(item.name) { names.append(item.name) }
    return names.map { name in
      let values = items.filter { $0.name == name }.map { ValuePattern.equalTo($0.value) }
      return NamedPattern(name, values.count == 1 ? values[0] : .hasExactly(values))
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
    guard let text = String(data: content, encoding: .utf8) else { return .binaryEqualTo(content) }
    if type.contains("urlencoded"), text.contains("=") {
      return .form(Self.patterns(of: URLParts.queryItems(text)))
    }
    return .value(.equalTo(text))
  }
}

extension CurlCommand.Part {
  fileprivate var pattern: PartPattern {
    let body: BodyPattern
    if let text = String(data: content, encoding: .utf8) {
      body = .value(.equalTo(text))
    } else {
      body = .binaryEqualTo(content)
    }
    return PartPattern(name: name, filename: filename.map { .equalTo($0) }, body: [body])
  }
}

extension BodyPattern {
  /// Whether the pattern itself says of what type the content is.
  fileprivate var isOfType: Bool {
    switch self {
    case .equalToJSON, .form, .multipart: true
    default: false
    }
  }
}
