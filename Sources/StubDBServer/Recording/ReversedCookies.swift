#if Server
import HTTPTypes

/// Cookies of a real server for a client that calls this server in its place.
///
/// A cookie with `Domain=shop.test` would be refused from another host, and one that is `Secure` without TLS.
/// https://www.rfc-editor.org/rfc/rfc6265#section-5.3
enum ReversedCookies {
  /// The fields with cookies that the client keeps; nil if nothing changes.
  static func adapted(_ headers: HTTPFields, isSecure: Bool) -> HTTPFields? {
    guard headers.contains(.setCookie) else { return nil }
    var isChanged = false
    let fields = headers.map { field -> HTTPField in
      guard field.name == .setCookie, let value = adapted(field.value, isSecure: isSecure) else {
        return field
      }
      isChanged = true
      return HTTPField(name: field.name, value: value)
    }
    return isChanged ? HTTPFields(fields) : nil
  }

  /// The value of a `Set-Cookie` field without what refers to the real server; nil if there is nothing of it.
  static func adapted(_ cookie: String, isSecure: Bool) -> String? {
    let parts = cookie.split(separator: ";", omittingEmptySubsequences: false)
    let dropsSecure = !isSecure && parts.dropFirst().contains { attribute($0) == "secure" }
    let kept = parts.enumerated().filter { index, part in
      guard index > 0 else { return true }
      switch attribute(part) {
      case "domain": return false
      case "secure": return isSecure
      // Browsers keep SameSite=None only with Secure.
      case "samesite=none": return !dropsSecure
      default: return true
      }
    }
    return kept.count == parts.count ? nil : kept.map(\.element).joined(separator: ";")
  }

  /// The name of an attribute in lower case; with the value if that matters here.
  private static func attribute(_ part: Substring) -> String {
    let text = part.lowercased().filter { $0 != " " && $0 != "\t" }
    return text.hasPrefix("samesite") ? text : String(text.prefix { $0 != "=" })
  }
}
#endif
