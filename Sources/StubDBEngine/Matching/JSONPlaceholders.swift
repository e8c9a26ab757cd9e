import StubDBJSON
import StubDBModel

/// Decides what placeholders stand for, with the expressions of the scenario.
struct JSONPlaceholders {
  let operands: CompiledOperands
  let context: MatchContext

  /// Whether the placeholder stands for the value; nil where an expression takes too long.
  func matches(_ placeholder: JSONPlaceholder, _ actual: JSONValue) -> Bool? {
    switch (placeholder, actual) {
    case (.ignore, _), (.ignoreElement, _): true
    case (.anyString, .string), (.anyNumber, .number), (.anyBoolean, .bool): true
    case (.regex(let expression), .string(let text)):
      operands.expressions[expression].flatMap { context.matches(text, $0) }
    default: false
    }
  }
}
