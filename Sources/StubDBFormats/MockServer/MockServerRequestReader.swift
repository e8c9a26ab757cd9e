internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// Translates the `httpRequest` of an expectation.
struct MockServerRequestReader {
  let input: ImportInput
  let options: ImportOptions
  let texts: MockServerTexts

  /// - Throws: ``Untranslatable`` for a part without a counterpart, unless stubs may answer more.
  func request(_ request: SourceValue) throws -> [String: JSONValue] {
    guard request.isObject else { throw Untranslatable("httpRequest", "it is \(request.typeName)") }
    var document: [String: JSONValue] = [:]
    for member in request.members {
      guard !member.value.isNull else {
        member.value.ignore()
        continue
      }
      do {
        try translate(member.name, member.value, of: request, into: &document)
      } catch let error as Untranslatable where options.isLenient {
        member.value.drop(.matcher, "\(error.name) has no counterpart; the stub matches without it")
      }
    }
    return document
  }

  private func translate(
    _ name: String, _ value: SourceValue, of request: SourceValue,
    into document: inout [String: JSONValue]
  ) throws {
    switch name {
    case "method": try addMethod(value, to: &document)
    case "path":
      let parameters = request["pathParameters"]
      let isTemplate = parameters.map { !$0.members.isEmpty || !$0.elements.isEmpty } ?? false
      document["path"] = try path(value, isTemplate: isTemplate)
    case "pathParameters":
      document["pathParameters"] = .object(try patterns(value))
    case "queryStringParameters":
      document["query"] = .object(try patterns(value))
    case "headers": try addHeaders(value, to: &document)
    case "cookies": document["cookies"] = .object(try patterns(value))
    case "body":
      let reader = MockServerBodyReader(input: input, texts: texts)
      if let pattern = try reader.pattern(value) { document["body"] = pattern }
    case "secure":
      if let isSecure = value.bool { document["scheme"] = isSecure ? "https" : "http" }
    case "protocol":
      value.change(.httpVersion, "The stub answers requests of every version of HTTP")
    case "keepAlive", "socketAddress", "localAddress", "remoteAddress", "reason": value.ignore()
    default: throw Untranslatable(name)
    }
  }

  private func addHeaders(_ value: SourceValue, to document: inout [String: JSONValue]) throws {
    var headers = try patterns(value)
    // A client writes this field by itself, so a stub asks for the host in its place.
    if let name = headers.keys.first(where: { $0.lowercased() == "host" }),
      let pattern = headers[name], Self.isRefusal(pattern)
    {
      guard headers.count(where: { $0.key.lowercased() == "host" }) == 1,
        let host = Self.refusedHost(pattern)
      else { throw Untranslatable("the field Host", "stubs cannot refuse it") }
      document["host"] = ["not": host]
      headers[name] = nil
    }
    if !headers.isEmpty || value.members.isEmpty { document["headers"] = .object(headers) }
  }

  /// Whether a pattern is about what a field must not be.
  private static func isRefusal(_ pattern: JSONValue) -> Bool {
    let text = pattern.canonicalText
    return text.contains("\"not\":") || text.contains("\"absent\":")
  }

  /// What the host must not be, where that is all that a pattern of the field asks for; nil for a host with a port, too.
  private static func refusedHost(_ pattern: JSONValue) -> JSONValue? {
    guard case .object(let members) = pattern, case .array(let both)? = members["and"],
      both.count == 2, case .object(let last) = both[1], case .object(let not)? = last["not"],
      case .array(let refused)? = not["includes"], refused.count == 1,
      !refused[0].canonicalText.replacing("(?:", with: "").replacing("\":", with: "")
        .contains(":")
    else { return nil }
    return refused[0]
  }

  private func addMethod(_ value: SourceValue, to document: inout [String: JSONValue]) throws {
    guard let text = value.text ?? value["value"]?.text, !value.flag("not"), !text.hasPrefix("!")
    else { throw Untranslatable("method", "stubs cannot refuse a method") }
    if value.flag("optional") || text.hasPrefix("?") || text.isEmpty || text == ".*" { return }
    let names = text.split(separator: "|").map { String($0).uppercased() }
    guard names.allSatisfy({ $0.allSatisfy { $0.isLetter && $0.isASCII } }) else {
      throw Untranslatable("method", "\(text) is an expression")
    }
    document["method"] =
      names.count == 1 ? .string(names[0]) : .array(names.map(JSONValue.string))
  }

  /// A literal path, one with `{names}`, or an expression.
  ///
  /// Names stand for segments only where there are patterns for them, and for themselves otherwise.
  private func path(_ value: SourceValue, isTemplate: Bool) throws -> JSONValue {
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

  private func literalPath(_ text: String, isTemplate: Bool) -> JSONValue {
    let path = text.hasPrefix("/") ? text : "/\(text)"
    return .string(
      path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
        isTemplate && URLParts.isPlaceholder(segment)
          ? String(segment) : URLParts.literalTemplate(URLParts.canonicalPath(segment))
      }.joined(separator: "/"))
  }

  // MARK: Names with values

  /// Patterns by name; each value of a list must be there.
  func patterns(_ value: SourceValue) throws -> [String: JSONValue] {
    let isExact = value.isObject && value["keyMatchStyle"]?.text?.uppercased() == "MATCHING_KEY"
    var patterns: [String: JSONValue] = [:]
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
        pattern = .object(["absent": true])
      }
      if isOptional { pattern = MockServerTexts.optional(pattern) }
      patterns[name] =
        patterns[name].map { .object(["and": .array([$0, pattern])]) } ?? pattern
    }
    return patterns
  }

  /// The entries with one for each name: all values of a name are asked for, wherever they stand.
  private static func merged(
    _ entries: [(name: String, values: [SourceValue])]
  ) -> [(name: String, values: [SourceValue])] {
    var merged: [(name: String, values: [SourceValue])] = []
    var places: [String: Int] = [:]
    for entry in entries {
      if let place = places[entry.name] {
        merged[place].values += entry.values
      } else {
        places[entry.name] = merged.count
        merged.append(entry)
      }
    }
    return merged
  }

  private func pattern(of values: [SourceValue], isExact: Bool) throws -> JSONValue {
    let patterns = try values.map(texts.pattern)
    if patterns.isEmpty { return .object(["matches": "[\\s\\S]*"]) }
    if isExact || values.count > 1 && !MockServerTexts.excludeEachOther(values) {
      // Each of several patterns needs a value of its own there.
      if values.count > 1 {
        values[0].change(.matcher, "Only a request with as many values matches")
      }
      return .object(["hasExactly": .array(patterns)])
    }
    // One value that is not this one must be there, which no stub can ask for: none may be, and there must be some.
    if values.count == 1, MockServerTexts.isNegated(values[0]),
      case .object(let members) = patterns[0],
      let refused = members["not"]
    {
      return ["and": [["matches": "[\\s\\S]*"], ["not": ["includes": [refused]]]]]
    }
    return patterns.count == 1 ? patterns[0] : .object(["includes": .array(patterns)])
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
