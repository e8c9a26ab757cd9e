internal import HTTPTypes
internal import StubDBJSON

extension DocumentTree {
  /// The members of a request; the URL is assembled again only if `isURLWhole`.
  static func requestMembers(
    _ request: RequestPattern, isURLWhole: Bool
  ) -> [(String, DocumentTree)] {
    var members: [(String, DocumentTree)] = []
    if request.methods.count == 1 {
      members.append(("method", .string(request.methods[0].rawValue)))
    } else if !request.methods.isEmpty {
      members.append(("method", .words(request.methods.map(\.rawValue))))
    }
    if let pattern = request.wholeURL {
      members.append(("url", .object(valueMembers(pattern))))
    }
    if isURLWhole, request.wholeURL == nil, let url = url(of: request) {
      members.append(("url", .string(url)))
    } else {
      appendParts(of: request, to: &members)
    }
    append("pathParameters", request.pathParameters, to: &members)
    append("query", request.query, to: &members)
    if request.queryIsExact { members.append(("queryIsExact", .yes)) }
    append("headers", request.headers, isCaseSensitive: false, to: &members)
    append("cookies", request.cookies, to: &members)
    if let credentials = request.basicAuth {
      members.append(
        (
          "basicAuth",
          .object([
            ("username", .string(credentials.username)),
            ("password", .string(credentials.password)),
          ])
        ))
    }
    if !request.captured.isEmpty { members.append(("captured", captured(request.captured))) }
    appendBody(request.body, to: &members)
    return members
  }

  private static func appendParts(
    of request: RequestPattern, to members: inout [(String, DocumentTree)]
  ) {
    if let scheme = request.scheme { members.append(("scheme", .string(scheme))) }
    if let host = request.host { members.append(("host", value(host))) }
    if let port = request.port { members.append(("port", .integer(port))) }
    switch request.path {
    case .template(let path): members.append(("path", .string(path)))
    case .value(let pattern): members.append(("path", .object(valueMembers(pattern))))
    case nil: break
    }
  }

  /// The URL that means exactly the parts of the pattern, or nil if there is no such URL.
  private static func url(of request: RequestPattern) -> String? {
    guard case .template(let path) = request.path else { return nil }
    switch (request.scheme, request.host, request.port) {
    case (nil, nil, nil):
      return isReadBack(path, scheme: nil, host: nil, port: nil, path: path) ? path : nil
    case (let scheme?, let pattern?, let port):
      guard let host = pattern.literal else { return nil }
      let authority = port.map { "\(host):\($0)" } ?? host
      let url = "\(scheme)://\(authority)\(path)"
      return isReadBack(url, scheme: scheme, host: host, port: port, path: path) ? url : nil
    default:
      return nil
    }
  }

  /// Whether the decoder takes the URL apart into just these parts.
  private static func isReadBack(
    _ url: String, scheme: String?, host: String?, port: Int?, path: String
  ) -> Bool {
    guard path.hasPrefix("/"), let parts = URLParts(template: url) else { return false }
    return parts.scheme == scheme && parts.host == host && parts.port == port
      && parts.path == path && parts.query.isEmpty && parts.fragment == nil
      && parts.userInformation == nil && !path.contains("?")
  }

  /// Patterns for kept values; true and false for whether there is any.
  private static func captured(_ patterns: [NamedPattern]) -> DocumentTree {
    guard case .object(let members) = named(patterns, isCaseSensitive: true) else {
      return .object([])
    }
    let yes = value(.not(.absent)).jsonValue
    let no = value(.absent).jsonValue
    return .object(
      members.map { name, pattern in
        switch pattern.jsonValue {
        case yes: (name, .yes)
        case no: (name, .json(.bool(false)))
        default: (name, pattern)
        }
      })
  }

  static func append(
    _ key: String, _ patterns: [NamedPattern], isCaseSensitive: Bool = true,
    to members: inout [(String, DocumentTree)]
  ) {
    guard !patterns.isEmpty else { return }
    members.append((key, named(patterns, isCaseSensitive: isCaseSensitive)))
  }

  /// Named patterns as an object; several for one name, which JSON cannot say, become an `and`.
  static func named(_ patterns: [NamedPattern], isCaseSensitive: Bool) -> DocumentTree {
    var merged: [NamedPattern] = []
    for pattern in patterns {
      if let last = merged.last,
        last.name == pattern.name
          || !isCaseSensitive && last.name.lowercased() == pattern.name.lowercased()
      {
        merged[merged.count - 1].pattern = .and([last.pattern, pattern.pattern])
      } else {
        merged.append(pattern)
      }
    }
    return .object(merged.map { ($0.name, value($0.pattern)) })
  }
}
