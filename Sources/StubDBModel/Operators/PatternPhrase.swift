package import StubDBJSON
internal import StubDBSupport

/// How patterns are put into words.
package struct PhraseStyle: Sendable {
  /// Returns a text in quotes, safe to print.
  package let quoted: @Sendable (_ text: String) -> String
  /// Returns a text without quotes, safe to print.
  package let plain: @Sendable (_ text: String) -> String
  /// Returns a pattern as it may be shown for a value of this name.
  let shown: @Sendable (_ pattern: ValuePattern, _ name: String) -> ValuePattern
  /// Returns a JSON value as it may be shown.
  let shownJSON: @Sendable (_ json: JSONValue) -> JSONValue
  /// Whether phrases are read behind the name of what must satisfy them: `is "a"` in place of `"a"`.
  private var isPredicate: Bool

  /// Makes a style; patterns and JSON values are shown whole unless given closures replace them.
  package init(
    quoted: @escaping @Sendable (String) -> String, plain: @escaping @Sendable (String) -> String,
    shown: @escaping @Sendable (ValuePattern, String) -> ValuePattern = { pattern, _ in pattern },
    shownJSON: @escaping @Sendable (JSONValue) -> JSONValue = { $0 }, isPredicate: Bool = false
  ) {
    (self.quoted, self.plain, self.shown) = (quoted, plain, shown)
    (self.shownJSON, self.isPredicate) = (shownJSON, isPredicate)
  }

  /// The same style for phrases that represent values.
  var ofNouns: PhraseStyle {
    var style = self
    style.isPredicate = false
    return style
  }

  /// A pattern as it may be shown for what this query selects.
  func shown(_ pattern: ValuePattern, selectedBy query: String) -> ValuePattern {
    SensitiveName.isNamed(in: query) ? shown(pattern, "secret") : pattern
  }

  /// A phrase that represents a value.
  func noun(_ text: String) -> String { isPredicate ? "is " + text : text }

  /// JSON on one line.
  func text(_ json: JSONValue) -> String { plain(shownJSON(json).canonicalText) }

  func list(_ patterns: [ValuePattern]) -> String {
    list(patterns.map { $0.phrase(ofNouns) })
  }

  /// How many parts of a list are shown.
  private var longestList: Int { 20 }

  package func list(_ parts: [String]) -> String {
    parts.isEmpty ? "nothing" : parts.listed(upTo: longestList)
  }

  /// Several phrases with a word between them, in parentheses if they represent values; nil if there are no phrases.
  func joined(_ phrases: [String], _ word: String) -> String? {
    if phrases.count < 2 { return phrases.first }
    let text = phrases.joined(separator: " \(word) ")
    return isPredicate ? text : "(\(text))"
  }

  func joined(_ patterns: [ValuePattern], _ word: String) -> String? {
    joined(patterns.map { $0.phrase(self) }, word)
  }
}

extension Collection<UInt8> {
  /// The first bytes as hexadecimal digits.
  package var hexadecimalExcerpt: String { prefix(32).hexadecimal + (count > 32 ? "…" : "") }
}

extension NamedPattern {
  /// The name and what its values must satisfy.
  func phrase(_ style: PhraseStyle) -> String {
    "\(style.plain(name)) \(style.shown(pattern, name).phrase(style))"
  }
}

extension BodyPattern {
  /// The pattern in words: `JSON {"amount":1200}, extra elements allowed`.
  package func phrase(_ style: PhraseStyle) -> String {
    switch storage {
    case .value(let pattern): pattern.phrase(style)
    case .and(let patterns):
      style.joined(patterns.map { $0.phrase(style) }, "and") ?? style.noun("anything")
    case .or(let patterns):
      style.joined(patterns.map { $0.phrase(style) }, "or") ?? style.noun("impossible")
    case .not(let pattern): "not (\(pattern.phrase(style)))"
    case .operation(let operation): operation.base.phrase(style)
    }
  }

  /// The pattern as it may be shown for what a query selects.
  func shown(_ style: PhraseStyle, selectedBy query: String) -> BodyPattern {
    guard case .value(let pattern) = storage else { return self }
    return .value(style.shown(pattern, selectedBy: query))
  }
}
