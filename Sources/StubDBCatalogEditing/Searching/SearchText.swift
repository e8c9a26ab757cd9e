internal import Foundation
internal import StubDBCatalog
internal import StubDBJSON
internal import StubDBModel

/// The text of a search, in the forms in which plain columns and JSON columns contain it.
struct SearchText {
  /// The longest text, in bytes: a pattern may have 50,000, and a byte takes up to seven of them with JSON's escapes.
  ///
  /// https://sqlite.org/limits.html
  static let longest = 4_096

  let plain: String
  /// With JSON's escapes: a header field `"abc"` is stored as `\"abc\"`.
  private let json: String
  /// The text as a URL with a query; nil if it is none.
  private let url: (base: String, query: [URLParts.QueryItem])?

  init(_ text: String) {
    plain = text
    json = String(JSONValue.string(text).canonicalText.dropFirst().dropLast())
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = URLParts.queryItems(parts.dropFirst().first ?? "")
    url = query.isEmpty ? nil : (String(parts[0]), query)
  }

  /// The LIKE pattern for plain columns, with the escape `\`.
  var plainPattern: String { "%\(Self.escaped(plain))%" }

  /// Binds the parameters of ``SearchedColumn/condition(_:)`` but the last.
  func bind(to statement: Statement) throws {
    try statement.bind(2, plainPattern)
    try statement.bind(3, "%\(Self.escaped(json))%")
    try statement.bind(4, json == plain ? nil : plainPattern)
  }

  /// Binds the last parameter of ``SearchedColumn/condition(_:)``, which the URL needs.
  func bindURL(to statement: Statement) throws {
    try statement.bind(5, url.map { "%\(Self.escaped($0.base))" })
  }

  /// Whether the value contains the text, ignoring case.
  func isHeld(in value: String) -> Bool { Self.holds(plain, in: value) }

  /// Whether JSON contains the text, ignoring case: in one of its strings, or as it is written.
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

  private static func holds(_ text: String, in value: String) -> Bool {
    value.range(of: text, options: .caseInsensitive) != nil
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_")
  }
}
