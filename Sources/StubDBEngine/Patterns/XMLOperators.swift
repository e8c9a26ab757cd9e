import StubDBModel
import StubDBSupport
import StubDBXML

extension XMLPattern: CompilableBody {
  func compiled(_ compiler: inout PatternCompiler) throws(CompileError) -> any CompiledBody {
    try EqualToXML(self, &compiler)
  }
}

/// The operator `equalToXml`.
struct EqualToXML: CompiledBody {
  private let document: XMLPattern
  private let tree: XMLTree
  /// The texts of the document that are placeholders.
  private let placeholders: [(text: String, meaning: CompiledXMLPlaceholder)]

  init(_ document: XMLPattern, _ compiler: inout PatternCompiler) throws(CompileError) {
    self.document = document
    (tree, placeholders) = try compiler.placed("equalToXml") { (compiler) throws(CompileError) in
      let tree = try compiler.cache.document(document.document)
      var placeholders: [(text: String, meaning: CompiledXMLPlaceholder)] = []
      guard document.enablePlaceholders else { return (tree, []) }
      for text in Set(tree.nodes.map(\.value)).sorted() {
        if let meaning = try CompiledXMLPlaceholder(text, &compiler.cache) {
          placeholders.append((CompiledXMLPlaceholder.trimmed(text), meaning))
        }
      }
      return (tree, placeholders)
    }
  }

  var pattern: BodyPattern { .equalToXML(document) }
  var form: PreparedBody.FormKind { .xml }

  func compare(_ body: PreparedBody, _ scope: MatchScope, _ report: BodyReport?) -> Bool? {
    body.xml.decided { actual in
      let comparison = scope.context.visiting { limit in
        XMLComparison(
          tree, actual, ignoreOrderOfSameNode: document.ignoreOrderOfSameNode, visiting: &limit
        ) { isText($0, $1, scope.context) }
      }
      if let report { explain(comparison, report) }
      return comparison.isExhausted ? nil : comparison.count == 0
    }
  }

  private func isText(_ expected: String, _ actual: String, _ context: MatchContext) -> Bool? {
    guard !placeholders.isEmpty else { return ByteText.isEqual(expected, actual) }
    let text = CompiledXMLPlaceholder.trimmed(expected)
    for placeholder in placeholders where ByteText.isEqual(placeholder.text, text) {
      return placeholder.meaning.matches(actual, context)
    }
    return ByteText.isEqual(expected, actual)
  }

  private func explain(_ comparison: XMLComparison, _ report: BodyReport) {
    guard !comparison.isExhausted else {
      report.addReason("(too many elements to compare)", pattern.phrase)
      return
    }
    report.distance = min(1, Double(comparison.count) / Double(max(1, tree.nodes.count - 1)))
    for difference in comparison.differences {
      let name = SensitiveName.isNamed(in: difference.path) ? "secret" : ""
      let texts = [difference.expected, difference.actual].map { text in
        text.map { Self.shown($0, of: name) } ?? "absent"
      }
      report.add(
        Mismatch.Part(.body, TextExcerpt.plain(difference.path)), texts[0],
        ReportPhrase.notEqual(texts[1], texts[0]))
    }
    report.addRest(comparison.count - comparison.differences.count)
  }

  /// A description of a difference; only a text, which is in quotes, may be a secret.
  private static func shown(_ description: String, of name: String) -> String {
    guard description.hasPrefix("\""), description.count > 1 else {
      return TextExcerpt.plain(description)
    }
    let text = String(description.dropFirst().dropLast())
    return TextExcerpt.quoted(SecretDisplay.value(text, of: name))
  }
}

/// A placeholder for a text or the value of an attribute in an `equalToXml`, its expression compiled.
private enum CompiledXMLPlaceholder: Sendable {
  /// Any text, or none.
  case ignore
  case isNumber
  case isDateTime
  /// A text that the expression matches as a whole.
  case regex(WholeValueRegex)

  /// Compiles a text that is nothing but a placeholder and white space around it; nil for any other text.
  init?(_ written: String, _ cache: inout CompilerCache) throws(CompileError) {
    let text = Self.trimmed(written)
    guard XMLPlaceholder.isOne(text) else { return nil }
    switch XMLPlaceholder(text) {
    case .ignore: self = .ignore
    case .isNumber: self = .isNumber
    case .isDateTime: self = .isDateTime
    case .regex(let expression): self = .regex(try cache.expression(expression))
    case nil:
      throw CompileError(
        code: .invalidPattern,
        reason: "unknown placeholder \(TextExcerpt.quoted(written)); there are "
          + XMLPlaceholder.forms.joined(separator: ", "))
    }
  }

  /// The text without white space around it.
  static func trimmed(_ text: String) -> String {
    FieldValues.trimmed(text.utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
  }

  func matches(_ actual: String, _ context: MatchContext) -> Bool? {
    switch self {
    case .ignore: true
    case .isNumber: NumberText.number(actual) != nil
    case .isDateTime: DateText.date(actual) != nil
    case .regex(let expression): context.matches(actual, expression)
    }
  }
}

extension XPathPattern: CompilableBody {
  func compiled(_ compiler: inout PatternCompiler) throws(CompileError) -> any CompiledBody {
    try MatchesXPath(self, &compiler)
  }
}

/// The operator `matchesXPath`.
struct MatchesXPath: CompiledBody {
  private let expression: XPathPattern
  private let path: CompiledQuery<XPath>
  private let value: (any CompiledValue)?

  init(_ expression: XPathPattern, _ compiler: inout PatternCompiler) throws(CompileError) {
    self.expression = expression
    (path, value) = try compiler.placed("matchesXPath") { (compiler) throws(CompileError) in
      guard expression.value != nil || !expression.namespaces.isEmpty else {
        return (try compiler.cache.xPath(expression), nil)
      }
      // An XPath with anything beside it is written as an object with `expression`.
      let path = try compiler.placed("expression") { (compiler) throws(CompileError) in
        try compiler.cache.xPath(expression)
      }
      guard let value = expression.value else { return (path, nil) }
      return (path, try compiler.value(value, isInObject: true))
    }
  }

  var pattern: BodyPattern { .matchesXPath(expression) }
  var form: PreparedBody.FormKind { .xml }
  var asksForCaptured: Bool { value?.asksForCaptured ?? false }

  func compare(_ body: PreparedBody, _ scope: MatchScope, _ report: BodyReport?) -> Bool? {
    let selection = body.selection(of: path)
    let verdict = selection.decided { selection in
      guard let value else { return selection.isSomething }
      return value.matches(FieldValues(selection.texts), scope)
    }
    if let report, verdict != true { explain(selection, scope, report) }
    return verdict
  }

  private func explain(
    _ selection: PreparedBody.Form<XPathResult>, _ scope: MatchScope, _ report: BodyReport
  ) {
    switch selection {
    case .value(let selection) where selection.texts.isEmpty:
      report.add(Mismatch.Part(.body), pattern.phrase, "selects nothing")
    case .value(let selection):
      if let value { report.distance = value.distance(selection.texts, scope) }
      report.addSelection(selection.texts, by: expression.expression, pattern.phrase)
    case .unknown(let reason): report.addReason(reason, pattern.phrase)
    case .empty, .malformed: break
    }
  }
}
