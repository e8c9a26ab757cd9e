internal import StubDBJSON

extension DocumentObject {
  /// Reads `url`, `scheme`, `host`, `port` and `path`; parameters of the url's query come along.
  func readURL(into pattern: inout RequestPattern) throws(DocumentError) {
    pattern.scheme = try self["scheme"]?.scheme()
    pattern.host = try self["host"]?.host()
    pattern.port = try self["port"]?.integer("the port", in: 1...65_535)
    pattern.path = try self["path"]?.path()
    if let url = self["url"], case .object = url.value {
      pattern.wholeURL = try url.valuePattern()
    } else if let url = self["url"] {
      let parts = try url.urlParts()
      if let scheme = parts.scheme {
        try take(scheme, "scheme", into: &pattern.scheme)
        try take(.equalTo(parts.host ?? ""), "host", into: &pattern.host)
        if let port = pattern.port, port != parts.effectivePort { throw conflict("port") }
        pattern.port = parts.port
      }
      try take(.template(parts.path), "path", into: &pattern.path)
      pattern.query = url.patterns(of: parts.query)
    }
    if let scheme = pattern.scheme, pattern.port == URLParts.defaultPort(scheme) {
      pattern.port = nil
    }
  }

  private func take<Part: Equatable>(
    _ part: Part, _ key: String, into given: inout Part?
  ) throws(DocumentError) {
    if let given, given != part { throw conflict(key) }
    given = part
  }

  private func conflict(_ key: String) -> DocumentError {
    (self[key] ?? node).failure(
      .conflict, "\"url\" has a different \(key); say it in one place")
  }
}

extension DocumentNode {
  fileprivate func scheme() throws(DocumentError) -> String {
    let text = try string()
    guard !context.isTrusted, let rules = context.rules else { return text }
    return try rules.scheme(text, of: self)
  }

  fileprivate func host() throws(DocumentError) -> ValuePattern {
    let pattern = try valuePattern()
    guard !context.isTrusted, pattern.operator == .equalTo, let rules = context.rules else {
      return pattern
    }
    return .equalTo(try rules.host(pattern.text, of: self))
  }

  fileprivate func path() throws(DocumentError) -> PathPattern {
    switch value {
    case .string(let text):
      if context.isTrusted { return .template(text) }
      guard text.hasPrefix("/") else {
        throw failure(.invalidValue, "a path begins with \"/\"; this one is \"\(text)\"")
      }
      if text.contains("?") || text.contains("#") {
        throw failure(
          .invalidValue,
          "a path holds no \"?\" or \"#\"; write parameters under \"query\", or %3F and %23")
      }
      try checkPlaceholders(of: text)
      return .template(URLParts.canonicalTemplate(text))
    case .object:
      return .value(try valuePattern())
    default:
      throw wrongType("a path, or an operator such as {\"matches\": \"/v[0-9]+/.*\"}")
    }
  }

  package func urlParts() throws(DocumentError) -> URLParts {
    guard case .string(let text) = value else {
      throw wrongType("a URL, or an operator such as {\"matches\": \"https://[^/]+/v[0-9]+/.*\"}")
    }
    guard let parts = URLParts(template: text) else {
      throw failure(
        .invalidValue,
        "\"\(text)\" is not a URL; write https://host/path, or /path for any host")
    }
    if parts.fragment != nil {
      throw failure(.invalidValue, "a URL's fragment (\"#\") is never sent; leave it out")
    }
    if parts.userInformation != nil {
      throw failure(.invalidValue, "user information in a URL is not sent; use \"basicAuth\"")
    }
    if parts.scheme != nil, parts.host ?? "" == "" {
      throw failure(.invalidValue, "\"\(text)\" has no host; write https://host/path, or /path")
    }
    if !parts.path.hasPrefix("/") {
      throw failure(.invalidValue, "the path of \"\(text)\" does not begin with \"/\"")
    }
    try checkPlaceholders(of: text.prefix { $0 != "?" })
    return parts
  }

  /// A brace that is no placeholder is more likely a mistake than a brace that is sent.
  private func checkPlaceholders(of path: some StringProtocol) throws(DocumentError) {
    var names: [Substring] = []
    for segment in path.split(separator: "/") where segment.contains(where: \.isBrace) {
      let name = segment.dropFirst().dropLast()
      guard URLParts.isPlaceholder(segment), !name.contains(where: \.isBrace) else {
        throw failure(
          .invalidValue,
          "a placeholder is a whole segment, not \"\(segment)\"; write %7B and %7D for braces")
      }
      if name.isEmpty {
        throw failure(.invalidValue, "a placeholder needs a name, such as {id}")
      }
      guard name.allSatisfy({ $0.isLetter || $0.isNumber || "_-. ".contains($0) }) else {
        let plain = String(name).filter { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        throw failure(
          .invalidValue,
          "a placeholder is a name for one segment, not \"\(segment)\" of a URI template; write {\(plain)}, "
            + "or ** for any number of segments")
      }
      if names.contains(where: { $0 == name }) {
        throw failure(.duplicate, "the placeholder {\(name)} is in the path twice")
      }
      names.append(Substring(name))
    }
  }

  /// The parameters of a url's query: each is required, repeated names are an exact list.
  fileprivate func patterns(of query: [URLParts.QueryItem]) -> [NamedPattern] {
    var values: [String: [String]] = [:]
    for item in query { values[item.name, default: []].append(item.value) }
    return NamedPattern.sorted(
      values.map { name, values in
        let patterns = values.map { ValuePattern.equalTo($0) }
        return NamedPattern(name, patterns.count == 1 ? patterns[0] : .hasExactly(patterns))
      })
  }
}

extension Character {
  fileprivate var isBrace: Bool { self == "{" || self == "}" }
}
