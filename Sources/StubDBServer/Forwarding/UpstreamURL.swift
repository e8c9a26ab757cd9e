#if Server
import StubDBModel
import StubDBSupport

/// A URL that a request is passed on to.
struct UpstreamURL: Equatable, Sendable {
  let isSecure: Bool
  /// The host, an IPv6 address without its brackets.
  let host: String
  let port: Int
  /// Path and query, as they are sent.
  let target: String
  /// Host and port, as in a `Host` field.
  let authority: String

  /// Parses an absolute URL with `http` or `https`.
  ///
  /// - Throws: An ``UpstreamError`` for any other text.
  init(_ text: String) throws(UpstreamError) {
    guard let parts = URLParts(text), let scheme = parts.scheme, let host = parts.host else {
      throw UpstreamError(
        name: "unsupportedURL",
        reason: "It is not known which server \(text.hasPrefix("/") ? "the path" : "the target") "
          + "belongs to, because the scenario names several or none; name one with --origin")
    }
    guard scheme == "http" || scheme == "https", let port = parts.effectivePort else {
      throw UpstreamError(name: "unsupportedURL", reason: "Nothing is passed on by \(scheme)")
    }
    isSecure = scheme == "https"
    self.port = port
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    authority = parts.port.map { "\(host):\($0)" } ?? host
    target = Self.target(of: text)
  }

  /// The URL up to the path.
  var origin: String { "\(isSecure ? "https" : "http")://\(authority)" }

  /// What follows the authority, up to the fragment: not the canonical form, which may have other bytes.
  private static func target(of url: String) -> String {
    let bytes = url.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return "/" }
    let rest = bytes[colon...].dropFirst(3)
    guard let begin = rest.firstIndex(where: { "/?#".utf8.contains($0) }) else { return "/" }
    let end = rest.firstIndex(of: UInt8(ascii: "#")) ?? rest.endIndex
    let text = rest[begin..<end].percentEncoded { $0 > 0x20 && $0 < 0x7F }
    return text.hasPrefix("/") ? text : "/" + text
  }
}
#endif
