internal import Foundation
internal import StubDBJSON

/// Which texts of answers are JSON: the type of the answer decides, and the text.
struct JSONTextRule {
  /// Whether texts without a type may be JSON.
  let includesUntyped: Bool
  /// Whether texts of the type `text/plain` may be JSON.
  let includesPlain: Bool
  /// Whether a text of a JSON type may also be a number, a string, a Boolean or null.
  let includesScalars: Bool

  /// Recorders often lose the type, and servers often say that JSON is plain text.
  static let recordings = JSONTextRule(
    includesUntyped: true, includesPlain: true, includesScalars: true)
  /// Stubs that people write, who leave the type out, but do not write a wrong one.
  static let stubFiles = JSONTextRule(
    includesUntyped: true, includesPlain: false, includesScalars: false)
  /// Stubs whose answers have only the types that they name.
  static let typed = JSONTextRule(
    includesUntyped: false, includesPlain: false, includesScalars: false)

  /// The same, whose contents of a JSON type are whole values.
  static let typedValues = JSONTextRule(
    includesUntyped: false, includesPlain: false, includesScalars: true)

  /// Whether an answer of a type may have JSON.
  private func mayBeJSON(_ type: String?) -> Bool {
    let type = type?.lowercased() ?? ""
    return type.contains("json") || includesUntyped && type.isEmpty
      || includesPlain && type.hasPrefix("text/plain")
  }

  /// Whether JSON of an answer of a type stays JSON; a bare number or string of another type is text.
  func takes(isContainer: Bool, type: String?) -> Bool {
    isContainer || includesScalars && (type?.lowercased().contains("json") ?? false)
  }

  /// The JSON of a text; nil if it stays text.
  ///
  /// One with more values than the content of a request may have does: a tree of them takes ten times its size.
  func json(_ text: Data, type: String?) -> JSONValue? {
    guard mayBeJSON(type),
      let json = try? JSONValue(parsing: text, maximumValues: JSONValue.maximumContentValues),
      takes(isContainer: json.isContainer, type: type)
    else { return nil }
    return json
  }
}
