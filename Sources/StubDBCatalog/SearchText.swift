internal import Foundation
internal import StubDBModel

/// A text that is looked for, as it stands in plain columns and in columns that hold JSON.
struct SearchText {
  let plain: String
  /// With the escapes of a JSON string: a header field `"abc"` is stored as `\"abc\"`.
  let json: String

  init(_ text: String) {
    plain = text
    json = String(JSONValue.string(text).canonicalText.dropFirst().dropLast())
  }

  /// The LIKE pattern of plain columns; `\` is its escape.
  var plainPattern: String { Self.pattern(plain) }

  /// Binds the pattern of plain columns, and behind it that of JSON columns.
  func bind(to statement: Statement, from index: Int32 = 1) throws {
    try statement.bind(index, plainPattern)
    try statement.bind(index + 1, Self.pattern(json))
  }

  /// Whether the value holds the text, without regard to case.
  static func holds(_ text: String, in value: String) -> Bool {
    value.range(of: text, options: .caseInsensitive) != nil
  }

  private static func pattern(_ text: String) -> String {
    "%"
      + text.replacing("\\", with: "\\\\").replacing("%", with: "\\%")
      .replacing("_", with: "\\_") + "%"
  }
}
