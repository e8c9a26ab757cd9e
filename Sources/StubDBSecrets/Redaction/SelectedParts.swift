internal import Foundation
internal import StubDBModel
internal import StubDBSupport

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

/// Finds the values of query parameters in a text that is a URL, contains URLs, or is a form.
struct QueryValues: Sendable {
  let names: Set<String>
  /// The names by the ways to write them.
  private let spellings: Set<[UInt8]>
  private let longestName: Int
  private static let ends = ByteSet("&#\"'<> \n\t")

  init(_ names: [String]) {
    self.names = Set(names)
    spellings = Set(
      names.flatMap { name in
        [name, name.utf8.percentEncoded { $0.isASCIILetter || $0.isASCIIDigit }]
      }.map { Array($0.utf8) })
    longestName = spellings.map(\.count).max() ?? 0
  }

  /// The values of all parameters, in the order of the text, in one pass.
  func values(in text: String) -> [String] {
    guard !names.isEmpty else { return [] }
    var text = text
    return text.withUTF8 { bytes in
      // The first field of a form has nothing before it.
      var values = Self.isForm(bytes) ? [value(at: bytes.startIndex, of: bytes)] : []
      for place in bytes.indices
      where bytes[place] == UInt8(ascii: "?") || bytes[place] == UInt8(ascii: "&") {
        values.append(value(at: place + 1, of: bytes))
      }
      return values.compactMap(\.self)
    }
  }

  /// Whether a text has nothing that a form does not have.
  private static func isForm(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.allSatisfy { $0 == UInt8(ascii: "&") || !ends.contains($0) }
  }

  /// The value of the parameter whose name begins at a place; nil if it is not one of the names.
  private func value(
    at place: Int, of bytes: UnsafeBufferPointer<UInt8>
  ) -> String? {
    let rest = bytes[place...]
    guard let sign = rest.prefix(longestName + 1).firstIndex(of: UInt8(ascii: "=")),
      spellings.contains(Array(rest[..<sign]))
    else { return nil }
    let value = String(
      decoding: rest[(sign + 1)...].prefix { !Self.ends.contains($0) }, as: UTF8.self)
    return value.replacing("+", with: " ").removingPercentEncoding ?? value
  }
}

/// The rules of a redaction, by what they look at.
struct SelectionRules: Sendable {
  /// Names of header fields in small letters.
  private(set) var headers: Set<String> = []
  private(set) var cookies: Set<String> = []
  let query: QueryValues
  private(set) var regexes: [(rule: RedactionRule, regex: BoundedRegex)] = []
  /// Those for places of JSON content.
  private(set) var content: [RedactionRule] = []

  init(_ rules: [RedactionRule]) {
    var parameters: [String] = []
    for rule in rules {
      switch rule {
      case .header(let name): headers.insert(name.lowercased())
      case .cookie(let name): cookies.insert(name)
      case .query(let name): parameters.append(name)
      case .regex(let regex): regexes.append((rule, regex))
      case .jsonPath, .jsonPointer: content.append(rule)
      }
    }
    query = QueryValues(parameters)
  }
}
