import StubDBJSON
import StubDBModel

/// Patterns in words, such as `is "customer"` or `matches "Bearer .+"`.
enum Phrase {
  /// What a value must satisfy, to be read after its name.
  static func of(_ pattern: ValuePattern) -> String { pattern.phrase(ViewStyle()) }

  /// What a body must satisfy, to be read after "body".
  static func of(_ pattern: BodyPattern) -> String { pattern.phrase(ViewStyle()) }
}

/// Patterns in words as views show them: whole, and safe to print.
private struct ViewStyle: PhraseStyle {
  var isPredicate = true
  var ofNouns: any PhraseStyle { ViewStyle(isPredicate: false) }

  func quoted(_ text: String) -> String { Printable.value(text) }
  func plain(_ text: String) -> String { Printable.line(text) }
  func shown(_ pattern: ValuePattern, of name: String) -> ValuePattern { pattern }
  func shown(_ pattern: ValuePattern, selectedBy query: String) -> ValuePattern { pattern }
  func shown(_ json: JSONValue) -> JSONValue { json }
}
