internal import Foundation
internal import StubDBSupport

extension URLParts {
  /// A path in canonical percent-encoding.
  ///
  /// Octets that need no encoding in a path segment are not encoded; every other one is `%` and two upper-case digits.
  /// `%2F` stays encoded, since a slash separates segments; a `%` that does not begin an escape becomes `%25`. Two
  /// paths are the same if their canonical texts are equal. https://www.rfc-editor.org/rfc/rfc3986#section-3.3
  package static func canonicalPath(_ path: some StringProtocol) -> String {
    if path.utf8.allSatisfy({ $0.isPathOctet || $0 == UInt8(ascii: "/") }) { return String(path) }
    var octets: [UInt8] = []
    octets.reserveCapacity(path.utf8.count + 16)
    forEachOctet(of: path.utf8) { octet, isEscaped in
      let isBare = octet.isPathOctet || octet == UInt8(ascii: "/") && !isEscaped
      isBare ? octets.append(octet) : octets.append(contentsOf: escape(octet))
    }
    return String(decoding: octets, as: UTF8.self)
  }

  /// The path of a pattern in canonical percent-encoding; `{name}` and `**` segments are kept.
  ///
  /// A segment of two literal asterisks is `%2A%2A`.
  package static func canonicalTemplate(_ path: some StringProtocol) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      if segment == "**" || isPlaceholder(segment) { return String(segment) }
      let canonical = canonicalPath(segment)
      return canonical == "**" ? "%2A%2A" : canonical
    }.joined(separator: "/")
  }

  /// Whether a whole segment of a pattern's path is `{name}`.
  package static func isPlaceholder(_ segment: some StringProtocol) -> Bool {
    segment.first == "{" && segment.last == "}"
  }

  /// Whether a segment of a pattern's path is `{name}` or `**`.
  package static func isOpen(_ segment: some StringProtocol) -> Bool {
    segment == "**" || isPlaceholder(segment)
  }

  /// Whether a pattern's path matches several paths: it has a segment `{name}` or `**`.
  package static func isOpen(template: String) -> Bool {
    template.split(separator: "/").contains { isOpen($0) }
  }

  /// The path of a pattern that matches a path and no other, even if that looks like a template.
  package static func literalTemplate(_ path: some StringProtocol) -> String {
    guard path.utf8.contains(where: { "{}*".utf8.contains($0) }) else { return String(path) }
    return path.split(separator: "/", omittingEmptySubsequences: false)
      .map { $0 == "**" ? "%2A%2A" : encodingBraces(in: $0) }.joined(separator: "/")
  }

  /// A text of a URL in which no brace begins or ends a placeholder.
  package static func encodingBraces(in text: some StringProtocol) -> String {
    String(text).replacingScalar("{", with: "%7B").replacingScalar("}", with: "%7D")
  }

  /// A host in the form in which hosts are compared; nil for an invalid host.
  package static func canonicalHost(_ host: some StringProtocol) -> String? {
    if host.utf8.first == UInt8(ascii: "[") { return canonicalIPv6(String(host)) }
    var isPlain = true
    for octet in host.utf8 where !octet.isPlainHostOctet {
      if octet.isASCIIUppercase || octet >= 0x80 || octet == UInt8(ascii: "%") { isPlain = false }
      if octet.isForbiddenInHost, octet != UInt8(ascii: "%") { return nil }
    }
    if isPlain { return String(host) }
    // An encoded delimiter would change the URL when it is written out again.
    guard let decoded = host.removingPercentEncoding,
      !decoded.utf8.contains(where: \.isForbiddenInHost)
    else { return nil }
    if decoded.utf8.allSatisfy({ $0 < 0x80 }) { return decoded.lowercased() }
    // Foundation has the IDNA tables; its URL parser puts the ASCII form into the URL's text.
    guard let text = URL(string: "http://\(decoded)/")?.absoluteString else { return nil }
    let ascii = text.dropFirst("http://".count).dropLast().lowercased()
    return ascii.utf8.contains(where: \.isForbiddenInHost) ? nil : ascii
  }

  private static func canonicalIPv6(_ host: String) -> String? {
    guard host.hasSuffix("]") else { return nil }
    var address = in6_addr()
    guard inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1 else {
      return nil
    }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(AF_INET6, &address, &text, socklen_t(INET6_ADDRSTRLEN)) != nil else {
      return nil
    }
    return "[" + String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self) + "]"
  }

  /// The items of a query or of `application/x-www-form-urlencoded` content, decoded.
  package static func queryItems(_ query: some StringProtocol) -> [QueryItem] {
    guard !query.isEmpty else { return [] }
    return query.utf8.split(separator: UInt8(ascii: "&")).map { item in
      let equals = item.firstIndex(of: UInt8(ascii: "="))
      let name = item[..<(equals ?? item.endIndex)]
      let value = equals.map { item[item.index(after: $0)...] }
      return QueryItem(name: decodedQuery(name), value: value.map(decodedQuery) ?? "")
    }
  }

  /// Percent-decodes a name or value, with `+` as a space; text that does not decode to UTF-8 is returned as is.
  private static func decodedQuery<Octets: Collection<UInt8>>(
    _ text: Octets
  ) -> String {
    if !text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) {
      return String(decoding: text, as: UTF8.self)
    }
    var octets: [UInt8] = []
    forEachOctet(of: text) { octet, isEscaped in
      octets.append(octet == UInt8(ascii: "+") && !isEscaped ? UInt8(ascii: " ") : octet)
    }
    return String(strictUTF8: octets) ?? String(decoding: text, as: UTF8.self)
  }

  /// A name or value encoded for a query.
  package static func encodedQuery(_ text: String) -> String {
    var octets: [UInt8] = []
    for octet in text.utf8 {
      let isBare = octet.isPathOctet && !"&=+;".utf8.contains(octet)
      isBare ? octets.append(octet) : octets.append(contentsOf: escape(octet))
    }
    return String(decoding: octets, as: UTF8.self)
  }

  /// Calls the closure with each octet, with escapes decoded; a `%` that does not begin an escape is passed as is.
  private static func forEachOctet<Octets: Collection<UInt8>>(
    of text: Octets, _ body: (_ octet: UInt8, _ isEscaped: Bool) -> Void
  ) {
    var index = text.startIndex
    while index != text.endIndex {
      let octet = text[index]
      index = text.index(after: index)
      if octet == UInt8(ascii: "%"), let first = text[index...].first,
        let high = hexDigit(first), let second = text[index...].dropFirst().first,
        let low = hexDigit(second)
      {
        body(high << 4 | low, true)
        index = text.index(index, offsetBy: 2)
      } else {
        body(octet, false)
      }
    }
  }

  private static func hexDigit(_ octet: UInt8) -> UInt8? {
    switch octet {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): octet - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): octet - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): octet - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func escape(_ octet: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "%"), digits[Int(octet >> 4)], digits[Int(octet & 15)]]
  }
}

extension UInt8 {
  /// Whether hosts must not contain the octet, even encoded.
  ///
  /// https://url.spec.whatwg.org/#forbidden-domain-code-point, and the quotation marks and braces that RFC 3986 does
  /// not allow in a URL.
  var isForbiddenInHost: Bool {
    self <= 0x20 || self == 0x7F || "/\\?#[]@:%<>^|\"`{}".utf8.contains(self)
  }

  /// Whether the octet is a lower-case letter, a digit, `-` or `.`, as most octets of hosts are.
  var isPlainHostOctet: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default:
      false
    }
  }

  /// Whether RFC 3986 allows the octet unencoded in a path segment (`pchar`).
  var isPathOctet: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"), UInt8(ascii: "$"),
      UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"),
      UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"),
      UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "@"):
      true
    default:
      false
    }
  }
}
