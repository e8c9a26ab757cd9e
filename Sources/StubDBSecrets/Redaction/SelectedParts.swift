internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// The secret parts of a header field's value.
enum HeaderSecrets {
  /// The token without its scheme, the password without its user, cookies without their names; otherwise the whole
  /// value.
  static func parts(of value: String, header: String) -> [String] {
    switch header.lowercased() {
    case "cookie", "set-cookie": cookies(in: value, header: header).map(\.value)
    case "authorization", "proxy-authorization": [credentials(value)]
    default: [value]
    }
  }

  /// The cookies of `Cookie`, or the cookie of `Set-Cookie` without its attributes.
  /// https://www.rfc-editor.org/rfc/rfc6265
  static func cookies(in value: String, header: String) -> [(name: String, value: String)] {
    let pairs = value.split(separator: ";")
    let isResponse = header.lowercased() == "set-cookie"
    return pairs.prefix(isResponse ? 1 : pairs.count).compactMap { pair in
      guard let equals = pair.firstIndex(of: "=") else { return nil }
      let value = pair[pair.index(after: equals)...]
      return (
        pair[..<equals].trimmingCharacters(in: .whitespaces),
        value.trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
      )
    }
  }

  private static func credentials(_ value: String) -> String {
    let words = value.split(separator: " ")
    guard words.count == 2 else { return value }
    return words[0].lowercased() == "basic" ? password(inBasic: words[1]) : String(words[1])
  }

  /// The password of basic credentials; the whole text if it is not in that form.
  static func password(inBasic credentials: some StringProtocol) -> String {
    guard let data = Base64.decoded(credentials.utf8),
      let text = String(data: data, encoding: .utf8), let colon = text.firstIndex(of: ":")
    else { return String(credentials) }
    return String(text[text.index(after: colon)...])
  }
}

/// The values of a query parameter in a text that is a URL or contains URLs.
enum QueryValues {
  private static let ends = Set("&#\"'<> \n\t")

  static func values(of name: String, in text: String) -> [String] {
    guard text.contains("=") else { return [] }
    var values: [String] = []
    let encoded = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? name
    for spelling in Set([name, encoded]) {
      for mark in ["?", "&"] {
        var rest = text[...]
        while let found = rest.range(of: mark + spelling + "=") {
          let value = rest[found.upperBound...].prefix { !ends.contains($0) }
          values.append(value.replacing("+", with: " ").removingPercentEncoding ?? String(value))
          rest = rest[found.upperBound...]
        }
      }
    }
    return values
  }
}
