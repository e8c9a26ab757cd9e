internal import Foundation
internal import HTTPTypes
internal import StubDBJSON
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
    try translate(request["method"]) {
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
    try translate(body) { try applyBody(body, headers, to: &pattern) }
    return pattern
  }

  /// Translates a part; in a lenient import, the stub matches without one that has no counterpart.
  private func translate(_ part: SourceValue?, _ translate: () throws -> Void) throws {
    do {
      try translate()
    } catch let error as Untranslatable where isLenient {
      part?.drop(.matcher, "\(error.name) has no counterpart; the stub matches without it")
    }
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
    let base = filled.text.contains("://") ? filled.text : "\(scheme ?? "https")://\(filled.text)"
    guard let parts = URLParts(base), let host = parts.host else {
      source.add(.changed, .variable, "The host cannot be read; any host matches")
      return ""
    }
    pattern.scheme = scheme == nil && !filled.text.contains("://") ? nil : parts.scheme
    pattern.host = .equalTo(host)
    pattern.port = port.flatMap { Int(variables.fill($0).text) } ?? parts.port
    let path = RequestReader.literalTemplate(parts.path)
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
          return URLParts.canonicalPath(value)
        }
        return placeholder(name)
      }
      let open = PostmanVariables.names(in: String(segment))
      if let name = open.first {
        source.add(.changed, .variable, "{{\(name)}} has no value; any value matches in its place")
        return placeholder(name)
      }
      return RequestReader.literalTemplate(URLParts.canonicalPath(segment))
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

  // MARK: Content

  private func applyBody(
    _ value: SourceValue?, _ headers: RecordedHeaders, to pattern: inout RequestPattern
  ) throws {
    guard let value, !value.isNull, value["disabled"]?.bool != true else {
      value?.ignore()
      return
    }
    let language = value["options"]?["raw"]?["language"]?.peekedText
    value.ignore("options")
    var body = RecordedBody.none
    var type = headers["Content-Type"]
    let mode = value.text("mode") ?? "none"
    let content = value[mode] ?? value["content"]
    switch mode {
    case "raw":
      let filled = variables.fill(content?.text ?? "")
      if language == "json", type == nil { type = "application/json" }
      if !filled.open.isEmpty {
        pattern.body = [try json(with: filled)]
        return
      }
      body = .text(filled.text)
    case "urlencoded": body = .form(fields(content))
    case "formdata": body = .multipart(parts(content))
    case "graphql": body = .text(try graphQL(content))
    case "file":
      content?.ignore()
      source.add(.changed, .noRequestBody, "The content is a file; any content matches")
    case "none": break
    default: throw Untranslatable("a content of the mode \(mode)")
    }
    if [.form([]), .multipart([])].contains(body) { body = .none }
    let own = value[mode] == nil ? "content" : mode
    value.ignoreUnread { Self.modes.contains($0) && $0 != own }
    switch RequestBodyPattern().pattern(for: body, contentType: type) {
    case .pattern(let found, _): pattern.body = [found]
    case .unmatched(let reason): throw Untranslatable("its content", reason)
    case .none: break
    }
  }

  /// What Postman keeps beside the content that it sends.
  private static let modes: Set<String> = [
    "raw", "urlencoded", "formdata", "graphql", "file", "content",
  ]

  private static func isDisabled(_ entry: SourceValue) -> Bool {
    entry["disabled"]?.bool == true || entry["enabled"]?.bool == false
  }

  /// Ignores what an entry of a list has beside its name and its value; all of one that is disabled.
  private static func settle(_ entry: SourceValue) {
    if isDisabled(entry) { entry.ignoreUnread() }
    entry.ignoreUnread {
      ["description", "type", "contentType", "uuid", "id", "fileName", "warning"].contains($0)
        || $0.hasPrefix("_")
    }
  }

  /// JSON in which variables without a value stand for any value.
  private func json(with filled: PostmanVariables.Filled) throws -> BodyPattern {
    var text = filled.text
    for name in filled.open {
      text = text.replacingOccurrences(of: "\"{{\(name)}}\"", with: "\"${json-unit.ignore}\"")
      text = text.replacingOccurrences(of: "{{\(name)}}", with: "\"${json-unit.ignore}\"")
    }
    guard let json = try? JSONValue(parsing: text), json.isContainer else {
      throw Untranslatable("a content with {{\(filled.open[0])}}")
    }
    source.add(
      .changed, .variable, "{{\(filled.open[0])}} has no value; any value matches in its place")
    return .equalToJSON(json)
  }

  private func fields(_ list: SourceValue?) -> [RecordedHeaders.Field] {
    (list?.elements ?? []).compactMap { field in
      defer { Self.settle(field) }
      guard !Self.isDisabled(field), let name = field.text("key") else { return nil }
      let filled = variables.fill(field["value"]?.text ?? "")
      guard filled.open.isEmpty else {
        source.add(
          .changed, .variable, "{{\(filled.open[0])}} has no value; the field \(name) is free")
        return nil
      }
      return RecordedHeaders.Field(name, filled.text)
    }
  }

  private func parts(_ list: SourceValue?) -> [RecordedBody.Part] {
    (list?.elements ?? []).compactMap { part in
      defer { Self.settle(part) }
      guard !Self.isDisabled(part), let name = part.text("key") else { return nil }
      if part.text("type") == "file" {
        let path = part["src"]?.text ?? part["src"]?.elements.first?.text
        source.add(
          .changed, .noRequestBody, "The content of the part \(name) is a file; any content matches"
        )
        return RecordedBody.Part(
          name: name, filename: path.map { ($0 as NSString).lastPathComponent })
      }
      let filled = variables.fill(part["value"]?.text ?? "")
      if let open = filled.open.first {
        source.add(.changed, .variable, "{{\(open)}} has no value; the part \(name) is free")
      }
      return RecordedBody.Part(
        name: name, contentType: part.text("contentType"),
        content: filled.open.isEmpty ? Data(filled.text.utf8) : nil)
    }
  }

  private func graphQL(_ value: SourceValue?) throws -> String {
    var operation: [String: JSONValue] = ["query": .string(value?.text("query") ?? "")]
    if let name = value?.text("operationName") { operation["operationName"] = .string(name) }
    if let text = value?["variables"]?.text {
      let filled = variables.fill(text).text
      if !filled.allSatisfy(\.isWhitespace) {
        guard let json = try? JSONValue(parsing: filled) else {
          throw Untranslatable("the variables of its query", "they are not JSON")
        }
        operation["variables"] = json
      }
    } else if let variables = value?["variables"], variables.isObject {
      operation["variables"] = variables.json
    }
    return JSONValue.object(operation).canonicalText
  }
}

extension SourceValue {
  /// A whole number, without recording that it was read.
  var peekedInteger: Int? { peekedText.flatMap { Int($0) } }
}
