internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// Translates the request of a pair.
struct HoverflyRequestReader {
  let version: Int
  let isLenient: Bool
  /// How strongly the request matches.
  private(set) var score = 0

  init(version: Int, isLenient: Bool) {
    self.version = version
    self.isLenient = isLenient
  }

  /// - Throws: ``Untranslatable`` for a part without a counterpart, unless stubs may answer more.
  mutating func request(_ request: SourceValue) throws -> [String: JSONValue] {
    guard request.isObject else { throw Untranslatable("request", "it is \(request.typeName)") }
    var document: [String: JSONValue] = [:]
    let isRecording = version > 1 || request.text("requestType") == "recording"
    request.ignore("requestType")
    for member in request.members {
      guard !member.value.isNull else {
        member.value.ignore()
        continue
      }
      do {
        try translate(member.name, member.value, isRecording: isRecording, into: &document)
      } catch let error as Untranslatable where isLenient {
        member.value.drop(.matcher, "\(error.name) has no counterpart; the stub matches without it")
      }
    }
    StubTranslation.refuseOtherPorts(in: &document)
    return document
  }

  private mutating func translate(
    _ name: String, _ value: SourceValue, isRecording: Bool,
    into document: inout [String: JSONValue]
  ) throws {
    switch name {
    case "method", "scheme", "destination", "path":
      let matchers = try self.matchers(value, isGlob: !isRecording)
      for matcher in matchers { try add(name, matcher, to: &document) }
    case "body":
      let patterns = try matchers(value, isGlob: !isRecording).map {
        try HoverflyMatchers.body($0)
      }
      if !patterns.isEmpty { document["body"] = .array(patterns) }
    case "query", "deprecatedQuery":
      if version == 5, name == "query" {
        try addNamed(value, to: &document, "query")
        if value.members.isEmpty { document["queryIsExact"] = true }
      } else {
        for matcher in try matchers(value, isGlob: !isRecording) {
          try addQuery(matcher, to: &document)
        }
      }
    case "headers" where version == 1 && isRecording: value.ignore()
    case "headers", "headersWithMatchers", "queriesWithMatchers":
      try addNamed(value, to: &document, name == "queriesWithMatchers" ? "query" : "headers")
    // The state is read elsewhere, and what is not known stays unread.
    default: break
    }
  }

  /// The matchers of a field: a list, an object by kind, or a text.
  private mutating func matchers(
    _ value: SourceValue, isGlob: Bool = false
  ) throws -> [HoverflyMatchers.Matcher] {
    let matchers = try HoverflyMatchers.list(value, isGlob: isGlob)
    score += matchers.reduce(0) { $0 + ($1.kind == "exact" ? 2 : 1) }
    return matchers
  }

  private mutating func addNamed(
    _ value: SourceValue, to document: inout [String: JSONValue], _ part: String
  ) throws {
    guard value.isObject else { throw Untranslatable(part, "they are \(value.typeName)") }
    var members: [String: JSONValue] = [:]
    if case .object(let before) = document[part] { members = before }
    for member in value.members {
      let patterns: [JSONValue]
      if member.value.isArray, member.value.elements.allSatisfy(\.isString) {
        // The values of version 4 and before.
        let texts = member.value.elements.compactMap(\.text)
        score += 2
        let isOne = texts.count == 1 && part != "query"
        patterns = [isOne ? .string(texts[0]) : .array(texts.map(JSONValue.string))]
      } else {
        patterns = try matchers(member.value).map {
          try HoverflyMatchers.named($0, in: part)
        }
      }
      guard !patterns.isEmpty else { continue }
      members[member.name] = patterns.count == 1 ? patterns[0] : .object(["and": .array(patterns)])
    }
    if !members.isEmpty { document[part] = .object(members) }
  }

  // MARK: Parts of the URL

  private func add(
    _ name: String, _ matcher: HoverflyMatchers.Matcher, to document: inout [String: JSONValue]
  ) throws {
    let text = matcher.text
    if matcher.kind == "glob", text == "*" { return }
    switch name {
    case "method": try addMethods(matcher, to: &document)
    case "scheme":
      switch (matcher.kind, text) {
      case ("exact", ""), ("glob", "http*"), ("regex", "https?"), ("regex", ".*"): return
      case ("exact", _):
        guard document["scheme"] == nil else {
          throw Untranslatable("several matchers of the scheme")
        }
        document["scheme"] = .string(text.lowercased())
      default: throw Untranslatable("scheme", "\(matcher.kind) \(text)")
      }
    case "destination": try addDestination(matcher, to: &document)
    default:
      var pattern = try HoverflyMatchers.value(matcher)
      if case .string(let path) = pattern {
        pattern = .string(URLParts.literalTemplate(URLParts.canonicalPath(path)))
      }
      guard document["path"] == nil else {
        throw Untranslatable("several matchers of the path")
      }
      document["path"] = pattern
    }
  }

  /// A method, or a regular expression that lists several.
  private func addMethods(
    _ matcher: HoverflyMatchers.Matcher, to document: inout [String: JSONValue]
  ) throws {
    let text = matcher.text
    if matcher.kind == "exact", text.isEmpty { return }
    let names =
      matcher.kind == "regex"
      ? text.split(separator: "|").map { $0.uppercased() } : [text.uppercased()]
    let isPlain =
      ["exact", "regex"].contains(matcher.kind)
      && names.allSatisfy { $0.allSatisfy { $0.isLetter && $0.isASCII } }
    guard isPlain, !names.isEmpty, document["method"] == nil else {
      throw Untranslatable("method", "\(matcher.kind) \(text)")
    }
    document["method"] =
      names.count == 1 ? .string(names[0]) : .array(names.map(JSONValue.string))
  }

  /// A host, with a port after a colon.
  private func addDestination(
    _ matcher: HoverflyMatchers.Matcher, to document: inout [String: JSONValue]
  ) throws {
    let parts = matcher.text.split(separator: ":", omittingEmptySubsequences: false)
    guard document["host"] == nil, document["url"] == nil else {
      throw Untranslatable("several matchers of the destination")
    }
    if matcher.text.isEmpty { return }
    if parts.count == 2, let port = Int(parts[1]) {
      document["port"] = .number(JSONNumber(port))
      var host = matcher
      // The port ends the host.
      host.text = String(parts[0]) + (host.kind == "regex" ? "$" : "")
      if host.kind == "glob", host.text == "*" { return }
      document["host"] = try HoverflyMatchers.value(host)
    } else if parts.count > 1 {
      throw Untranslatable("destination", "\(matcher.kind) \(matcher.text)")
    } else {
      document["host"] = try HoverflyMatchers.value(matcher)
    }
  }

  /// The whole query as a text, in versions before 5.
  private func addQuery(
    _ matcher: HoverflyMatchers.Matcher, to document: inout [String: JSONValue]
  ) throws {
    if matcher.kind == "glob", matcher.text == "*" { return }
    guard matcher.kind == "exact" || matcher.kind == "glob" && !matcher.text.contains("*") else {
      throw Untranslatable("query", "\(matcher.kind) \(matcher.text)")
    }
    document["queryIsExact"] = true
    let items = URLParts.queryItems(matcher.text[...]).filter { !$0.name.isEmpty }
    guard !items.isEmpty else { return }
    document["query"] = .object(
      Dictionary(
        NamedValues(items.map { ($0.name, $0.value) }).values.map { name, values in
          (name, JSONValue.array(values.map(JSONValue.string)))
        }
      ) { first, _ in first })
  }
}
