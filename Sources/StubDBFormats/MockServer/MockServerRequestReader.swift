internal import Foundation
internal import HTTPTypes
internal import StubDBModel

/// Translates the `httpRequest` of an expectation.
struct MockServerRequestReader {
  let input: ImportInput
  let options: ImportOptions
  let texts: MockServerTexts

  /// - Throws: ``Untranslatable`` for a part without a counterpart, unless stubs may answer more.
  func request(_ request: SourceValue) throws -> RequestPattern {
    var pattern = RequestPattern()
    try request.translateMembers(of: "httpRequest", isLenient: options.isLenient) { name, value in
      try translate(name, value, of: request, into: &pattern)
    }
    return pattern
  }

  private func translate(
    _ name: String, _ value: SourceValue, of request: SourceValue,
    into pattern: inout RequestPattern
  ) throws {
    switch name {
    case "method": try addMethod(value, to: &pattern)
    case "path":
      let parameters = request["pathParameters"]
      let isTemplate = parameters.map { !$0.members.isEmpty || !$0.elements.isEmpty } ?? false
      pattern.path = PathPattern(try path(value, isTemplate: isTemplate))
    case "pathParameters": pattern.pathParameters = try patterns(value)
    case "queryStringParameters": pattern.query = try patterns(value)
    case "headers": try addHeaders(value, to: &pattern)
    case "cookies": pattern.cookies = try patterns(value)
    case "body":
      let reader = MockServerBodyReader(input: input, texts: texts)
      pattern.body = try reader.pattern(value).map { [$0] } ?? []
    case "secure":
      if let isSecure = value.bool { pattern.scheme = isSecure ? "https" : "http" }
    case "protocol":
      value.change(.httpVersion, "The stub answers requests of every version of HTTP")
    case "keepAlive", "socketAddress", "localAddress", "remoteAddress", "reason": value.ignore()
    default: throw Untranslatable(name)
    }
  }

  private func addHeaders(_ value: SourceValue, to pattern: inout RequestPattern) throws {
    var asked = RequestPattern()
    for named in try patterns(value) { try asked.setHeader(named.name, named.pattern) }
    // A client writes this field by itself, so a stub asks for the host in its place.
    let hosts = asked.headers.filter(\.name.isHost)
    if let field = hosts.first, Self.isRefusal(field.pattern) {
      guard hosts.count == 1, let host = Self.refusedHost(field.pattern) else {
        throw Untranslatable("the field Host", "stubs cannot refuse it")
      }
      pattern.host = .not(host)
      asked.headers.removeAll(where: \.name.isHost)
    }
    pattern.headers = asked.headers
  }

  /// Whether a pattern is about what a field must not be.
  private static func isRefusal(_ pattern: ValuePattern) -> Bool {
    [.not, .absent].contains(pattern.operator) || pattern.patterns.contains(where: isRefusal)
  }

  /// What the host must not be, where that is all that a pattern of the field asks for; nil for a host with a port, too.
  private static func refusedHost(_ pattern: ValuePattern) -> ValuePattern? {
    guard pattern.operator == .and, pattern.patterns.count == 2,
      let refused = pattern.patterns[1].refusedValue, !refused.hasColon
    else { return nil }
    return refused
  }

  private func addMethod(_ value: SourceValue, to pattern: inout RequestPattern) throws {
    guard let text = value.text ?? value["value"]?.text, !value.flag("not"), !text.hasPrefix("!")
    else { throw Untranslatable("method", "stubs cannot refuse a method") }
    if value.flag("optional") || text.hasPrefix("?") || text.isEmpty || text == ".*" { return }
    guard let methods = HTTPRequest.Method.list(text) else {
      throw Untranslatable("method", "\(text) is an expression")
    }
    pattern.methods = methods
  }

  /// A literal path, one with `{names}`, or an expression.
  ///
  /// Names represent segments only where there are patterns for them, and for themselves otherwise.
  private func path(_ value: SourceValue, isTemplate: Bool) throws -> ValuePattern {
    guard let text = value.text, !text.hasPrefix("!"), !text.hasPrefix("?") else {
      return try texts.pattern(value)
    }
    let bare = text.replacing(#/\{[^{}\/]+\}/#, with: "x")
    let hasNames = bare != text && !text.contains("\\") && !text.contains(#/\{\d/#)
    if hasNames, !isTemplate {
      value.change(.matcher, "Without pathParameters, the names in \(text) stand for themselves")
      return literalPath(text, isTemplate: false)
    }
    if !MockServerTexts.isExpression(bare) {
      _ = texts.plain(bare)
      return literalPath(text, isTemplate: isTemplate)
    }
    guard !hasNames else { throw Untranslatable("path", "\(text) is an expression with names") }
    return texts.plain(text)
  }

  private func literalPath(_ text: String, isTemplate: Bool) -> ValuePattern {
    let path = text.hasPrefix("/") ? text : "/\(text)"
    return .equalTo(
      path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
        isTemplate && URLParts.isPlaceholder(segment) ? String(segment) : URLParts.literal(segment)
      }.joined(separator: "/"))
  }

  // MARK: Names with values

  /// Patterns by name; each value of a list must be there.
  func patterns(_ value: SourceValue) throws -> [NamedPattern] {
    let isExact = value.isObject && value["keyMatchStyle"]?.text?.uppercased() == "MATCHING_KEY"
    var patterns: [NamedPattern] = []
    for (name, values) in Self.merged(try entries(value)) {
      var (name, isRefused, isOptional) = (name, false, false)
      if name.hasPrefix("!") {
        (name, isRefused) = (String(name.dropFirst()), true)
      } else if name.hasPrefix("?") {
        (name, isOptional) = (String(name.dropFirst()), true)
      }
      guard !MockServerTexts.isExpression(name) else {
        throw Untranslatable("the name \(name)", "it is an expression")
      }
      var pattern = try self.pattern(of: values, isExact: isExact)
      if isRefused {
        // Another name must have the value then, which no stub can ask for.
        guard !isExact, values.allSatisfy(MockServerTexts.isAnything) else {
          throw Untranslatable("the name !\(name)", "a value is asked for of all other names")
        }
        pattern = .absent
      }
      if isOptional { pattern = pattern.orAbsent }
      patterns[name] = patterns[name].map { .and([$0, pattern]) } ?? pattern
    }
    return patterns
  }

  /// The entries with one for each name: all values of a name are asked for, wherever they stand.
  private static func merged(
    _ entries: [(name: String, values: [SourceValue])]
  ) -> [(name: String, values: [SourceValue])] {
    var merged = OrderedGroups<String, [SourceValue]>()
    for (name, values) in entries { merged[name, default: []] += values }
    return merged.list.map { ($0.key, $0.value) }
  }

  private func pattern(of values: [SourceValue], isExact: Bool) throws -> ValuePattern {
    let patterns = try values.map(texts.pattern)
    if patterns.isEmpty { return .anyText }
    if isExact || values.count > 1 && !MockServerTexts.excludeEachOther(values) {
      // Each of several patterns needs a value of its own there.
      if values.count > 1 {
        values[0].change(.matcher, "Only a request with as many values matches")
      }
      return .hasExactly(patterns)
    }
    // One value that is not this one must be there, which no stub can ask for: none may be, and there must be some.
    if values.count == 1, MockServerTexts.isNegated(values[0]), patterns[0].operator == .not {
      return .and([.anyText, .not(.includes(patterns[0].patterns))])
    }
    return patterns.count == 1 ? patterns[0] : .includes(patterns)
  }

  /// Names with their values, in either form.
  private func entries(_ value: SourceValue) throws -> [(name: String, values: [SourceValue])] {
    func values(_ value: SourceValue?) -> [SourceValue] {
      guard let value else { return [] }
      if value.isArray { return value.elements }
      if let inner = value["values"] {
        value.ignore("parameterStyle")
        return inner.elements
      }
      return [value]
    }
    if value.isArray {
      return try value.elements.map { entry in
        guard let name = entry.text("name") else { throw Untranslatable("an entry without a name") }
        return (name, values(entry.first(of: "values", "value")))
      }
    }
    guard value.isObject else { throw Untranslatable("its values", "they are \(value.typeName)") }
    return value.members.filter { $0.name != "keyMatchStyle" }.map { ($0.name, values($0.value)) }
  }
}

extension ValuePattern {
  /// The pattern of which no value may be, if there is one and nothing else is asked for.
  fileprivate var refusedValue: ValuePattern? {
    guard self.operator == .not, patterns[0].operator == .includes, patterns[0].patterns.count == 1
    else { return nil }
    return patterns[0].patterns[0]
  }

  /// Whether a colon is in any text of the pattern, but for those that open a group.
  fileprivate var hasColon: Bool {
    text.replacing("(?:", with: "").contains(":") || patterns.contains(where: \.hasColon)
  }
}
