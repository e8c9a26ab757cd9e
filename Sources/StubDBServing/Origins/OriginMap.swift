import StubDBEngine
import StubDBModel

/// The URLs of the scenario that requests to its server, and paths without a host, represent.
///
/// A `Host` of the scenario represents its origin, whatever the port, because that is the server's own. Otherwise the
/// origin of the longest prefix of the path counts, then the default, and then the only one that the scenario names.
/// Without any of them the URL has no origin, and matches stubs of all. Of origins that differ only in their scheme, a
/// client that speaks TLS means the one with `https`.
package struct OriginMap: Sendable {
  /// An origin for requests whose path begins with a prefix; `/` is every path.
  package struct Rule: Hashable, Sendable {
    package let prefix: String
    package let origin: Origin

    /// Parses `https://api.shop.test`, or `path=/pay/=https://pay.test`; nil for any other text.
    package init?(_ text: String) {
      guard text.hasPrefix("path=") else {
        guard let origin = Origin(text) else { return nil }
        (prefix, self.origin) = ("/", origin)
        return
      }
      let parts = text.dropFirst(5).split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].hasPrefix("/"), let origin = Origin(String(parts[1])) else {
        return nil
      }
      (prefix, self.origin) = (String(parts[0]), origin)
    }
  }

  /// The beginnings of URLs by host.
  private var hosts: [String: [Origin]]
  /// The beginnings of URLs by prefix of the path, longest first.
  private var prefixes: [(prefix: String, text: String)]
  /// The beginning of all other URLs; empty if it is not known.
  private let usual: String
  /// The same for clients that speak TLS.
  private let secureUsual: String
  private let takesAbsoluteTargets: Bool
  private let isProxy: Bool

  /// Makes the map for a scenario that names these origins.
  ///
  /// With `takesAbsoluteTargets`, these are URLs already; otherwise only those of the scenario's hosts are. The clients
  /// of a proxy may call by http what the scenario names with https only.
  package init(
    origins: [Origin], rules: [Rule], takesAbsoluteTargets: Bool, isProxy: Bool = false
  ) {
    self.takesAbsoluteTargets = takesAbsoluteTargets || isProxy
    self.isProxy = isProxy
    hosts = Dictionary(grouping: origins + rules.map(\.origin), by: \.host)
    prefixes = rules.filter { $0.prefix != "/" }
      .sorted { $0.prefix.utf8.count > $1.prefix.utf8.count }
      .map { ($0.prefix, $0.origin.description) }
    let given = rules.first { $0.prefix == "/" }?.origin
    let usual = given ?? (origins.count == 1 ? origins[0] : nil)
    let secure = origins.filter { $0.scheme == "https" }
    let isOneHost = Set(origins.map(\.host)).count == 1
    self.usual = usual?.description ?? ""
    secureUsual = (usual ?? (isOneHost && secure.count == 1 ? secure[0] : nil))?.description ?? ""
  }

  /// The URL that a request target represents, with the scheme of WebSockets for a request that asks for one.
  package func url(target: String, host: String?, isSecure: Bool, isWebSocket: Bool) -> String {
    let url = url(target: target, host: host, isSecure: isSecure)
    return isWebSocket && url.hasPrefix("http") ? "ws" + url.dropFirst(4) : url
  }

  /// Whether the scenario names no host, so that it answers for all.
  package var isEmpty: Bool { hosts.isEmpty }

  /// Whether the scenario names the host of an absolute URL; on this machine the port counts too.
  package func has(hostOf url: String) -> Bool {
    guard let parts = URLParts(url), let host = parts.host, let origins = hosts[host] else {
      return false
    }
    return !Self.isLocal(host) || origins.contains { $0.port == parts.port }
  }

  /// Whether a `Host` field names a host of the scenario, and not the server itself.
  package func has(field: String) -> Bool {
    guard let host = origins(ofField: field)?.origins.first?.host else { return false }
    return !Self.isLocal(host)
  }

  private static func isLocal(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.") || host == "[::1]"
  }

  /// The URL that a request target represents.
  package func url(target: String, host: String?, isSecure: Bool) -> String {
    // An absolute target counts more than the field. https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2
    if target.utf8.first != UInt8(ascii: "/") {
      guard let parts = URLParts(target), let host = parts.host else { return target }
      let path = Self.path(of: target)
      if takesAbsoluteTargets {
        guard isProxy, parts.scheme == "http", let origins = hosts[host],
          origins.allSatisfy({ $0.scheme == "https" })
        else { return target }
        return origins[0].description + path
      }
      guard let origins = hosts[host] else {
        return url(target: path, host: nil, isSecure: isSecure)
      }
      // As with a field: the host counts, and the scheme and the port where the scenario has several of them.
      let named = origins.first { $0.scheme == parts.scheme && $0.port == parts.port }
      return (named ?? origins.first { $0.scheme == parts.scheme } ?? origins[0]).description + path
    }
    if let host, let origin = origin(ofHost: host, isSecure: isSecure) { return origin + target }
    if let rule = prefixes.first(where: { target.hasPrefix($0.prefix) }) {
      return rule.text + target
    }
    return (isSecure ? secureUsual : usual) + target
  }

  /// The origin whose host a `Host` field names; of several the one with its port, and with the scheme of the connection.
  private func origin(ofHost field: String, isSecure: Bool) -> String? {
    guard let (origins, port) = origins(ofField: field) else { return nil }
    if origins.count == 1 { return origins[0].description }
    let samePort = origins.filter { $0.port == port }
    let candidates = samePort.isEmpty ? origins : samePort
    let scheme = isSecure ? "https" : "http"
    return (candidates.first { $0.scheme == scheme } ?? candidates.first)?.description
  }

  /// The origins whose host a `Host` field names, and its port.
  private func origins(ofField field: String) -> (origins: [Origin], port: Int?)? {
    // The server's own address, which most requests name.
    guard let first = field.utf8.first, !(0x30...0x39).contains(first) else { return nil }
    var host = field[...]
    var port: Int?
    if let colon = field.utf8.lastIndex(of: UInt8(ascii: ":")), field.utf8.last != 0x5D {
      port = Int(field[field.utf8.index(after: colon)...])
      host = field[..<colon]
    }
    return hosts[host.lowercased()].map { ($0, port) }
  }

  private static func path(of url: String) -> String {
    let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return parts.count == 4 ? "/" + parts[3] : "/"
  }
}

extension LoadedScenario {
  /// The URL that a path represents when a server of the scenario gets it; any other text is literal.
  package func url(of target: String) -> String {
    guard Self.isPath(target) else { return target }
    let map = OriginMap(origins: origins, rules: [], takesAbsoluteTargets: true)
    return map.url(target: target, host: nil, isSecure: false)
  }

  /// Whether a text is a path without a scheme and host.
  package static func isPath(_ text: String) -> Bool {
    text.hasPrefix("/") && !text.hasPrefix("//")
  }
}
