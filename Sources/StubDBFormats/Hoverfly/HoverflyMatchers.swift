internal import Foundation
internal import StubDBJSON
internal import StubDBXML

/// Translates the matchers of fields.
enum HoverflyMatchers {
  /// A matcher of a field.
  struct Matcher {
    /// Its name in lower case.
    var kind: String
    /// Its value, where that is a text.
    var text: String
    var value: SourceValue
    /// The whole matcher, with its options; nil in versions before 5.
    var options: SourceValue?
  }

  /// The names of matchers in versions before 5.
  private static let oldNames = [
    "exactMatch": "exact", "globMatch": "glob", "regexMatch": "regex", "jsonMatch": "json",
    "jsonPathMatch": "jsonpath", "xmlMatch": "xml", "xpathMatch": "xpath", "xPathMatch": "xpath",
    "jsonMatchPartial": "jsonpartial", "jsonPartialMatch": "jsonpartial",
  ]

  /// The matchers of a field of any version: a list, an object by kind, or a text.
  static func list(_ value: SourceValue, isGlob: Bool) throws -> [Matcher] {
    if let text = value.text {
      let isPattern = isGlob && text.contains("*")
      return [Matcher(kind: isPattern ? "glob" : "exact", text: text, value: value)]
    }
    if value.isArray {
      return try value.elements.map { matcher in
        guard matcher.isObject, let operand = matcher["value"] else {
          throw Untranslatable("a matcher", "it has no value")
        }
        let kind = matcher.text("matcher")?.lowercased() ?? ""
        return Matcher(
          kind: kind.isEmpty ? "exact" : kind, text: operand.text ?? "", value: operand,
          options: matcher)
      }
    }
    guard value.isObject else { throw Untranslatable("a matcher", "it is \(value.typeName)") }
    return try value.members.filter { !$0.value.isNull }.map { name, operand in
      guard let kind = oldNames[name], let text = operand.text else {
        throw Untranslatable("the matcher \(name)")
      }
      return Matcher(kind: kind, text: text, value: operand)
    }
  }

  /// The pattern of a value; of a list, several values stand in one text with semicolons.
  static func value(_ matcher: Matcher, isList: Bool = false) throws -> JSONValue {
    try requireNothingAfter(matcher)
    return try plainValue(matcher, isList: isList)
  }

  /// The pattern of a name's value: a query parameter, a field of a form or of the head, which must be there.
  ///
  /// Several values of a parameter are one text there, so what is said of a text is said of a single value.
  static func named(_ matcher: Matcher, in part: String) throws -> JSONValue {
    let pattern = try value(matcher, isList: part == "query")
    guard part != "headers" else {
      return matcher.kind == "negate" ? PresentValue.demanded(pattern) : pattern
    }
    switch matcher.kind {
    case "array" where part == "form":
      throw Untranslatable("the matcher array", "of a field of a form")
    case "array": return pattern
    case "glob" where matcher.text == "*": return pattern
    case "exact" where part == "query" && matcher.text.contains(";"): return pattern
    case "exact": return .array([pattern])
    default: return ["hasExactly": [pattern]]
    }
  }

  /// - Throws: ``Untranslatable`` for a matcher of what this one gives: in stubs only queries have one.
  private static func requireNothingAfter(_ matcher: Matcher) throws {
    guard let next = matcher.options?["doMatch"], !next.isNull else { return }
    throw Untranslatable("doMatch", "after \(matcher.kind)")
  }

  private static func plainValue(_ matcher: Matcher, isList: Bool) throws -> JSONValue {
    switch matcher.kind {
    case "exact":
      guard isList, matcher.text.contains(";") else { return .string(matcher.text) }
      let values = matcher.text.split(separator: ";").map { JSONValue.string(String($0)) }
      return .object([
        "or": [["hasExactly": [.string(matcher.text)]], ["hasExactly": .array(values)]]
      ])
    case "glob": return .object(["matches": .string(expression(ofGlob: matcher.text))])
    case "regex": return .object(["matches": .string(try expression(ofRegex: matcher.text))])
    case "negate": return .object(["not": .string(matcher.text)])
    case "array": return try array(matcher)
    default: throw Untranslatable("the matcher \(matcher.kind)")
    }
  }

  private static func array(_ matcher: Matcher) throws -> JSONValue {
    guard matcher.value.isArray else { throw Untranslatable("the matcher array") }
    let values = matcher.value.elements.compactMap { $0.text.map(JSONValue.string) }
    let config = matcher.options?["config"]
    func flag(_ name: String) -> Bool {
      config?.members.first { $0.name.lowercased() == name.lowercased() }?.value.bool ?? false
    }
    let (isOpen, isUnordered) = (flag("ignoreUnknown"), flag("ignoreOrder"))
    if flag("ignoreOccurrences"), !isOpen {
      matcher.value.tree.log.add(
        .changed, .matcher, at: matcher.value, "Each value must be there as often as in the list")
    }
    if isOpen, !flag("ignoreOccurrences") {
      matcher.value.tree.log.add(
        .changed, .matcher, at: matcher.value, "How often a value is there is not compared")
    }
    if !isUnordered, values.count > 1 {
      matcher.value.tree.log.add(
        .changed, .matcher, at: matcher.value, "The order of the values is not compared")
    }
    return .object([isOpen ? "includes" : "hasExactly": .array(values)])
  }

  /// The pattern of a content.
  static func body(_ matcher: Matcher) throws -> JSONValue {
    if !["jsonpath", "xpath"].contains(matcher.kind) { try requireNothingAfter(matcher) }
    switch matcher.kind {
    case "exact" where matcher.text.isEmpty, "glob" where matcher.text.isEmpty:
      return .object(["absent": true])
    case "json", "jsonpartial":
      let value = matcher.value
      guard let json = value.isString ? try? JSONValue(parsing: matcher.text) : value.json else {
        throw Untranslatable("the matcher \(matcher.kind)", "its text is not JSON")
      }
      guard matcher.kind == "jsonpartial" else { return .object(["equalToJson": json]) }
      value.change(
        .matcher, "The JSON is compared with the whole content, not with each part of it")
      return .object([
        "equalToJson": json, "ignoreArrayOrder": true, "ignoreExtraElements": true,
      ])
    case "jsonpath": return try jsonPath(matcher)
    case "xml": return .object(["equalToXml": .string(matcher.text)])
    case "xmltemplated":
      return .object([
        "equalToXml": .string(placeholders(matcher.text)), "enablePlaceholders": true,
      ])
    case "xpath": return try xPath(matcher)
    case "form":
      guard matcher.value.isObject else { throw Untranslatable("the matcher form") }
      var fields: [String: JSONValue] = [:]
      for field in matcher.value.members {
        let patterns = try list(field.value, isGlob: false).map {
          try named($0, in: "form")
        }
        fields[field.name] =
          patterns.count == 1 ? patterns[0] : .object(["and": .array(patterns)])
      }
      return .object(["form": .object(fields)])
    default:
      let pattern = try value(matcher)
      if case .string = pattern { return .object(["equalTo": pattern]) }
      return pattern
    }
  }

  private static func xPath(_ matcher: Matcher) throws -> JSONValue {
    let isOfNodes = (try? XPath(matcher.text))?.kind == .nodes
    let isChained = matcher.options?["doMatch"].map { !$0.isNull } ?? false
    // Hoverfly goes on with the text of the first node.
    let query = isOfNodes && isChained ? "(\(matcher.text))[1]" : matcher.text
    return try chained(matcher, "matchesXPath", .string(query), isBody: false)
  }

  private static func jsonPath(_ matcher: Matcher) throws -> JSONValue {
    guard let path = JaywayPath(matcher.text, filteredObject: .refused) else {
      throw Untranslatable("jsonpath", "\(matcher.text) has no counterpart in RFC 9535")
    }
    if path.isRewritten {
      matcher.value.change(.jsonPathDialect, "\(matcher.text) was rewritten as \(path.query)")
    }
    if let difference = path.difference { matcher.value.change(.jsonPathDialect, difference) }
    return try chained(matcher, "matchesJsonPath", .string(path.query), isBody: true)
  }

  /// A query, with the matcher of what it selects.
  private static func chained(
    _ matcher: Matcher, _ name: String, _ query: JSONValue, isBody: Bool
  ) throws -> JSONValue {
    guard let next = matcher.options?["doMatch"], !next.isNull else {
      return .object([name: query])
    }
    guard let operand = next["value"] else { throw Untranslatable("doMatch") }
    let inner = Matcher(
      kind: next.text("matcher")?.lowercased() ?? "exact", text: operand.text ?? "",
      value: operand, options: next)
    var members: [String: JSONValue] = ["expression": query]
    switch isBody ? try body(inner) : try value(inner) {
    case .object(let pattern): members.merge(pattern) { first, _ in first }
    case let text: members["equalTo"] = text
    }
    return .object([name: .object(members)])
  }

  /// `{{ ignore }}` and `{{ regex:… }}` in XML.
  private static func placeholders(_ text: String) -> String {
    text.replacing(#/\{\{\s*ignore\s*\}\}/#, with: "${xmlunit.ignore}")
      .replacing(#/\{\{\s*regex:(.*?)\}\}/#) { match in
        "${xmlunit.matchesRegex(\(match.1.trimmingCharacters(in: .whitespaces)))}"
      }
  }

  // MARK: Expressions

  static func expression(ofGlob glob: String) -> String {
    glob.split(separator: "*", omittingEmptySubsequences: false).map {
      ForeignExpression.quoted($0)
    }.joined(separator: ".*")
  }

  /// An expression that may be found anywhere, as one that matches the whole value.
  static func expression(ofRegex regex: String) throws -> String {
    guard !regex.contains("(?U)") else { throw Untranslatable("the expression \(regex)") }
    let text = regex.replacingOccurrences(of: "(?P<", with: "(?<")
    return try ForeignExpression(text, .singleLine).anywhere()
  }
}
