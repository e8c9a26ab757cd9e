internal import Foundation
internal import HTTPTypes
internal import StubDBJSON
internal import StubDBModel
import StubDBSecrets
internal import StubDBSupport

/// Replaces the placeholders in a pattern that no answer has given.
struct PatternFreeing {
  let given: Set<String>
  /// The placeholders of numbers that redaction gave; other numbers are what they say.
  let numbers: Set<String>
  private(set) var places: [JSONPointer] = []
  /// The placeholders that were left free.
  private(set) var found: Set<String> = []

  init(given: Set<String>, numbers: Set<String>) {
    (self.given, self.numbers) = (given, numbers)
  }

  mutating func freed(_ request: RequestPattern) -> RequestPattern {
    var freed = request
    freed.wholeURL = request.wholeURL.map { value($0, at: ["url"]) }
    freed.path = request.path.map { path($0) }
    freed.pathParameters = request.pathParameters.map { named($0, in: ["path"]) }
    freed.query = request.query.map { named($0, in: ["query"]) }
    freed.cookies = request.cookies.map { named($0, in: ["cookies"]) }
    freed.headers = request.headers.map { header($0, in: ["headers"]) }
    if let credentials = request.basicAuth,
      !unknown(in: credentials.username + " " + credentials.password).isEmpty
    {
      note(["headers", "authorization"])
      freed.basicAuth = nil
      freed.headers.append(HeaderPattern(.authorization, .matches("(?i)Basic .+")))
    }
    freed.body = request.body.map { body($0, at: ["body"]) }
    return freed
  }

  private mutating func unknown(in text: String) -> [RedactionPlaceholders.Occurrence] {
    let unknown = RedactionPlaceholders.occurrences(in: text).filter {
      !given.contains($0.text)
        && (!RedactionPlaceholders.isOfNumber($0.text) || numbers.contains($0.text))
    }
    found.formUnion(unknown.map(\.text))
    return unknown
  }

  private mutating func note(_ place: [String]) {
    let pointer = JSONPointer(place)
    if !places.contains(pointer) { places.append(pointer) }
  }

  // MARK: Texts

  private mutating func named(_ named: NamedPattern, in place: [String]) -> NamedPattern {
    NamedPattern(named.name, value(named.pattern, at: place + [named.name]))
  }

  private mutating func header(_ header: HeaderPattern, in place: [String]) -> HeaderPattern {
    HeaderPattern(
      header.name, value(header.pattern, at: place + [header.name.canonicalName]))
  }

  private mutating func value(_ pattern: ValuePattern, at place: [String]) -> ValuePattern {
    switch pattern.operator {
    case .equalTo:
      return expression(for: pattern.text, at: place).map(ValuePattern.matches) ?? pattern
    case .contains:
      return expression(for: pattern.text, at: place).map { .matches(".*\($0).*") } ?? pattern
    case .matches:
      return expression(for: pattern.text, at: place) { String($0) }.map(ValuePattern.matches)
        ?? pattern
    case .hasExactly, .includes, .and, .or:
      return pattern.mapPatterns { value($0, at: place) }
    // What must not be there is not there.
    default: return pattern
    }
  }

  /// A regular expression for the text with anything in place of its unknown placeholders; nil if it has none.
  private mutating func expression(
    for text: String, at place: [String],
    quoting quoted: (Substring) -> String = { BoundedRegex.quoted($0) }
  ) -> String? {
    let found = unknown(in: text)
    guard !found.isEmpty else { return nil }
    note(place)
    var (expression, start) = ("", text.startIndex)
    for placeholder in found {
      expression += quoted(text[start..<placeholder.range.lowerBound]) + ".*"
      start = placeholder.range.upperBound
    }
    return expression + quoted(text[start...])
  }

  private mutating func path(_ path: PathPattern) -> PathPattern {
    switch path {
    case .value(let pattern): return .value(value(pattern, at: ["path"]))
    case .template(let template):
      var names = Set(URLParts.placeholders(of: template))
      let segments = template.split(separator: "/", omittingEmptySubsequences: false)
      return .template(
        segments.enumerated().map { index, segment in
          guard !URLParts.isPlaceholder(segment), !unknown(in: String(segment)).isEmpty else {
            return String(segment)
          }
          note(["path", String(index - 1)])
          let name = names.contains("secret") ? "secret\(index)" : "secret"
          names.insert(name)
          return "{\(name)}"
        }.joined(separator: "/"))
    }
  }

  // MARK: Contents

  private mutating func body(_ pattern: BodyPattern, at place: [String]) -> BodyPattern {
    switch pattern.storage {
    case .value(let value): return .value(self.value(value, at: place))
    case .and(let patterns): return .and(patterns.map { body($0, at: place) })
    case .or(let patterns): return .or(patterns.map { body($0, at: place) })
    case .not: return pattern
    case .operation(let operation): return body(operation.base, at: place) ?? pattern
    }
  }

  private mutating func body(_ operation: any BodyOperator, at place: [String]) -> BodyPattern? {
    switch operation {
    case var json as EqualToJSONOperator:
      json.value = self.json(json.value, at: place)
      return BodyPattern(json)
    case var path as JSONPathOperator:
      path.pattern = path.pattern.map { body($0, at: place + [path.query]) }
      return BodyPattern(path)
    case let form as FormOperator:
      return .form(form.fields.map { named($0, in: place) }, isExact: form.isExact)
    case let multipart as MultipartOperator:
      return .multipart(
        multipart.parts.map { part($0, at: place) }, isExact: multipart.isExact)
    case let graphQL as GraphQLPattern: return self.graphQL(graphQL, at: place)
    case let xml as XMLPattern: return self.xml(xml, at: place)
    default: return nil
    }
  }

  private mutating func json(_ value: JSONValue, at place: [String]) -> JSONValue {
    switch value {
    case .string(let text):
      if unknown(in: text).isEmpty { return value }
    case .number(let number):
      if unknown(in: number.text).isEmpty { return value }
    case .array(let elements):
      return .array(elements.enumerated().map { json($1, at: place + [String($0)]) })
    case .object(var members):
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        members[name] = json(member, at: place + [name])
      }
      return .object(members)
    case .null, .bool: return value
    }
    note(place)
    return JSONPlaceholder.any
  }

  private mutating func part(_ part: PartPattern, at place: [String]) -> PartPattern {
    let place = place + [part.name ?? ""]
    return PartPattern(
      name: part.name, filename: part.filename.map { value($0, at: place) },
      headers: part.headers.map { header($0, in: place) },
      body: part.body.map { body($0, at: place) })
  }

  private mutating func graphQL(_ pattern: GraphQLPattern, at place: [String]) -> BodyPattern {
    var freed = pattern
    freed.variables = pattern.variables.map { json($0, at: place + ["variables"]) }
    guard let query = pattern.query, let expression = expression(for: query, at: place + ["query"])
    else { return .graphQL(freed) }
    freed.query = nil
    return .and([
      .graphQL(freed), .matchesJSONPath("$.query", .value(.matches(expression))),
    ])
  }

  private mutating func xml(_ pattern: XMLPattern, at place: [String]) -> BodyPattern {
    var freed = pattern
    freed.document = XMLFreeing.freed(pattern.document, unknown(in: pattern.document))
    guard freed.document != pattern.document else { return .equalToXML(pattern) }
    note(place)
    freed.enablePlaceholders = true
    return .equalToXML(freed)
  }
}

/// Replaces texts and values of attributes in a document, as a whole: no part of one can be any.
private enum XMLFreeing {
  private static let anyText = "${xmlunit.ignore}"
  private static let openCDATA = "<![CDATA["

  static func freed(
    _ document: String, _ placeholders: [RedactionPlaceholders.Occurrence]
  ) -> String {
    var (freed, start) = ("", document.startIndex)
    for placeholder in placeholders where placeholder.range.lowerBound >= start {
      guard let range = range(around: placeholder.range, in: document) else { continue }
      freed += String(document[start..<range.lowerBound]) + anyText
      start = range.upperBound
    }
    return freed + String(document[start...])
  }

  /// The text or the value that something is in; nil if it is in a name.
  private static func range(
    around found: Range<String.Index>, in text: String
  ) -> Range<String.Index>? {
    guard let before = text[..<found.lowerBound].lastIndex(where: { "<>".contains($0) }) else {
      return nil
    }
    let after = found.upperBound..<text.endIndex
    if text[before...].hasPrefix(openCDATA) {
      return text.range(of: "]]>", range: after).map { before..<$0.upperBound }
    }
    if text[before] == ">" {
      let end = text[after].firstIndex(of: "<") ?? text.endIndex
      return text.index(after: before)..<end
    }
    let tag = text[before..<found.lowerBound]
    guard let mark = tag.lastIndex(where: { "\"'".contains($0) }),
      let end = text[after].firstIndex(of: text[mark])
    else { return nil }
    return text.index(after: mark)..<end
  }
}
