internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// The text of a search, in the forms in which plain columns and JSON columns contain it.
struct SearchText {
  /// The longest text, in bytes: a value with many beginnings of it takes the product of both lengths.
  static let longest = 4_096

  private let plain: [UInt8]
  /// With JSON's escapes: a header field `"abc"` is stored as `\"abc\"`.
  private let json: [UInt8]
  /// The text as a URL with a query; nil for other texts.
  private let url: (base: String, query: [URLParts.QueryItem])?

  init(_ text: String) {
    plain = text.utf8.map(Self.folded)
    json = JSONValue.string(text).canonicalText.utf8.dropFirst().dropLast().map(Self.folded)
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = URLParts.queryItems(parts.dropFirst().first ?? "")
    url = query.isEmpty ? nil : (String(parts[0]), query)
  }

  /// Whether the value contains the text, ignoring ASCII case.
  func isHeld(in value: String) -> Bool { Self.holds(plain, in: value) }

  /// Whether bytes contain those of the text, ignoring ASCII case.
  func isHeld(in bytes: Data) -> Bool { bytes.withUnsafeBytes { Self.holds(plain, in: $0) } }

  /// Whether JSON contains the text, ignoring ASCII case: in one of its strings, or as it is written.
  func isHeld(inJSON value: String) -> Bool {
    Self.holds(json, in: value) || json != plain && Self.holds(plain, in: value)
  }

  /// A stub's URL with its query if both contain the text, ignoring case; else nil.
  ///
  /// The query is in `pattern`, the rest of the stub's request as JSON. The order of the parameters does not matter,
  /// and the last value of the text may be incomplete.
  func url(heldIn text: String, pattern: String?) -> String? {
    guard let url, let pattern, text.lowercased().hasSuffix(url.base.lowercased()),
      case .object(let members)? = try? JSONValue(parsing: pattern),
      case .object(let parameters)? = members["query"]
    else { return nil }
    let items = parameters.sorted { $0.key < $1.key }.flatMap { name, value in
      Self.literals(of: value).map { URLParts.QueryItem(name: name, value: $0) }
    }
    let isHeld = url.query.enumerated().allSatisfy { index, wanted in
      items.contains { item in
        let (value, text) = (item.value.lowercased(), wanted.value.lowercased())
        let isLast = index == url.query.count - 1
        return item.name == wanted.name && (isLast ? value.hasPrefix(text) : value == text)
      }
    }
    return isHeld ? "\(text)?\(items.map(\.description).joined(separator: "&"))" : nil
  }

  /// The values that the pattern of a parameter requires.
  private static func literals(of pattern: JSONValue) -> [String] {
    switch pattern {
    case .string(let value): [value]
    case .array(let values): values.flatMap(literals)
    case .object(let members): members["equalTo"].map(literals) ?? []
    case .null, .bool, .number: []
    }
  }

  private static func holds(_ text: [UInt8], in value: String) -> Bool {
    var value = value
    return value.withUTF8 { holds(text, in: UnsafeRawBufferPointer($0)) }
  }

  private static func holds(_ text: [UInt8], in bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = text.first, bytes.count >= text.count else { return false }
    for start in 0...bytes.count - text.count where folded(bytes[start]) == first {
      if text.indices.allSatisfy({ folded(bytes[start + $0]) == text[$0] }) { return true }
    }
    return false
  }

  /// The byte as a small letter, if it is a letter.
  private static func folded(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}
