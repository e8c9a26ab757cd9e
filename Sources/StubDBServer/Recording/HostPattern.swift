#if Server
import StubDBEngine
package import StubDBServing

/// Hosts as a person names them: `api.shop.test`, `*.shop.test` for all below it, or either with a port.
package struct HostPattern: Hashable, Sendable {
  private let host: String
  private let coversSubdomains: Bool
  /// Nil for every port.
  private let port: Int?

  /// Parses a pattern; nil for any other text, such as a URL.
  package init?(_ text: String) {
    coversSubdomains = text.hasPrefix("*.")
    let rest = coversSubdomains ? String(text.dropFirst(2)) : text
    guard !rest.isEmpty, Authority.isValid(rest), !rest.contains("*") else { return nil }
    let host = Authority.host(of: rest)
    guard !host.isEmpty else { return nil }
    let end = rest.lastIndex(of: ":")
    let hasPort = end.map { !rest[$0...].contains("]") } ?? false
    port = hasPort ? end.flatMap { Int(rest[rest.index(after: $0)...]) } : nil
    guard !hasPort || port.map({ (1...65_535).contains($0) }) == true else { return nil }
    self.host = host
  }

  /// The pattern for one origin.
  package init(_ origin: Origin) {
    coversSubdomains = false
    host = Authority.host(of: origin.host)
    port = origin.port ?? (origin.scheme == "https" ? 443 : 80)
  }

  /// Whether the pattern names this host; it does not name those that it covers.
  func names(_ host: String, _ port: Int) -> Bool {
    !coversSubdomains && self.host == host.lowercased() && (self.port ?? port) == port
  }

  /// Whether it covers a host, an IPv6 address without its brackets.
  func covers(_ host: String, _ port: Int) -> Bool {
    guard (self.port ?? port) == port else { return false }
    return coversSubdomains ? host.lowercased().hasSuffix(".\(self.host)") : names(host, port)
  }

  /// Whether it is about this machine itself, which programs call without a proxy otherwise.
  var isLocal: Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.") || host == "::1"
  }
}

/// The hosts whose requests are looked into and recorded.
package struct RecordedHosts: Sendable {
  private let includesAll: Bool
  private let patterns: [HostPattern]
  /// The hosts that the stubs of the scenario name.
  private let origins: [HostPattern]

  /// The hosts of patterns, those of a scenario, or all of them.
  package init(_ patterns: [HostPattern], origins: [Origin], includesAll: Bool) {
    (self.includesAll, self.patterns) = (includesAll, patterns)
    self.origins = origins.map(HostPattern.init)
  }

  /// Whether any of them is this machine itself, which programs call without a proxy otherwise.
  package var includesThisMachine: Bool {
    includesAll || (patterns + origins).contains(where: \.isLocal)
  }

  /// Those of the scenario that are this machine itself.
  package var onThisMachine: [HostPattern] { origins.filter(\.isLocal) }

  package var isEmpty: Bool { !includesAll && patterns.isEmpty && origins.isEmpty }

  func contains(_ host: String, _ port: Int) -> Bool {
    includesAll || (patterns + origins).contains { $0.covers(host, port) }
  }
}
#endif
