import StubDBModel

/// A request pattern as text: the request line, then a line for each condition.
struct RequestView {
  let pattern: RequestPattern

  /// A text such as `POST https://api.shop.test/v1/charges`.
  var requestLine: String {
    if pattern.methods.isEmpty && location == "any URL" { return "any request" }
    let method = pattern.methods.isEmpty ? "any method" : pattern.methods.joined(separator: "|")
    return "\(method) \(location)"
  }

  /// The other conditions, such as `query expand is "customer"`.
  var conditions: [String] {
    var conditions: [String] = []
    if let host = pattern.host, plainHost == nil { conditions.append("host \(Phrase.of(host))") }
    if let url = pattern.wholeURL { conditions.append("url \(Phrase.of(url))") }
    if case .value(let path) = pattern.path { conditions.append("path \(Phrase.of(path))") }
    conditions += named(pattern.pathParameters, "path parameter")
    conditions += named(pattern.query, "query")
    if pattern.queryIsExact { conditions.append("no other query parameters") }
    conditions += named(pattern.headers, "header")
    conditions += named(pattern.cookies, "cookie")
    conditions += named(pattern.captured, "captured")
    if let credentials = pattern.basicAuth {
      conditions.append("basic authentication as \(Printable.value(credentials.username))")
    }
    return conditions + pattern.body.map { "body \(Phrase.of($0))" }
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
    case .template(let path): return text + Printable.line(path)
    case .value: return text.isEmpty ? "any URL" : text + "/…"
    case nil: return text.isEmpty ? "any URL" : text + "/**"
    }
  }

  private var plainHost: String? {
    guard let host = pattern.host, host.operator == .equalTo else { return nil }
    return Printable.line(host.text)
  }

  private func named(_ patterns: [NamedPattern], _ word: String) -> [String] {
    patterns.map { "\(word) \(Printable.line($0.name)) \(Phrase.of($0.pattern))" }
  }
}
