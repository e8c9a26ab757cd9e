import StubDBDocuments
package import StubDBEngine
import StubDBModel

/// The scheme, host and port that requests go to.
///
/// https://www.rfc-editor.org/rfc/rfc6454#section-4
package struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// The scheme in lower case.
  package let scheme: String
  /// The host in lower case, in IDNA form.
  package let host: String
  /// The port; nil if it is the default of the scheme.
  package let port: Int?

  /// Parses an absolute URL without a path, such as `https://api.shop.test`; nil for any other text.
  package init?(_ text: String) {
    guard let parts = URLParts(text), parts.path == "/", parts.query.isEmpty,
      parts.userInformation == nil, parts.fragment == nil
    else { return nil }
    self.init(parts)
  }

  /// The origin of a URL; nil if it has no host.
  fileprivate init?(_ url: URLParts) {
    guard let scheme = url.scheme, let host = url.host, !host.isEmpty else { return nil }
    self.scheme = URLParts.originScheme(of: scheme)
    self.host = host
    port = url.port
  }

  /// The origin as the beginning of a URL, without a slash at the end.
  package var description: String { "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "") }

  /// The origin that a pattern requires; nil if it leaves the host open, or requires more than an exact one.
  fileprivate init?(of pattern: RequestPattern) {
    if let url = pattern.wholeURL {
      guard let literal = url.literal, let origin = URLParts(literal).flatMap(Origin.init) else {
        return nil
      }
      self = origin
      return
    }
    guard let host = pattern.host?.literal, !host.isEmpty else { return nil }
    let scheme = pattern.scheme ?? "https"
    self.scheme = URLParts.originScheme(of: scheme)
    self.host = host
    port = pattern.port == URLParts.defaultPort(scheme) ? nil : pattern.port
  }
}

extension LoadedScenario {
  /// The origins that stubs name, in the order in which stubs answer, each once.
  ///
  /// A stub that names a host and no scheme means HTTPS, unless others name the scheme for the host.
  package var origins: [Origin] {
    var seen: Set<Origin> = []
    var open: [Origin] = []
    var origins: [Origin] = []
    for source in sources {
      let pattern = source.stub.request
      guard let origin = Origin(of: pattern), seen.insert(origin).inserted else { continue }
      if pattern.wholeURL == nil, pattern.scheme == nil { open.append(origin) }
      origins.append(origin)
    }
    let hosts = Dictionary(grouping: origins, by: \.host)
    return origins.filter { origin in
      !open.contains(origin) || hosts[origin.host]?.allSatisfy(open.contains) == true
    }
  }
}
