import StubDBJSON
import StubDBModel

/// Describes patterns in words, such as `is "customer"` or `matches "Bearer .+"`.
enum Phrase {
  /// The description of a value pattern, to follow its name.
  static func of(_ pattern: ValuePattern) -> String {
    switch pattern {
    case .equalTo(let text, let caseInsensitive):
      "is \(Printable.value(text))" + (caseInsensitive ? " in any case" : "")
    case .contains(let text): "contains \(Printable.value(text))"
    case .doesNotContain(let text): "does not contain \(Printable.value(text))"
    case .matches(let expression): "matches \(Printable.value(expression))"
    case .doesNotMatch(let expression): "does not match \(Printable.value(expression))"
    case .absent: "is absent"
    case .anything: "is anything"
    case .equalToCaptured(let name): "is the value captured as \(Printable.value(name))"
    case .number(let comparison, let number): "\(symbol(comparison)) \(number.text)"
    case .date(let comparison, let date): "\(word(comparison)) \(Printable.line(date.expected))"
    case .and(let patterns): joined(patterns.map(of), " and ", none: "is anything")
    case .or(let patterns): joined(patterns.map(of), " or ", none: "is impossible")
    case .not(let pattern): "not (\(of(pattern)))"
    case .hasExactly(let patterns): "has exactly the values: " + list(patterns.map(of))
    case .includes(let patterns): "has among its values: " + list(patterns.map(of))
    }
  }

  /// The description of a body pattern, to follow "body".
  static func of(_ pattern: BodyPattern) -> String {
    switch pattern {
    case .value(let pattern): of(pattern)
    case .binaryEqualTo(let data): "is these \(Counted.bytes(data.count))"
    case .equalToJSON(let value, let anyOrder, let extraElements):
      "equals JSON \(json(value))" + (anyOrder ? ", arrays in any order" : "")
        + (extraElements ? ", more members allowed" : "")
    case .matchesJSONPath(let path, let pattern):
      "at \(Printable.line(path)) " + (pattern.map(of) ?? "has something")
    case .matchesJSONSchema(let schema, _): "satisfies the JSON Schema \(json(schema))"
    case .form(let fields):
      joined(
        fields.map { "field \(Printable.line($0.name)) \(of($0.pattern))" }, " and ",
        none: "is a form")
    case .multipart(let parts): "has the parts: " + list(parts.map(of))
    case .graphQL(let operation): of(operation)
    case .equalToXML(let pattern):
      "equals XML \(Printable.value(pattern.document))"
    case .matchesXPath(let pattern):
      "at \(Printable.line(pattern.expression)) " + (pattern.value.map(of) ?? "has something")
    case .and(let patterns): joined(patterns.map(of), " and ", none: "is anything")
    case .or(let patterns): joined(patterns.map(of), " or ", none: "is impossible")
    case .not(let pattern): "not (\(of(pattern)))"
    }
  }

  private static func of(_ part: PartPattern) -> String {
    var phrases = [part.name.map { "named \(Printable.value($0))" } ?? "any name"]
    if let filename = part.filename { phrases.append("whose file name \(of(filename))") }
    phrases += part.headers.map { "whose \(Printable.line($0.name)) \(of($0.pattern))" }
    phrases += part.body.map { "whose content \(of($0))" }
    return phrases.joined(separator: " ")
  }

  private static func of(_ operation: GraphQLPattern) -> String {
    var phrases: [String] = []
    if let name = operation.operationName { phrases.append("operation \(of(name))") }
    if let variables = operation.variables { phrases.append("variables equal \(json(variables))") }
    if let query = operation.query {
      phrases.append("query is \(Printable.value(query))")
    }
    return "is GraphQL" + (phrases.isEmpty ? "" : ": ") + phrases.joined(separator: ", ")
  }

  private static func json(_ value: JSONValue) -> String {
    Printable.line(value.canonicalText)
  }

  private static func joined(_ phrases: [String], _ separator: String, none: String) -> String {
    phrases.isEmpty ? none : phrases.joined(separator: separator)
  }

  private static func list(_ phrases: [String]) -> String {
    phrases.map { "(\($0))" }.joined(separator: ", ")
  }

  private static func symbol(_ comparison: NumberComparison) -> String {
    switch comparison {
    case .equalTo: "equals the number"
    case .greaterThan: ">"
    case .greaterThanOrEqual: ">="
    case .lessThan: "<"
    case .lessThanOrEqual: "<="
    }
  }

  private static func word(_ comparison: DateComparison) -> String {
    switch comparison {
    case .before: "is before"
    case .after: "is after"
    case .equalTo: "is the moment"
    }
  }
}
