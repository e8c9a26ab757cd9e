import HTTPTypes
internal import StubDBJSON
package import StubDBModel
internal import StubDBSupport

extension OrderedJSON {
  /// The members of a request; the URL is assembled again only if `isURLWhole`.
  static func requestMembers(
    _ request: RequestPattern, isURLWhole: Bool
  ) -> [(String, OrderedJSON)] {
    let url = isURLWhole && request.wholeURL == nil ? url(of: request) : nil
    var members: [(String, OrderedJSON)] = []
    for part in RequestPart.all {
      if let tree = part.tree(of: request, url: url) { members.append((part.rawValue, tree)) }
    }
    return members
  }

  /// The URL that means exactly the parts of the pattern, or nil if there is no such URL.
  static func url(of request: RequestPattern) -> String? {
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
  static func captured(_ patterns: [NamedPattern]) -> OrderedJSON {
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

  /// Named patterns as an object; nil if there are none.
  static func names(
    _ patterns: [NamedPattern], isCaseSensitive: Bool = true
  ) -> OrderedJSON? {
    patterns.isEmpty ? nil : named(patterns, isCaseSensitive: isCaseSensitive)
  }

  /// Named patterns as an object; several for one name, which JSON cannot say, become an `and`.
  static func named(_ patterns: [NamedPattern], isCaseSensitive: Bool) -> OrderedJSON {
    .object(
      NamedPattern.merged(patterns, isCaseSensitive: isCaseSensitive)
        .map { ($0.name, value($0.pattern)) })
  }
}

extension NamedPattern {
  /// The patterns of sorted names with one for each name, as a document has them.
  package static func merged(
    _ patterns: [NamedPattern], isCaseSensitive: Bool = true
  ) -> [NamedPattern] {
    patterns.reduce(into: []) { merged, pattern in
      if let last = merged.last,
        ByteText.isEqual(last.name, pattern.name)
          || !isCaseSensitive && last.name.lowercased() == pattern.name.lowercased()
      {
        merged[merged.count - 1].pattern = .and([last.pattern, pattern.pattern])
      } else {
        merged.append(pattern)
      }
    }
  }
}

extension RequestPart {
  /// The part as a document has it, nil if it is free; `url` is the text that says all of the place, if one does.
  fileprivate func tree(of pattern: RequestPattern, url: String?) -> OrderedJSON? {
    switch self {
    case .method:
      if pattern.methods.count == 1 { return .string(pattern.methods[0].rawValue) }
      return pattern.methods.isEmpty ? nil : .words(pattern.methods.map(\.rawValue))
    case .url:
      return pattern.wholeURL.map { .object(OrderedJSON.valueMembers($0)) }
        ?? url.map(OrderedJSON.string)
    case .scheme: return url == nil ? pattern.scheme.map(OrderedJSON.string) : nil
    case .host: return url == nil ? pattern.host.map(OrderedJSON.value) : nil
    case .port: return url == nil ? pattern.port.map(OrderedJSON.integer) : nil
    case .path:
      guard url == nil, let path = pattern.path else { return nil }
      switch path {
      case .template(let text): return .string(text)
      case .value(let pattern): return .object(OrderedJSON.valueMembers(pattern))
      }
    case .pathParameters: return .names(pattern.pathParameters)
    case .query: return .names(pattern.query)
    case .queryIsExact: return pattern.queryIsExact ? .yes : nil
    case .headers: return .names(pattern.headers.map(\.named), isCaseSensitive: false)
    case .cookies: return .names(pattern.cookies)
    case .basicAuth:
      return pattern.basicAuth.map {
        .object([("username", .string($0.username)), ("password", .string($0.password))])
      }
    case .captured: return pattern.captured.isEmpty ? nil : OrderedJSON.captured(pattern.captured)
    case .body: return OrderedJSON.body(pattern.body)
    }
  }
}
