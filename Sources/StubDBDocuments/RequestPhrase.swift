internal import HTTPTypes
package import StubDBModel

/// A request pattern in words: the request line, and the other conditions.
package struct RequestPhrase {
  private let pattern: RequestPattern
  private let style: PhraseStyle

  package init(_ pattern: RequestPattern, _ style: PhraseStyle) {
    (self.pattern, self.style) = (pattern, style)
  }

  /// A text such as `POST https://api.shop.test/v1/charges`.
  package var line: String {
    if pattern.methods.isEmpty && location == "any URL" { return "any request" }
    let methods = pattern.methods.map(\.rawValue).joined(separator: "|")
    let method = methods.isEmpty ? "any method" : methods
    return "\(method) \(location)"
  }

  /// The other conditions, such as `query expand is "customer"`.
  package var conditions: [String] {
    RequestPart.all.flatMap { part -> [String] in
      switch part.demand(of: pattern) {
      case .methods: return []
      case .value(let value):
        guard let value, part != .host || plainHost == nil else { return [] }
        return ["\(part.word) \(value.phrase(style))"]
      case .named(let patterns): return named(patterns, part.word)
      case .bodies(let patterns): return patterns.map { "\(part.word) \($0.phrase(style))" }
      case .other: return part.phrase(of: pattern, style).map { [$0] } ?? []
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
    case .template(let path): return text + style.plain(path)
    case .value: return text.isEmpty ? "any URL" : text + "/…"
    case nil: return text.isEmpty ? "any URL" : text + "/**"
    }
  }

  private var plainHost: String? {
    guard let host = pattern.host, host.operator == .equalTo else { return nil }
    return style.plain(host.text)
  }

  private func named(_ patterns: [NamedPattern], _ word: String) -> [String] {
    patterns.map { "\(word) \(style.plain($0.name)) \($0.pattern.phrase(style))" }
  }
}

extension RequestPart {
  /// What the pattern asks of the part, in words, unless ``demand(of:)`` has patterns for it.
  func phrase(of pattern: RequestPattern, _ style: PhraseStyle) -> String? {
    switch self {
    case .queryIsExact: return pattern.queryIsExact ? "no other query parameters" : nil
    case .basicAuth:
      return pattern.basicAuth.map {
        "basic authentication as \(style.quoted($0.username))"
      }
    // They are part of the request line.
    case .scheme, .port: return nil
    case .method, .url, .host, .path, .pathParameters, .query, .headers, .cookies, .captured, .body:
      return nil
    }
  }
}
