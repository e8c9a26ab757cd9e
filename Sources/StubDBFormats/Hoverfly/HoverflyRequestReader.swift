internal import Foundation
internal import HTTPTypes
internal import StubDBModel

/// Translates the request of a pair.
struct HoverflyRequestReader {
  let version: Int
  let isLenient: Bool
  /// How strongly the request matches.
  private(set) var score = 0

  /// - Throws: ``Untranslatable`` for a part without a counterpart, unless stubs may answer more.
  mutating func request(_ request: SourceValue) throws -> RequestPattern {
    var pattern = RequestPattern()
    let isRecording = version > 1 || request.text("requestType") == "recording"
    request.ignore("requestType")
    try request.translateMembers(of: "request", isLenient: isLenient) { name, value in
      try translate(name, value, isRecording: isRecording, into: &pattern)
    }
    StubTranslation.refuseOtherPorts(in: &pattern)
    return pattern
  }

  private mutating func translate(
    _ name: String, _ value: SourceValue, isRecording: Bool, into pattern: inout RequestPattern
  ) throws {
    switch name {
    case "method", "scheme", "destination", "path":
      for matcher in try matchers(value, isGlob: !isRecording) where !matcher.isAnything {
        switch name {
        case "method": try addMethods(matcher, to: &pattern)
        case "scheme": try addScheme(matcher, to: &pattern)
        case "destination": try addDestination(matcher, to: &pattern)
        default: try addPath(matcher, to: &pattern)
        }
      }
    case "body":
      pattern.body = try matchers(value, isGlob: !isRecording).map { try $0.body() }
    case "query" where version == 5:
      for named in try named(value, in: .query) { pattern.query[named.name] = named.pattern }
      if value.members.isEmpty { pattern.queryIsExact = true }
    case "query", "deprecatedQuery":
      for matcher in try matchers(value, isGlob: !isRecording) where !matcher.isAnything {
        try addQuery(matcher, to: &pattern)
      }
    case "headers" where version == 1 && isRecording: value.ignore()
    case "headers", "headersWithMatchers":
      for named in try named(value, in: .headers) {
        try pattern.setHeader(named.name, named.pattern)
      }
    case "queriesWithMatchers":
      for named in try named(value, in: .query) { pattern.query[named.name] = named.pattern }
    // The state is read elsewhere, and what is not known stays unread.
    default: break
    }
  }

  private mutating func matchers(
    _ value: SourceValue, isGlob: Bool = false
  ) throws -> [HoverflyMatcher] {
    let matchers = try HoverflyMatcher.list(value, isGlob: isGlob)
    score += matchers.reduce(0) { $0 + ($1.kind == .exact ? 2 : 1) }
    return matchers
  }

  private mutating func named(
    _ value: SourceValue, in part: HoverflyMatcher.Part
  ) throws -> [NamedPattern] {
    guard value.isObject else { throw Untranslatable("\(part)", "they are \(value.typeName)") }
    return try value.members.compactMap { name, value in
      if value.isArray, value.elements.allSatisfy(\.isString) {
        // The values of version 4 and before.
        let texts = value.elements.compactMap { $0.text.map { ValuePattern.equalTo($0) } }
        score += 2
        let isOne = texts.count == 1 && part != .query
        return NamedPattern(name, isOne ? texts[0] : .hasExactly(texts))
      }
      let patterns = try matchers(value).map { try $0.pattern(in: part) }
      return patterns.isEmpty ? nil : NamedPattern(name, .all(patterns))
    }
  }

  // MARK: Parts of the URL

  /// A method, or a regular expression that lists several.
  private func addMethods(_ matcher: HoverflyMatcher, to pattern: inout RequestPattern) throws {
    let text = matcher.text
    if matcher.kind == .exact, text.isEmpty { return }
    let isList = matcher.kind == .regex || matcher.kind == .exact && !text.contains("|")
    guard isList, pattern.methods.isEmpty, let methods = HTTPRequest.Method.list(text) else {
      throw Untranslatable("method", "\(matcher.kind) \(text)")
    }
    pattern.methods = methods
  }

  private func addScheme(_ matcher: HoverflyMatcher, to pattern: inout RequestPattern) throws {
    switch (matcher.kind, matcher.text) {
    case (.exact, ""), (.glob, "http*"), (.regex, "https?"), (.regex, ".*"): return
    case (.exact, let text):
      guard pattern.scheme == nil else {
        throw Untranslatable("several matchers of the scheme")
      }
      pattern.scheme = text.lowercased()
    case (let kind, let text): throw Untranslatable("scheme", "\(kind) \(text)")
    }
  }

  private func addPath(_ matcher: HoverflyMatcher, to pattern: inout RequestPattern) throws {
    let value = try matcher.pattern()
    guard pattern.path == nil else { throw Untranslatable("several matchers of the path") }
    pattern.path = value.literal.map { .template(URLParts.literal($0)) } ?? .value(value)
  }

  /// A host, with a port after a colon.
  private func addDestination(
    _ matcher: HoverflyMatcher, to pattern: inout RequestPattern
  ) throws {
    let parts = matcher.text.split(separator: ":", omittingEmptySubsequences: false)
    guard pattern.host == nil, pattern.wholeURL == nil else {
      throw Untranslatable("several matchers of the destination")
    }
    if matcher.text.isEmpty { return }
    var host = matcher
    if parts.count == 2, let port = Int(parts[1]) {
      pattern.port = port
      // The port ends the host.
      host.text = String(parts[0]) + (host.kind == .regex ? "$" : "")
      if host.isAnything { return }
    } else if parts.count > 1 {
      throw Untranslatable("destination", "\(matcher.kind) \(matcher.text)")
    }
    pattern.host = try host.pattern()
  }

  /// The whole query as a text, in versions before 5.
  private func addQuery(_ matcher: HoverflyMatcher, to pattern: inout RequestPattern) throws {
    guard matcher.kind == .exact || matcher.kind == .glob && !matcher.text.contains("*") else {
      throw Untranslatable("query", "\(matcher.kind) \(matcher.text)")
    }
    pattern.queryIsExact = true
    let items = URLParts.queryItems(matcher.text[...]).filter { !$0.name.isEmpty }
    guard !items.isEmpty else { return }
    pattern.query = NamedValues(items.map { ($0.name, $0.value) }).values.map { name, values in
      NamedPattern(name, .hasExactly(values.map { .equalTo($0) }))
    }
  }
}
