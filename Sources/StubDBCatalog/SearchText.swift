internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// The text of a search, in the forms in which plain columns and JSON columns contain it.
struct SearchText {
  let plain: String
  /// With JSON's escapes: a header field `"abc"` is stored as `\"abc\"`.
  let json: String

  init(_ text: String) {
    plain = text
    json = String(JSONValue.string(text).canonicalText.dropFirst().dropLast())
  }

  /// The LIKE pattern for plain columns, with the escape `\`.
  var plainPattern: String { Self.pattern(plain) }

  /// Binds the pattern for plain columns, and after it the one for JSON columns.
  func bind(to statement: Statement, from index: Int32 = 1) throws {
    try statement.bind(index, plainPattern)
    try statement.bind(index + 1, Self.pattern(json))
  }

  /// Whether the value contains the text, ignoring case.
  static func holds(_ text: String, in value: String) -> Bool {
    value.range(of: text, options: .caseInsensitive) != nil
  }

  private static func pattern(_ text: String) -> String {
    "%"
      + text.replacing("\\", with: "\\\\").replacing("%", with: "\\%")
      .replacing("_", with: "\\_") + "%"
  }
}
