import StubDBJSON
import StubDBModel
import StubDBSupport

/// A JSON value to compare with, its placeholders compiled.
///
/// What holds no placeholder stays as the document has it, so that the value is not held twice.
enum ExpectedJSON: Sendable {
  /// A value without placeholders.
  case plain(JSONValue)
  case placeholder(Placeholder)
  /// An array that holds placeholders.
  case array([ExpectedJSON])
  /// An object that holds placeholders.
  case object([ByteText: ExpectedJSON])

  /// A JsonUnit placeholder for a value in an `equalToJson`.
  ///
  /// https://wiremock.org/docs/request-matching/#placeholders
  enum Placeholder: Sendable {
    /// Any value.
    case ignore
    /// Any value, or no such member.
    case ignoreElement
    case anyString
    case anyNumber
    case anyBoolean
    /// A string that the expression matches as a whole; the text is what the document has.
    case regex(String, WholeValueRegex)
  }

  /// Whether a member with this expected value may be missing.
  var isIgnoredElement: Bool {
    if case .placeholder(.ignoreElement) = self { true } else { false }
  }

  /// The value if it holds no placeholder.
  var plainValue: JSONValue? {
    if case .plain(let value) = self { value } else { nil }
  }

  /// Whether the value is an array or an object.
  var isContainer: Bool {
    switch self {
    case .plain(let value): value.isContainer
    case .placeholder: false
    case .array, .object: true
    }
  }

  /// The value as short text at a place that may say that it is secret.
  func text(at place: JSONPointer) -> String {
    JSONDifferences.text(written, at: place)
  }

  /// The value as the document has it.
  var written: JSONValue {
    switch self {
    case .plain(let value): value
    case .placeholder(let placeholder): .string(placeholder.written)
    case .array(let elements): .array(elements.map(\.written))
    case .object(let members): .object(JSONObject(members.map { ($0.string, $1.written) }))
    }
  }
}

extension ExpectedJSON.Placeholder {
  /// Compiles a text that is a placeholder as a whole; nil for any other text.
  init?(_ text: String, _ cache: inout CompilerCache) throws(CompileError) {
    guard let written = JSONPlaceholder(text) else { return nil }
    switch written.word {
    case .ignore: self = .ignore
    case .ignoreElement: self = .ignoreElement
    case .anyString: self = .anyString
    case .anyNumber: self = .anyNumber
    case .anyBoolean: self = .anyBoolean
    case .regex: self = .regex(written.expression, try cache.expression(written.expression))
    case nil:
      let words = JSONPlaceholder.Word.allCases.map(\.rawValue)
      let advice =
        words.nearest(to: written.name).map { "did you mean ${json-unit.\($0)}?" }
        ?? "there are \(words.joined(separator: ", "))"
      throw CompileError(
        code: .invalidPattern,
        reason: "unknown placeholder \(TextExcerpt.quoted(text)); \(advice)")
    }
  }

  /// Whether the placeholder represents the value; nil if its expression takes too long.
  func matches(_ actual: JSONValue, _ context: MatchContext) -> Bool? {
    switch (self, actual) {
    case (.ignore, _), (.ignoreElement, _): true
    case (.anyString, .string), (.anyNumber, .number), (.anyBoolean, .bool): true
    case (.regex(_, let expression), .string(let text)): context.matches(text, expression)
    default: false
    }
  }

  /// The placeholder in words.
  var phrase: String {
    switch self {
    case .ignore: "any value"
    case .ignoreElement: "any value, or none"
    case .anyString: "any string"
    case .anyNumber: "any number"
    case .anyBoolean: "true or false"
    case .regex(let expression, _): "a string that matches \(TextExcerpt.quoted(expression))"
    }
  }

  fileprivate var written: String {
    let word: JSONPlaceholder.Word =
      switch self {
      case .ignore: .ignore
      case .ignoreElement: .ignoreElement
      case .anyString: .anyString
      case .anyNumber: .anyNumber
      case .anyBoolean: .anyBoolean
      case .regex: .regex
      }
    let rest = if case .regex(let expression, _) = self { expression } else { "" }
    return "${json-unit.\(word.rawValue)}\(rest)"
  }
}

extension PatternCompiler {
  /// Compiles the placeholders in a JSON value.
  mutating func json(_ value: JSONValue) throws(CompileError) -> ExpectedJSON {
    switch value {
    case .null, .bool, .number: return .plain(value)
    case .string(let text):
      return try ExpectedJSON.Placeholder(text, &cache).map(ExpectedJSON.placeholder)
        ?? .plain(value)
    case .array(let elements):
      guard value.holdsPlaceholder else { return .plain(value) }
      var compiled: [ExpectedJSON] = []
      for (index, element) in elements.enumerated() {
        compiled.append(
          try placed(String(index)) { (compiler) throws(CompileError) in
            try compiler.json(element)
          })
      }
      return .array(compiled)
    case .object(let members):
      guard value.holdsPlaceholder else { return .plain(value) }
      var compiled: [ByteText: ExpectedJSON] = [:]
      for (name, member) in members {
        compiled[ByteText(name)] = try placed(name) { (compiler) throws(CompileError) in
          try compiler.json(member)
        }
      }
      return .object(compiled)
    }
  }
}
