import HTTPTypes
import StubDBDocuments
import StubDBJSON
import StubDBJobs
import StubDBModel

/// A request pattern as text: the request line, then a line for each condition.
struct RequestView {
  let pattern: RequestPattern

  init(pattern: RequestPattern) {
    self.pattern = pattern
  }

  /// Makes the view of a stub's request; of a resource, that for its list.
  init(stub: Stub) {
    pattern = stub.shownRequest
  }

  /// A text such as `POST https://api.shop.test/v1/charges`.
  var requestLine: String {
    if pattern.methods.isEmpty && location == "any URL" { return "any request" }
    let methods = pattern.methods.map(\.rawValue).joined(separator: "|")
    let method = methods.isEmpty ? "any method" : methods
    return "\(method) \(location)"
  }

  /// The other conditions, such as `query expand is "customer"`.
  var conditions: [String] {
    RequestPart.all.flatMap { part -> [String] in
      switch part.demand(of: pattern) {
      case .methods: return []
      case .value(let value):
        guard let value, part != .host || plainHost == nil else { return [] }
        return ["\(part.word) \(Phrase.of(value))"]
      case .named(let patterns): return named(patterns, part.word)
      case .bodies(let patterns): return patterns.map { "\(part.word) \(Phrase.of($0))" }
      case .other: return Phrase.of(part, pattern).map { [$0] } ?? []
      }
    }
  }

  private var location: String {
    var text = ""
    if let host = plainHost {
      text = pattern.scheme.map { "\($0)://" } ?? "*://"
      text += host + (pattern.port.map { ":\($0)" } ?? "")
    } else {
      text = pattern.scheme.map { "\($0)://*" } ?? ""
      if let port = pattern.port { text += text.isEmpty ? "*://*:\(port)" : ":\(port)" }
    }
    switch pattern.path {
    case .template(let path): return text + TerminalText.line(path)
    case .value: return text.isEmpty ? "any URL" : text + "/…"
    case nil: return text.isEmpty ? "any URL" : text + "/**"
    }
  }

  private var plainHost: String? {
    guard let host = pattern.host, host.operator == .equalTo else { return nil }
    return TerminalText.line(host.text)
  }

  private func named(_ patterns: [NamedPattern], _ word: String) -> [String] {
    patterns.map { "\(word) \(TerminalText.line($0.name)) \(Phrase.of($0.pattern))" }
  }
}

/// Patterns in words, such as `is "customer"` or `matches "Bearer .+"`.
enum Phrase {
  /// What a value must satisfy, to be read after its name.
  static func of(_ pattern: ValuePattern) -> String { pattern.phrase(.view) }

  /// What a body must satisfy, to be read after "body".
  static func of(_ pattern: BodyPattern) -> String { pattern.phrase(.view) }

  /// What a pattern asks of a part of a request by other means than patterns; nil if it asks nothing.
  static func of(_ part: RequestPart, _ pattern: RequestPattern) -> String? {
    part.phrase(of: pattern, .view)
  }
}

extension PhraseStyle {
  /// Patterns in words as views show them: whole, and safe to print.
  fileprivate static let view = PhraseStyle(
    quoted: { TerminalText.value($0) }, plain: { TerminalText.line($0) }, isPredicate: true)
}
