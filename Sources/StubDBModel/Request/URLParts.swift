/// The parts of a URL, normalized so that patterns and requests can be compared.
///
/// - scheme and host are in lower case; a host with non-ASCII characters is in its IDNA form (`xn--…`), an IPv6 address
/// in brackets has the form of RFC 5952;
/// - a port that is the default of the scheme is omitted;
/// - the path is in canonical percent-encoding, see ``canonicalPath(_:)``; an empty path is `/`, a trailing slash
/// counts, dot segments stay;
/// - query names and values are percent-decoded, `+` is a space, `a` and `a=` are the same, order and repetition are
/// kept, empty items (`&&`) are dropped;
/// - a fragment is never sent, and user information is not compared.
///
/// https://www.rfc-editor.org/rfc/rfc3986#section-6.2 and
/// https://url.spec.whatwg.org/#application/x-www-form-urlencoded
package struct URLParts: Hashable, Sendable {
  /// A query parameter, decoded.
  package struct QueryItem: Hashable, Sendable {
    /// The name; may be empty.
    package var name: String
    /// The value; empty if it has none.
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The scheme in lower case; nil for a text that begins with `/`.
  package var scheme: String?
  /// The host in lower case; nil if the text has no authority.
  package var host: String?
  /// The port; nil if it is missing or the default of the scheme.
  package var port: Int?
  /// The path in canonical percent-encoding; `/` if it is empty.
  package var path: String
  /// The query parameters in order.
  package var query: [QueryItem]
  /// The part before the `@`, or nil.
  package var userInformation: String?
  /// The part after the `#`, or nil.
  package var fragment: String?

  /// The port, or the default of the scheme; nil if neither is known.
  package var effectivePort: Int? { port ?? scheme.flatMap(Self.defaultPort) }

  /// Parses an absolute URL, or a text that begins with `/`.
  ///
  /// Nil for any other text, an invalid port or an invalid host.
  package init?(_ text: String) {
    if let plain = URLParts(plain: text) {
      self = plain
    } else {
      self.init(general: text)
    }
  }

  /// Parses any text like ``init(_:)``.
  init?(general text: String) {
    self.init(text, isTemplate: false)
  }

  /// Parses the URL of a pattern, whose path may contain `{name}` and `**`.
  package init?(template text: String) {
    // A plain URL has no braces, and `**` is literal in it.
    if let plain = URLParts(plain: text) {
      self = plain
    } else {
      self.init(text, isTemplate: true)
    }
  }

  private init?(_ text: String, isTemplate: Bool) {
    var rest = text[...]
    if let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
      fragment = String(rest[rest.utf8.index(after: hash)...])
      rest = rest[..<hash]
    }
    var queryText: Substring = ""
    if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
      queryText = rest[rest.utf8.index(after: mark)...]
      rest = rest[..<mark]
    }
    query = Self.queryItems(queryText)
    path = ""
    if rest.utf8.first != UInt8(ascii: "/") {
      guard let scheme = Self.takeScheme(from: &rest) else { return nil }
      self.scheme = scheme
      if rest.utf8.starts(with: "//".utf8) {
        guard takeAuthority(from: &rest) else { return nil }
      }
    }
    let rawPath = rest.isEmpty ? "/" : rest
    path = isTemplate ? Self.canonicalTemplate(rawPath) : Self.canonicalPath(rawPath)
  }

  /// The default port of a scheme; nil for other schemes.
  package static func defaultPort(_ scheme: String) -> Int? {
    switch scheme {
    case "https", "wss": 443
    case "http", "ws": 80
    case "ftp": 21
    default: nil
    }
  }

  package static func takeScheme(from rest: inout Substring) -> String? {
    guard let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = rest[..<colon]
    guard let first = scheme.utf8.first, first.isASCIILetter,
      scheme.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) })
    else { return nil }
    rest = rest[rest.utf8.index(after: colon)...]
    return scheme.utf8.contains(where: \.isASCIIUppercase) ? scheme.lowercased() : String(scheme)
  }

  /// What is before a host, the host, and what is after its colon; nil for what is missing.
  package static func splitAuthority(
    from rest: inout Substring
  ) -> (user: Substring?, host: Substring, port: Substring?) {
    rest = rest.dropFirst(2)
    let end = rest.utf8.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
    var (user, host, port) = (Substring?.none, rest[..<end], Substring?.none)
    rest = rest[end...]
    if let at = host.utf8.lastIndex(of: UInt8(ascii: "@")) {
      user = host[..<at]
      host = host[host.utf8.index(after: at)...]
    }
    if let colon = host.utf8.lastIndex(of: UInt8(ascii: ":")),
      !host[colon...].utf8.contains(UInt8(ascii: "]"))
    {
      port = host[host.utf8.index(after: colon)...]
      host = host[..<colon]
    }
    return (user, host, port)
  }

  private mutating func takeAuthority(from rest: inout Substring) -> Bool {
    let (user, name, digits) = Self.splitAuthority(from: &rest)
    userInformation = user.map(String.init)
    if let digits, !digits.isEmpty {
      guard digits.utf8.allSatisfy(\.isASCIIDigit), let port = UInt16(digits) else { return false }
      self.port = Int(port)
    }
    guard let host = Self.canonicalHost(name) else { return false }
    self.host = host
    if let port, let scheme, port == Self.defaultPort(scheme) { self.port = nil }
    return true
  }
}

extension URLParts: CustomStringConvertible {
  /// The URL as text, without user information and fragment.
  package var description: String {
    var text = scheme.map { $0 + ":" } ?? ""
    if let host { text += "//" + host }
    if let port { text += ":\(port)" }
    text += path
    if !query.isEmpty { text += "?" + query.map(\.description).joined(separator: "&") }
    return text
  }
}

extension URLParts.QueryItem: CustomStringConvertible {
  /// The item encoded for a URL.
  package var description: String {
    let name = URLParts.encodedQuery(name)
    return value.isEmpty ? name : name + "=" + URLParts.encodedQuery(value)
  }
}

extension UInt8 {
  package var isASCIIUppercase: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
  package var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  package var isASCIILetter: Bool {
    isASCIIUppercase || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
  }
}

extension URLParts {
  /// The names of the `{name}` segments of a pattern's path, in order.
  package static func placeholders(of template: String) -> [String] {
    template.split(separator: "/").compactMap { segment in
      isPlaceholder(segment) ? String(segment.dropFirst().dropLast()) : nil
    }
  }
}
