#if Server
import StubDBEngine

/// Where clients reach a server that stands behind another one.
package struct PublicURL: Hashable, Sendable {
  /// Whether clients speak TLS with what stands before.
  let isSecure: Bool
  /// The host and, if it is not the usual one, the port.
  let authority: String
  /// What comes before all paths; empty, or with a slash at the beginning only.
  let path: String

  /// Parses an absolute URL with `http` or `https`, without a query; nil for anything else.
  package init?(_ text: String) {
    guard let url = try? UpstreamURL(text), !url.host.isEmpty, Authority.isValid(url.authority),
      !text.contains(where: { "?#@".contains($0) })
    else { return nil }
    isSecure = url.isSecure
    authority = url.authority
    path = url.target.hasSuffix("/") ? String(url.target.dropLast()) : url.target
  }

  /// The host in lower case, without brackets and port.
  var host: String { Authority.host(of: authority) }

  /// Whether only this machine can reach it.
  package var isLoopback: Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "::1"
      || host.hasPrefix("127.") && Authority.isAddress(host)
  }

  /// The URL without a slash at its end.
  var text: String { "\(isSecure ? "https" : "http")://\(authority)\(path)" }

  /// The URL of a session by host; nil where no host can have a part before it.
  func hostURL(of id: String) -> String? {
    guard path.isEmpty, !Authority.isAddress(host) else { return nil }
    return "\(isSecure ? "https" : "http")://\(id).\(authority)"
  }

  /// How a client reaches a session that its request names in the path, or in the host; nil if it does not go through
  /// what stands before.
  func served(prefix: String, host field: String?) -> ServedURL? {
    let called = Authority.host(of: field ?? "")
    if called.hasSuffix(".localhost"), !host.hasSuffix("localhost") { return nil }
    let isBelow = called.hasSuffix(".\(host)")
    return ServedURL(
      authority: isBelow ? field ?? authority : authority, prefix: path + prefix,
      isSecure: isSecure)
  }
}
#endif
