import HTTPTypes
import StubDBModel
import StubDBSupport

/// The beginning of the URLs by which a client reaches a server that represents the hosts of a scenario.
package struct ServedURL: Hashable, Sendable {
  /// Host and port, as in a `Host` field.
  package var authority: String
  /// What comes before all paths of the session; empty, or such as `/~k3f9`.
  package var prefix: String
  /// Whether the client speaks TLS.
  package var isSecure: Bool

  package init(authority: String, prefix: String = "", isSecure: Bool = false) {
    (self.authority, self.prefix, self.isSecure) = (authority, prefix, isSecure)
  }

  /// The URL without a slash at its end.
  package var text: String { "\(isSecure ? "https" : "http")://\(authority)\(prefix)" }
}

/// A request parsed once for all stubs that are compared with it.
///
/// It belongs to the call that made it.
package final class PreparedRequest {
  let request: StubRequest
  // The parts of the URL, each on its own: looking one up in `URLParts` would retain all of them. A text that is not a
  // URL has no scheme, host or query, and its path is the text.
  let scheme: String?
  let host: String?
  /// The port, or the default of the scheme; nil if neither is known.
  let port: Int?
  /// Whether the URL begins with `/`, so that it may belong to any scheme, host and port.
  let isOriginless: Bool
  let path: String
  private(set) lazy var query: [URLParts.QueryItem] =
    knownQuery ?? URLParts.queryItems(ofPlain: request.url)
  /// Nil if the query is parsed when something looks at it.
  private let knownQuery: [URLParts.QueryItem]?
  let context: MatchContext
  /// Where its client reached a server; nil for a request to the URL's own host.
  var servedURL: ServedURL?
  /// The segments of its path as on the day of the recording; nil if dates are not moved.
  var earlierSegments: [Substring]?
  /// The number of the journal entry that is reserved for the request; nil for the next one.
  var reservedNumber: Int?
  private(set) lazy var body = PreparedBody(request, context: context)
  private(set) lazy var segments: [Substring] = PlaceholderPath.split(path)
  private(set) lazy var headers: [(name: String, value: String)] = request.headers.map {
    ($0.name.canonicalName, FieldValues.trimmed($0.value))
  }
  private(set) lazy var cookies: [(name: String, value: String)] = makeCookies()

  init(_ request: StubRequest, context: MatchContext = MatchContext()) {
    self.request = request
    self.context = context
    if let (parts, hasQuery) = URLParts.withoutQuery(request.url) {
      (scheme, host, port) = (parts.scheme, parts.host, parts.effectivePort)
      (isOriginless, path) = (parts.scheme == nil, parts.path)
      knownQuery = hasQuery ? parts.query : nil
    } else {
      (scheme, host, port) = (nil, nil, nil)
      (isOriginless, path, knownQuery) = (false, request.url, [])
    }
  }

  /// Parses a request that went unmatched, to compare it with the stubs of other scenarios.
  ///
  /// All of them share the work that explaining may cost.
  package static func explaining(_ request: StubRequest) -> PreparedRequest {
    PreparedRequest(request, context: MatchContext(budget: .explaining))
  }

  /// The beginning of the URLs by which the client reaches what answers it; nil for a request without an origin.
  var baseURL: String? { servedURL?.text ?? origin }

  /// Scheme, host and port.
  var origin: String? {
    guard let scheme, let host else { return nil }
    guard let port, port != URLParts.defaultPort(scheme) else { return "\(scheme)://\(host)" }
    return "\(scheme)://\(host):\(port)"
  }

  var isHead: Bool { request.method == "HEAD" }
  /// The methods of stubs that may answer, the request's own first.
  var methods: [String] { isHead ? ["HEAD", "GET"] : [request.method] }

  /// The whole URL in canonical encoding, without its fragment.
  private(set) lazy var url: String = URLParts(request.url)?.description ?? request.url

  func values(ofQuery name: String) -> FieldValues {
    FieldValues(query.compactMap { ByteText.isEqual($0.name, name) ? $0.value : nil })
  }

  func values(ofHeader name: String) -> FieldValues {
    // Looked up in the request itself, since most are asked for the lines of one name only.
    var lines: [String] = []
    for field in request.headers where ByteText.isSameName(field.name.canonicalName, name) {
      lines.append(FieldValues.trimmed(field.value))
    }
    return FieldValues(headerLines: lines)
  }

  func values(ofCookie name: String) -> FieldValues {
    FieldValues(cookies.compactMap { ByteText.isEqual($0.name, name) ? $0.value : nil })
  }

  /// The pairs of all `Cookie` fields in order.
  ///
  /// https://www.rfc-editor.org/rfc/rfc6265#section-4.2.1
  private func makeCookies() -> [(name: String, value: String)] {
    headers.filter { $0.name == "cookie" }.flatMap { line in
      line.value.utf8.split(separator: UInt8(ascii: ";")).compactMap { pair in
        let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
        let name = FieldValues.trimmed(pair[..<equals])
        let value = equals == pair.endIndex ? "" : FieldValues.trimmed(pair[equals...].dropFirst())
        return name.isEmpty && value.isEmpty ? nil : (name, value)
      }
    }
  }
}
