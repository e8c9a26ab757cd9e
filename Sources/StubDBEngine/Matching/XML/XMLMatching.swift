import StubDBJSON
import StubDBModel
import StubDBXML

/// Compares XML with the documents and expressions of a scenario.
struct XMLMatching {
  let operands: CompiledOperands
  let context: MatchContext

  /// Compares a content with the document of a pattern; nil where the document is not known.
  func comparison(_ pattern: XMLPattern, _ actual: XMLTree) -> XMLComparison? {
    operands.documents[pattern.document].map { expected in
      XMLComparison(expected, actual, ignoreOrderOfSameNode: pattern.ignoreOrderOfSameNode) {
        isText($0, $1, placeholders: pattern.enablePlaceholders)
      }
    }
  }

  private func isText(_ expected: String, _ actual: String, placeholders: Bool) -> Bool? {
    guard placeholders, let placeholder = XMLPlaceholder(expected) else {
      return ByteText.isEqual(expected, actual)
    }
    switch placeholder {
    case .ignore: return true
    case .isNumber: return NumberText.number(actual) != nil
    case .isDateTime: return DateText.date(actual) != nil
    case .regex(let expression):
      return operands.expressions[expression].flatMap { context.matches(actual, $0) }
    case .unknown: return false
    }
  }
}
