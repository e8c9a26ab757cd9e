internal import Foundation
internal import HTTPTypes
internal import StubDBJSON
internal import StubDBModel

/// Writes the request of an interaction.
///
/// Pact compares a request as a whole: the query and the content have nothing more than the contract says. So what a
/// pattern leaves open is narrowed, with a line; what the contract could not forbid leaves the stub out.
struct PactRequestWriter {
  /// The headers of which Pact compares the media type only, with its parameters in any order.
  private static let parameterized: Set<HTTPField.Name> = [.accept, .contentType]

  private let request: RequestPattern
  private let example: RequestExample
  /// The request of the stub's document; nil if the stub answers everything.
  private let document: SourceValue?
  private var members: JSONObject = [:]
  private var rules = PactRuleWriter()

  init(_ request: RequestPattern, example: RequestExample, document: SourceValue?) {
    self.request = request
    self.example = example
    self.document = document
  }

  /// The request of an interaction, but for its method.
  ///
  /// - Throws: ``Untranslatable`` for a part that a contract cannot ask for.
  mutating func write() throws -> JSONObject {
    guard request.captured.isEmpty, request.decidedByRequest == request else {
      throw Untranslatable("captured values", "an interaction knows of no other")
    }
    document?.keep("method", "scheme", "port", "host", "queryIsExact", "basicAuth")
    try addPath()
    addQuery()
    try addHeaders()
    try addBody()
    members["matchingRules"] = rules.members
    return members
  }

  // MARK: - URL

  private mutating func addPath() throws {
    let url = URLParts(example.url)
    members["path"] = .string(url?.path ?? "/")
    let place = document?["path"] ?? document?["url"]
    place?.keep()
    if request.wholeURL != nil, request.path != nil {
      document?["url"]?.settleExample(request.wholeURL?.exampleOperator)
    }
    switch request.path {
    case nil where request.wholeURL != nil:
      place?.settleExample(request.wholeURL?.exampleOperator)
    case nil: rules.add([PactRuleWriter.regex("/.*")], to: "path")
    case .value(let pattern):
      if let rules = PactRuleWriter.rules(of: pattern) {
        self.rules.add(rules, to: "path")
        noteExpressions(pattern, at: place)
      } else {
        place?.settleExample(pattern.exampleOperator)
      }
    case .template(let path): addTemplate(path)
    }
    noteHost(at: place ?? document)
  }

  private mutating func addTemplate(_ path: String) {
    guard URLParts.isOpen(template: path) else { return }
    var expression = ""
    for segment in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      if segment == "**" {
        expression += "(?:/.*)?"
      } else if URLParts.isPlaceholder(segment) {
        expression += "/" + placeholder(String(segment.dropFirst().dropLast()))
      } else {
        expression += "/" + NSRegularExpression.escapedPattern(for: String(segment))
      }
    }
    rules.add([PactRuleWriter.regex(expression)], to: "path")
  }

  /// The expression for the segment of a placeholder.
  private func placeholder(_ name: String) -> String {
    let patterns = request.pathParameters.filter { $0.name == name }.map(\.pattern)
    let place = document?["pathParameters"]?[name]
    place?.keep()
    guard let pattern = patterns.first else { return "[^/]+" }
    if patterns.count == 1, pattern.operator == .matches, !Self.mayLeaveSegment(pattern.text) {
      return "(?:\(pattern.text))"
    }
    place?.settleExample((patterns.count == 1 ? pattern : .and(patterns)).exampleOperator)
    let value = example.pathParameters.first { $0.name == name }?.value ?? "1"
    return NSRegularExpression.escapedPattern(for: ExampleMaker.encodedSegment(value))
  }

  /// Whether an expression may match beyond a segment of a path.
  private static func mayLeaveSegment(_ expression: String) -> Bool {
    expression.range(of: #"\\[SWDPXRZzQ/]|\[\^|^\.|[^\\]\.|/"#, options: .regularExpression) != nil
  }

  private func noteHost(at place: SourceValue?) {
    let isBound =
      request.host != nil || request.scheme != nil || request.port != nil || request.wholeURL != nil
    guard isBound, let place else { return }
    place.note(
      .changed, .matcher, "A contract has no host: it is about whatever URL the provider has")
  }

  private func noteExpressions(_ pattern: ValuePattern, at place: SourceValue?) {
    let isTooPowerful = pattern.mapLeaves { leaf in
      leaf.operator == .matches && PactExpression.isTooPowerful(leaf.text) ? .absent : leaf
    }
    guard isTooPowerful != pattern else { return }
    place?.change(
      .regexDialect, "Some implementations of Pact do not know all of this expression")
  }

  // MARK: - Query

  private mutating func addQuery() {
    var query: JSONObject = [:]
    var given: [String: [JSONValue]] = [:]
    for item in URLParts(example.url)?.query ?? [] {
      given[item.name, default: []].append(.string(item.value))
    }
    for (name, values) in given { query[name] = .array(values) }
    for parameter in request.query {
      let place = document?["query"]?[parameter.name]
      place?.keep()
      if parameter.pattern.operator == .absent { continue }
      if let literals = parameter.pattern.literals {
        if Set(literals).count > 1 {
          place?.change(.unordered, "Pact compares the values in their order")
        }
      } else if let rules = PactRuleWriter.rules(of: parameter.pattern), parameter.name.isPlain,
        query[parameter.name] != nil
      {
        self.rules.add(rules, to: "query", at: parameter.name)
        noteExpressions(parameter.pattern, at: place)
      } else {
        place?.settleExample(parameter.pattern.exampleOperator)
      }
    }
    if !query.isEmpty { members["query"] = .object(query) }
    guard !request.queryIsExact, request.wholeURL == nil, let document else { return }
    document.note(.changed, .matcher, "Pact takes no further query parameters")
  }

  // MARK: - Header fields

  private mutating func addHeaders() throws {
    var headers: JSONObject = [:]
    for header in request.headers {
      let place = document?["headers"]?[header.name.rawName]
      place?.keep()
      guard header.pattern.operator != .anything else { continue }
      guard
        let values = ExampleValues.values(for: header.pattern, mayBeAbsent: false),
        headers[header.name.rawName] == nil
      else {
        throw Untranslatable(
          header.pattern.operator.rawValue,
          "a contract cannot forbid a header field, and has one pattern for it")
      }
      let text = values.joined(separator: ", ")
      headers[header.name.rawName] = .string(text)
      add(header, example: text, at: place)
    }
    if request.basicAuth != nil {
      headers["Authorization"] = example.headers[.authorization].map(JSONValue.string)
    }
    if let cookie = try cookie() { headers["Cookie"] = .string(cookie) }
    members["headers"] = headers.isEmpty ? nil : .object(headers)
  }

  private mutating func add(_ header: HeaderPattern, example text: String, at place: SourceValue?) {
    let name = header.name.rawName
    // What an import makes of a value without a rule, because Pact is tolerant of it.
    if header.pattern.operator == .matches,
      PactRequestReader.tolerant(name, text) == header.pattern
    {
      return
    }
    if let rules = PactRuleWriter.rules(of: header.pattern) {
      let isTolerant = text.contains(",") || Self.parameterized.contains(header.name)
      self.rules.add(
        rules.isEmpty && isTolerant ? [["match": "equality"]] : rules, to: "header", at: name)
      noteExpressions(header.pattern, at: place)
    } else {
      place?.settleExample(header.pattern.exampleOperator)
      self.rules.add([["match": "equality"]], to: "header", at: name)
    }
  }

  /// The field with all cookies, which Pact compares as one text.
  private func cookie() throws -> String? {
    guard request.cookies.contains(where: { $0.pattern.operator != .anything }) else {
      document?["cookies"]?.keep()
      return nil
    }
    guard let cookie = example.headers[.cookie] else {
      throw Untranslatable("cookies", "a contract cannot forbid a header field")
    }
    document?["cookies"]?.change(.example, "Pact compares the field with all cookies as one text")
    return cookie
  }

  // MARK: - Content

  private mutating func addBody() throws {
    let writer = try PactBodyWriter(
      request.body, example: example.content, document: document?["body"])
    guard let content = writer.content else { return }
    members["body"] = content
    for (key, rule) in writer.rules { rules.add([rule], to: "body", at: key) }
    guard writer.needsType, !request.headers.contains(where: { $0.name == .contentType }),
      let type = example.headers[.contentType]
    else { return }
    var headers: JSONObject = [:]
    if case .object(let before) = members["headers"] { headers = before }
    headers["Content-Type"] = .string(type)
    members["headers"] = .object(headers)
    (document?["body"] ?? document)?.note(
      .changed, .header, "Pact reads the content by its Content-Type, which a request must have")
  }
}

extension ValuePattern {
  /// The values of a pattern that only these satisfy; nil for others.
  fileprivate var literals: [String]? {
    if let literal { return [literal] }
    guard self.operator == .hasExactly else { return nil }
    let literals = patterns.compactMap(\.literal)
    return literals.count == patterns.count ? literals : nil
  }
}

extension String {
  /// Whether a name is one that all implementations read as a key of rules.
  fileprivate var isPlain: Bool { wholeMatch(of: /[A-Za-z0-9_-]+/) != nil }
}
