internal import Foundation
internal import HTTPTypes
internal import StubDBModel

/// Makes the pattern of a request of a collection.
struct PostmanRequestReader {
  let variables: PostmanVariables
  let source: ReportSource
  let isLenient: Bool

  /// - Throws: ``Untranslatable`` for a content with variables in places where any value cannot be said, unless stubs
  /// may answer more than the example.
  func pattern(_ request: SourceValue) throws -> RequestPattern {
    var pattern = RequestPattern()
    if let url = request.text {
      pattern.methods = [.get]
      try apply(url: url, to: &pattern)
      return pattern
    }
    try (request["method"] ?? request).translate(isLenient: isLenient) {
      let method = request.text("method") ?? "GET"
      guard let parsed = HTTPRequest.Method(method.uppercased()) else {
        throw Untranslatable("the method \(method)")
      }
      pattern.methods = [parsed]
    }
    request.ignore("auth", "description", "proxy", "certificate", "name")
    try applyURL(request["url"], to: &pattern)
    let headers = PostmanHeaders.fields(request["header"], variables)
    // The first drafts of version 2 have another name for it.
    let body = request["body"] ?? request["data"]
    try (body ?? request).translate(isLenient: isLenient) {
      try applyBody(body, headers, to: &pattern)
    }
    return pattern
  }

  // MARK: URL

  private func applyURL(_ value: SourceValue?, to pattern: inout RequestPattern) throws {
    guard let value, !value.isNull else { throw Untranslatable("its URL") }
    if let text = value.text { return try apply(url: text, to: &pattern) }
    let values = PostmanVariables.values(of: value["variable"])
    value.ignore("hash", "raw")
    guard value["path"] != nil || value["host"] != nil else {
      // The whole URL has them all.
      value.ignore("query", "protocol", "port")
      return try apply(url: value["raw"]?.peekedText ?? "", to: &pattern)
    }
    let host = Self.joined(value["host"], with: ".")
    let path = "/" + Self.joined(value["path"], with: "/")
    let scheme = value.text("protocol")
    let base = applyHost(host, scheme: scheme, port: value.text("port"), to: &pattern)
    pattern.path = .template(base + self.path(path, values))
    var query: [(String, String?)] = []
    for parameter in value.list("query") {
      if !Self.isDisabled(parameter), let name = parameter.text("key") {
        // Postman sends what is encoded already as it is.
        let value = parameter["value"]?.text
        query.append(
          (name.removingPercentEncoding ?? name, value?.removingPercentEncoding ?? value))
      }
      Self.settle(parameter)
    }
    pattern.query = self.query(query)
  }

  /// A list of texts, or of objects with a value.
  private static func joined(_ value: SourceValue?, with separator: String) -> String {
    guard let value else { return "" }
    if let text = value.text { return text }
    return value.elements.map { element in
      element.ignore("type")
      return element.text ?? element.text("value") ?? ""
    }.joined(separator: separator)
  }

  private func apply(url: String, to pattern: inout RequestPattern) throws {
    var rest = variables.fill(url).text[...]
    var queryText = ""
    if let mark = rest.firstIndex(of: "?") {
      queryText = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    var scheme: String?
    if let separator = rest.range(of: "://") {
      scheme = String(rest[..<separator.lowerBound])
      rest = rest[separator.upperBound...]
    }
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    let base = applyHost(String(rest[..<slash]), scheme: scheme, port: nil, to: &pattern)
    pattern.path = .template(
      base + path(slash == rest.endIndex ? "/" : String(rest[slash...]), [:]))
    pattern.query = query(
      queryText.split(separator: "&").map { item in
        let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (
          String(parts[0]).removingPercentEncoding ?? String(parts[0]),
          parts.count > 1 ? String(parts[1]).removingPercentEncoding ?? String(parts[1]) : nil
        )
      })
  }

  /// Sets scheme, host and port, and gives the base path: the value of a variable may be a whole base URL.
  private func applyHost(
    _ text: String, scheme: String?, port: String?, to pattern: inout RequestPattern
  ) -> String {
    let filled = variables.fill(text)
    guard filled.open.isEmpty, !filled.text.isEmpty else {
      if let name = filled.open.first {
        source.add(.changed, .variable, "{{\(name)}} has no value; any host matches")
      }
      return ""
    }
    if filled.text.hasPrefix("/") {
      source.add(.changed, .variable, "The URL has no host; any host matches")
      return Self.basePath(URLParts.canonicalPath(filled.text))
    }
    let base = filled.text.contains("://") ? filled.text : "\(scheme ?? "https")://\(filled.text)"
    guard let parts = URLParts(base), let host = parts.host, !host.isEmpty else {
      source.add(.changed, .variable, "The host cannot be read; any host matches")
      return ""
    }
    pattern.scheme = scheme == nil && !filled.text.contains("://") ? nil : parts.scheme
    pattern.host = .equalTo(host)
    pattern.port = port.flatMap { Int(variables.fill($0).text) } ?? parts.port
    return Self.basePath(parts.path)
  }

  /// A path that others follow.
  private static func basePath(_ path: String) -> String {
    let path = URLParts.literalTemplate(path)
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// A path whose variables are placeholders where they have no value.
  private func path(_ text: String, _ values: [String: String]) -> String {
    let segments = variables.fill(text).text.split(separator: "/", omittingEmptySubsequences: false)
    var names = UniqueNames(limit: 60)
    func placeholder(_ name: String) -> String {
      let plain = name.filter { $0.isLetter || $0.isNumber || $0 == "_" }
      return "{\(names.unique(plain.isEmpty ? "value" : plain))}"
    }
    return segments.map { segment in
      if segment.hasPrefix(":"), segment.count > 1 {
        let name = String(segment.dropFirst())
        if let value = values[name], !value.isEmpty, !value.contains("{{") {
          return URLParts.literal(value)
        }
        return placeholder(name)
      }
      let open = PostmanVariables.names(in: String(segment))
      if let name = open.first {
        source.add(.changed, .variable, "{{\(name)}} has no value; any value matches in its place")
        return placeholder(name)
      }
      return URLParts.literal(segment)
    }.joined(separator: "/")
  }

  private func query(_ items: [(String, String?)]) -> [NamedPattern] {
    var pairs: [(String, String)] = []
    for (name, value) in items where !name.isEmpty {
      let filled = variables.fill(value ?? "")
      if let open = filled.open.first {
        source.add(.changed, .variable, "{{\(open)}} has no value; the parameter \(name) is free")
      } else {
        pairs.append((variables.fill(name).text, filled.text))
      }
    }
    return NamedValues(pairs).values.map { NamedPattern($0.name, .exactly($0.values)) }
  }

  /// Whether an entry of a list is one that Postman does not send.
  static func isDisabled(_ entry: SourceValue) -> Bool {
    entry["disabled"]?.bool == true || entry["enabled"]?.bool == false
  }

  /// Ignores what an entry of a list has beside its name and its value; all of one that is disabled.
  static func settle(_ entry: SourceValue) {
    if isDisabled(entry) { entry.ignoreUnread() }
    entry.ignoreUnread {
      ["description", "type", "contentType", "uuid", "id", "fileName", "warning"].contains($0)
        || $0.hasPrefix("_")
    }
  }
}

extension SourceValue {
  /// A whole number, without recording that it was read.
  var peekedInteger: Int? { peekedText.flatMap { Int($0) } }
}
