internal import Foundation
internal import StubDBModel
internal import StubDBXML

/// A matcher of a field.
///
/// https://docs.hoverfly.io/en/latest/pages/reference/hoverfly/request_matchers.html
struct HoverflyMatcher {
  enum Kind: String {
    case exact, glob, regex, negate, array, json, jsonpartial, jsonpath, xml, xmltemplated, xpath
    case form

    /// The kind of a name in versions before 5; nil for an unknown name.
    init?(oldName: String) {
      switch oldName {
      case "exactMatch": self = .exact
      case "globMatch": self = .glob
      case "regexMatch": self = .regex
      case "jsonMatch": self = .json
      case "jsonPathMatch": self = .jsonpath
      case "xmlMatch": self = .xml
      case "xpathMatch", "xPathMatch": self = .xpath
      case "jsonMatchPartial", "jsonPartialMatch": self = .jsonpartial
      default: return nil
      }
    }
  }

  /// The parts of a request that have values by name.
  enum Part { case query, headers, form }

  let kind: Kind
  /// Its value, where that is a text.
  var text: String
  let value: SourceValue
  /// The whole matcher, with its options; nil in versions before 5.
  var options: SourceValue?

  /// The matcher of what this one gives.
  private var next: SourceValue? { options?.given("doMatch") }

  /// Whether any value satisfies it.
  var isAnything: Bool { kind == .glob && text == "*" }

  /// The matchers of a field of any version: a list, an object by kind, or a text.
  static func list(_ value: SourceValue, isGlob: Bool) throws -> [HoverflyMatcher] {
    if let text = value.text {
      let isPattern = isGlob && text.contains("*")
      return [HoverflyMatcher(kind: isPattern ? .glob : .exact, text: text, value: value)]
    }
    if value.isArray {
      return try value.elements.map { matcher in
        guard matcher.isObject, matcher["value"] != nil else {
          throw Untranslatable("a matcher", "it has no value")
        }
        return try HoverflyMatcher(matcher)
      }
    }
    guard value.isObject else { throw Untranslatable("a matcher", "it is \(value.typeName)") }
    return try value.members.filter { !$0.value.isNull }.map { name, operand in
      guard let kind = Kind(oldName: name), let text = operand.text else {
        throw Untranslatable("the matcher \(name)")
      }
      return HoverflyMatcher(kind: kind, text: text, value: operand)
    }
  }

  private init(kind: Kind, text: String, value: SourceValue) {
    (self.kind, self.text, self.value) = (kind, text, value)
  }

  /// A matcher with its options.
  private init(_ matcher: SourceValue) throws {
    guard let operand = matcher["value"] else { throw Untranslatable("doMatch") }
    let name = matcher.text("matcher")?.lowercased() ?? ""
    guard let kind = name.isEmpty ? .exact : Kind(rawValue: name) else {
      throw Untranslatable("the matcher \(name)")
    }
    self.init(kind: kind, text: operand.text ?? "", value: operand)
    options = matcher
  }

  // MARK: Values

  /// The pattern of a value; of a list, several values stand in one text with semicolons.
  func pattern(isList: Bool = false) throws -> ValuePattern {
    try requireNothingAfter()
    switch kind {
    case .exact:
      guard isList, text.contains(";") else { return .equalTo(text) }
      let values = text.split(separator: ";").map { ValuePattern.equalTo(String($0)) }
      return .or([.hasExactly([.equalTo(text)]), .hasExactly(values)])
    case .glob: return .matches(Self.expression(ofGlob: text))
    case .regex: return .matches(try expression())
    case .negate: return .not(.equalTo(text))
    case .array: return try array()
    case .json, .jsonpartial, .jsonpath, .xml, .xmltemplated, .xpath, .form:
      throw Untranslatable("the matcher \(kind)")
    }
  }

  /// The pattern of a name's value: a query parameter, a field of a form or of the head, which must be there.
  ///
  /// Several values of a parameter are one text there, so what is said of a text is said of a single value.
  func pattern(in part: Part) throws -> ValuePattern {
    let pattern = try pattern(isList: part == .query)
    guard part != .headers else {
      return kind == .negate ? PresentValue.demanded(pattern) : pattern
    }
    switch kind {
    case .array where part == .form:
      throw Untranslatable("the matcher array", "of a field of a form")
    case .array: return pattern
    case .exact where part == .query && text.contains(";"): return pattern
    default: return isAnything ? pattern : .hasExactly([pattern])
    }
  }

  /// - Throws: ``Untranslatable`` for a matcher of what this one gives: in stubs only queries have one.
  private func requireNothingAfter() throws {
    if next != nil { throw Untranslatable("doMatch", "after \(kind)") }
  }

  private func array() throws -> ValuePattern {
    guard value.isArray else { throw Untranslatable("the matcher array") }
    let values = value.elements.compactMap { $0.text.map { ValuePattern.equalTo($0) } }
    let config = options?["config"]
    func flag(_ name: String) -> Bool {
      config?.members.first { $0.name.lowercased() == name.lowercased() }?.value.bool ?? false
    }
    func note(_ text: String) { value.note(.changed, .matcher, text) }
    let (isOpen, isUnordered) = (flag("ignoreUnknown"), flag("ignoreOrder"))
    if flag("ignoreOccurrences"), !isOpen {
      note("Each value must be there as often as in the list")
    }
    if isOpen, !flag("ignoreOccurrences") { note("How often a value is there is not compared") }
    if !isUnordered, values.count > 1 { note("The order of the values is not compared") }
    return isOpen ? .includes(values) : .hasExactly(values)
  }

  // MARK: Contents

  func body() throws -> BodyPattern {
    if kind != .jsonpath, kind != .xpath { try requireNothingAfter() }
    switch kind {
    case .exact where text.isEmpty, .glob where text.isEmpty: return .value(.absent)
    case .json: return .equalToJSON(try value.parsedJSON(as: "the matcher json"))
    case .jsonpartial:
      let json = try value.parsedJSON(as: "the matcher jsonpartial")
      value.change(
        .matcher, "The JSON is compared with the whole content, not with each part of it")
      return .equalToJSON(json, ignoreArrayOrder: true, ignoreExtraElements: true)
    case .jsonpath: return try jsonPath()
    case .xml: return .equalToXML(XMLPattern(text))
    case .xmltemplated:
      return .equalToXML(XMLPattern(Self.placeholders(text), enablePlaceholders: true))
    case .xpath: return try xPath()
    case .form:
      guard value.isObject else { throw Untranslatable("the matcher form") }
      return .form(
        try value.members.map { name, field in
          let matchers = try Self.list(field, isGlob: false)
          return NamedPattern(name, .all(try matchers.map { try $0.pattern(in: .form) }))
        })
    case .exact, .glob, .regex, .negate, .array: return .value(try pattern())
    }
  }

  private func xPath() throws -> BodyPattern {
    let inner = try next.map { try HoverflyMatcher($0).pattern() }
    // Hoverfly continues with the text of the first node.
    let isOfNodes = (try? XPath(text))?.kind == .nodes
    let expression = isOfNodes && inner != nil ? "(\(text))[1]" : text
    return .matchesXPath(XPathPattern(expression, value: inner))
  }

  private func jsonPath() throws -> BodyPattern {
    let path = try JaywayPath.read(value, as: "jsonpath", text, filteredObject: .refused)
    if let difference = path.difference { value.change(.jsonPathDialect, difference) }
    return .matchesJSONPath(path.query, try next.map { try HoverflyMatcher($0).body() })
  }

  /// `{{ ignore }}` and `{{ regex:… }}` in XML.
  private static func placeholders(_ text: String) -> String {
    text.replacing(#/\{\{\s*ignore\s*\}\}/#, with: "${xmlunit.ignore}")
      .replacing(#/\{\{\s*regex:(.*?)\}\}/#) { match in
        "${xmlunit.matchesRegex(\(match.1.trimmingCharacters(in: .whitespaces)))}"
      }
  }

  // MARK: Expressions

  private static func expression(ofGlob glob: String) -> String {
    glob.split(separator: "*", omittingEmptySubsequences: false).map {
      ForeignExpression.quoted($0)
    }.joined(separator: ".*")
  }

  /// An expression that may be found anywhere, as one that matches the whole value.
  private func expression() throws -> String {
    guard !text.contains("(?U)") else { throw Untranslatable("the expression \(text)") }
    let expression = text.replacingOccurrences(of: "(?P<", with: "(?<")
    return try ForeignExpression(expression, .singleLine).anywhere()
  }
}
