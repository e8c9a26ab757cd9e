internal import Foundation
internal import HTTPTypes
internal import StubDBEngine
internal import StubDBModel
internal import StubDBSupport

/// Makes a request that satisfies a pattern.
struct ExampleMaker {
  let pattern: RequestPattern
  let options: ExportOptions
  /// A part for which nothing was found.
  struct Problem {
    var part: RequestPart
    /// The member of the part; nil for all of it.
    var name: String?
    var text: String
  }

  /// The parts for which nothing was found.
  private(set) var problems: [Problem] = []
  /// Whether the example satisfies the patterns of the body.
  private(set) var hasContent = true

  /// The example, with a line for every part that it does not satisfy; nil without a URL.
  mutating func example() -> RequestExample? {
    guard var example = located() else { return nil }
    for header in pattern.headers {
      guard let values = values(for: header.named, part: .headers, where: \.isFieldValue) else {
        continue
      }
      for value in values {
        example.headers.append(HTTPField(name: header.name, value: value))
      }
    }
    var cookies: [String] = []
    for cookie in pattern.cookies {
      guard let values = values(for: cookie, part: .cookies) else { continue }
      cookies += values.map { "\(cookie.name)=\($0)" }
    }
    // Set by name, it would become a field for each cookie, and clients send one.
    if !cookies.isEmpty {
      example.headers.append(HTTPField(name: .cookie, value: cookies.joined(separator: "; ")))
    }
    if let credentials = pattern.basicAuth {
      let text = "\(credentials.username):\(credentials.password)"
      example.headers[.authorization] = "Basic " + Data(text.utf8).base64EncodedString()
    }
    addContent(to: &example)
    if pattern.methods.isEmpty {
      example.method = example.body.isEmpty ? "GET" : "POST"
    } else {
      example.method = pattern.methods[0].rawValue
    }
    check(example)
    return example
  }

  private mutating func addContent(to example: inout RequestExample) {
    guard let content = ExampleContent.content(for: pattern.body) else {
      problems.append(
        Problem(
          part: .body, text: "No content was found that satisfies this; the example has none"))
      hasContent = false
      return
    }
    example.content = content
    example.body = content.bytes
    if example.headers[.contentType] == nil { example.headers[.contentType] = content.mediaType }
  }

  private mutating func values(
    for named: NamedPattern, part: RequestPart, where isUsable: (String) -> Bool = { _ in true }
  ) -> [String]? {
    if let values = ExampleValues.values(for: named.pattern, where: isUsable) { return values }
    problems.append(
      Problem(
        part: part, name: named.name,
        text: "No value was found that satisfies this; the example has none"))
    return nil
  }

  /// Says what is wrong with an example that the matcher does not accept as a whole.
  private mutating func check(_ example: RequestExample) {
    guard problems.isEmpty, !ExportedRun.matches(example.request, pattern) else { return }
    for part in [RequestPart.body, .headers, .cookies, .query] where problems.isEmpty {
      var rest = pattern
      switch part {
      case .body: rest.body = []
      case .headers: rest.headers = []
      case .cookies: rest.cookies = []
      default: (rest.query, rest.queryIsExact) = ([], false)
      }
      if ExportedRun.matches(example.request, rest) {
        problems.append(Problem(part: part, text: "The example does not satisfy this"))
        if part == .body { hasContent = false }
      }
    }
  }
}

extension String {
  /// Whether a header field can have the value, with no space at its ends.
  fileprivate var isFieldValue: Bool {
    HTTPField.isValidValue(self) && first?.isWhitespace != true && last?.isWhitespace != true
  }
}

// MARK: - URL

extension ExampleMaker {
  /// The example with its URL; nil if none was found.
  private mutating func located() -> RequestExample? {
    guard let whole = pattern.wholeURL else { return locatedByParts() }
    if pattern.host != nil || pattern.path != nil {
      // What the parts say is more than a pattern of the whole URL does, which may be about the port only.
      let before = problems
      if let example = locatedByParts() { return example }
      problems = before
    }
    var example = RequestExample(method: "GET", url: "")
    for url in urls(for: whole) {
      example.url = url
      if isAnswered(example) { return example }
    }
    return nil
  }

  /// The example whose URL is made of the patterns of its parts.
  private mutating func locatedByParts() -> RequestExample? {
    var example = RequestExample(method: "GET", url: "")
    guard let path = path(&example), let host = host(&example) else { return nil }
    var items: [String] = []
    for parameter in pattern.query {
      guard let values = values(for: parameter, part: .query) else { continue }
      items += values.map {
        URLParts.QueryItem(name: parameter.name, value: $0).description
      }
    }
    example.url = host + path + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    return isAnswered(example) ? example : nil
  }

  /// URLs to try for a pattern of the whole URL: one that can be asked, with a server where the pattern leaves it open.
  private func urls(for whole: ValuePattern) -> [String] {
    let askable = ExampleValues.value(for: whole) { text in
      guard let url = URLParts(text), let host = url.host else { return false }
      return ["http", "https"].contains(url.scheme ?? "") && !host.isEmpty
    }
    if let askable { return [askable] }
    let texts =
      whole.operator == .matches
      ? ExamplePattern.texts(whole.text) : [ExampleValues.value(for: whole)].compactMap(\.self)
    let server = options.server.flatMap { URLParts($0) }
    let port = server?.port.map { ":\($0)" } ?? ""
    let start = "\(server?.scheme ?? "https")://\(server?.host ?? "any.test")\(port)"
    return texts.map { text in
      var path = text[...]
      if let scheme = text.range(of: "://") {
        let rest = text[scheme.upperBound...]
        path = rest.firstIndex { "/?".contains($0) }.map { rest[$0...] } ?? ""
      }
      return start + (path.hasPrefix("/") ? "" : "/") + path
    }
  }

  /// Whether the place of the URL satisfies the pattern; the query may have problems of its own.
  private func isAnswered(_ example: RequestExample) -> Bool {
    var place = pattern
    (place.methods, place.query, place.queryIsExact) = ([], [], false)
    (place.headers, place.cookies, place.basicAuth, place.body) = ([], [], nil, [])
    return ExportedRun.matches(StubRequest(url: example.url), place)
  }

  private func host(_ example: inout RequestExample) -> String? {
    var server = options.server.flatMap { URLParts($0) } ?? URLParts("https://any.test")
    example.isAnyHost = pattern.host == nil
    if let host = pattern.host {
      let isHost = { (text: String) in URLParts("http://\(text)/")?.host == text.lowercased() }
      guard let name = ExampleValues.value(for: host, where: isHost) else { return nil }
      server?.host = name
      server?.port = nil
      server?.scheme = "https"
    }
    if let scheme = pattern.scheme { server?.scheme = scheme }
    if let port = pattern.port { server?.port = port }
    guard let scheme = server?.scheme, let host = server?.host else { return nil }
    let port = server?.port.flatMap { $0 == URLParts.defaultPort(scheme) ? nil : ":\($0)" }
    return "\(scheme)://\(host)\(port ?? "")"
  }

  private func path(_ example: inout RequestExample) -> String? {
    switch pattern.path {
    case nil: return "/"
    case .value(let value):
      return ExampleValues.value(for: value) {
        $0.hasPrefix("/") && !$0.contains("?") && !$0.contains("#")
      }.map { URLParts.canonicalPath($0) }
    case .template(let template):
      example.pathTemplate = template
      var segments: [String] = []
      for segment in template.split(separator: "/", omittingEmptySubsequences: false) {
        if segment == "**" {
          segments.append("any")
        } else if URLParts.isPlaceholder(segment) {
          let name = String(segment.dropFirst().dropLast())
          guard let value = parameter(name) else { return nil }
          example.pathParameters.append(.init(name: name, value: value))
          segments.append(Self.encodedSegment(value))
        } else {
          segments.append(String(segment))
        }
      }
      return segments.joined(separator: "/")
    }
  }

  private func parameter(_ name: String) -> String? {
    let patterns = pattern.pathParameters.filter { $0.name == name }.map(\.pattern)
    if patterns.isEmpty { return "1" }
    return ExampleValues.value(for: patterns.count == 1 ? patterns[0] : .and(patterns)) {
      !$0.isEmpty && $0 != "." && $0 != ".."
    }
  }

  /// A text as the segment of a path.
  static func encodedSegment(_ text: String) -> String {
    text.utf8.percentEncoded { $0.isUnreserved || "!$&'()*+,;=:@".utf8.contains($0) }
  }
}
