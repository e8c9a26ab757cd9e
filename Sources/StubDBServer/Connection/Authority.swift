#if Server
import NIOHTTP1

/// A host with an optional port, as `Host` fields and absolute request targets have it.
///
/// https://www.rfc-editor.org/rfc/rfc9110#section-7.2
enum Authority {
  /// Whether the text is a host with an optional port; it may be empty.
  static func isValid(_ text: String) -> Bool {
    parts(of: text) != nil
  }

  /// The host in lower case, without brackets and port; empty for what is not valid.
  static func host(of text: String) -> String {
    guard let host = parts(of: text) else { return "" }
    return (host.first == "[" ? host.dropFirst().dropLast() : host).lowercased()
  }

  /// Whether the text is an IPv4 address in its only canonical form, or has the characters of an IPv6 address.
  static func isAddress(_ host: String) -> Bool {
    if host.contains(":") { return host.utf8.allSatisfy(isOfIPv6) }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in UInt8(part).map { String($0) == part } ?? false }
  }

  /// The host with its brackets; nil for what is not valid.
  private static func parts(of text: String) -> Substring? {
    let bytes = text.utf8
    guard bytes.first == UInt8(ascii: "[") else {
      let host = text[..<(bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex)]
      guard host.utf8.allSatisfy(isOfName), isPort(text[host.endIndex...]) else { return nil }
      return host
    }
    guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
    let host = text[...end]
    let address = host.utf8.dropFirst().dropLast()
    guard !address.isEmpty, address.allSatisfy(isOfIPv6), isPort(text[host.endIndex...]) else {
      return nil
    }
    return host
  }

  /// Whether the text is empty, or a colon with digits behind it.
  private static func isPort(_ text: Substring) -> Bool {
    let bytes = text.utf8
    guard let first = bytes.first else { return true }
    return first == UInt8(ascii: ":") && bytes.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-._~!$&'()*+,;=%".utf8.contains(byte)
    }
  }

  private static func isOfIPv6(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x3A, 0x41...0x46, 0x61...0x66, UInt8(ascii: "."): true
    default: false
    }
  }
}

extension HTTPRequestHead {
  /// The request with the path as its target, if its target is a URL of the server itself.
  ///
  /// Every server must understand such a target, whose authority counts more than the `Host` field.
  /// https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2
  func inOriginForm(isOwnHost: (String) -> Bool) -> HTTPRequestHead {
    guard uri.utf8.first != UInt8(ascii: "/") else { return self }
    let scheme = uri.prefix { $0 != ":" }
    let rest = uri[scheme.endIndex...]
    guard ["http", "https"].contains(scheme.lowercased()), rest.hasPrefix("://") else {
      return self
    }
    let authority = rest.dropFirst(3).prefix { !"/?#".contains($0) }
    let host = Authority.host(of: String(authority))
    guard !host.isEmpty, isOwnHost(host) else { return self }
    var head = self
    let path = uri[authority.endIndex...]
    head.uri = path.hasPrefix("/") ? String(path) : "/" + path
    head.headers.replaceOrAdd(name: "host", value: String(authority))
    return head
  }
}
#endif
