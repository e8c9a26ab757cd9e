internal import Foundation
internal import StubDBJSON

/// An operator of a body: all that the model knows of it.
///
/// What the engine knows of it is in its `BodyOperators.swift`.
protocol BodyOperator: Sendable {
  /// The name in a document.
  static var name: String { get }
  /// The other keys that an object with the operator may have.
  static var options: [OperatorOption] { get }
  /// What it means, for the JSON Schema.
  static var description: String { get }
  /// What its value must be, as members of a JSON Schema; empty for anything.
  static var schema: String { get }

  /// Reads a pattern from the value of the operator; `object` is what holds it.
  static func read(
    _ operand: DocumentNode, in object: DocumentNode, _ members: [String: JSONValue]
  ) throws(DocumentError) -> BodyPattern

  /// The operator and its options as a document has them.
  var members: [(String, DocumentTree)] { get }

  /// The pattern in words.
  func phrase(_ style: any PhraseStyle) -> String
}

extension BodyOperator {
  static var options: [OperatorOption] { [] }
}

extension BodyPattern {
  /// The operators of a body that are not those of a value, in canonical order.
  static let operators: [any BodyOperator.Type] = [
    BinaryOperator.self, EqualToJSONOperator.self, JSONPathOperator.self, JSONSchemaOperator.self,
    FormOperator.self, MultipartOperator.self, GraphQLPattern.self, XMLPattern.self,
    XPathPattern.self,
  ]

  /// The names of the operators of a body that are not those of a value.
  package static var operatorNames: [String] { operators.map { $0.name } }

  /// The operator, unless it is one of a value or one that combines patterns.
  var operation: (any BodyOperator)? {
    switch storage {
    case .value, .and, .or, .not: nil
    case .binaryEqualTo(let operation): operation
    case .equalToJSON(let operation): operation
    case .matchesJSONPath(let operation): operation
    case .matchesJSONSchema(let operation): operation
    case .form(let operation): operation
    case .multipart(let operation): operation
    case .graphQL(let operation): operation
    case .equalToXML(let operation): operation
    case .matchesXPath(let operation): operation
    }
  }
}

extension DocumentNode {
  /// One body pattern, or a list of them that all must match.
  func bodyPatterns() throws(DocumentError) -> [BodyPattern] {
    switch value {
    case .object(let members): return [try bodyPattern(members)]
    case .array:
      var patterns: [BodyPattern] = []
      for node in try list("a list of body patterns") {
        guard case .object(let members) = node.value else {
          throw node.wrongType("an operator such as {\"contains\": \"…\"}")
        }
        patterns.append(try node.bodyPattern(members))
      }
      return patterns
    default: throw wrongType("an operator such as {\"equalToJson\": {…}}, or a list of them")
    }
  }

  /// The operands of `and` and `or`, where a plain string is allowed too.
  private func operandPatterns() throws(DocumentError) -> [BodyPattern] {
    var patterns: [BodyPattern] = []
    for node in try list("a list of body patterns") { patterns.append(try node.operandPattern()) }
    return patterns
  }

  private func operandPattern() throws(DocumentError) -> BodyPattern {
    switch value {
    case .string(let text): return .value(.equalTo(text))
    case .object(let members): return try bodyPattern(members)
    default: throw wrongType("a string or an operator such as {\"contains\": \"…\"}")
    }
  }

  func bodyPattern(
    _ members: [String: JSONValue], besides others: [String] = []
  ) throws(DocumentError) -> BodyPattern {
    let name = try mainOperator(of: members, .body, besides: others)
    let operand = member(name, of: members)
    switch ValueOperator(rawValue: name) {
    case .and: return .and(try operand.operandPatterns())
    case .or: return .or(try operand.operandPatterns())
    case .not: return .not(try operand.operandPattern())
    case nil:
      guard let known = BodyPattern.operators.first(where: { $0.name == name }) else {
        throw failure(.unknownKey, "unknown operator \"\(name)\"")
      }
      return try known.read(operand, in: self, members)
    default: return .value(try valueOperator(name, of: members))
    }
  }
}

extension DocumentTree {
  /// The `body` of a request or a part: left out, an object, or a list.
  static func appendBody(
    _ patterns: [BodyPattern], to members: inout [(String, DocumentTree)]
  ) {
    if patterns.count == 1 {
      members.append(("body", .object(bodyMembers(patterns[0]))))
    } else if !patterns.isEmpty {
      members.append(("body", .list(patterns.map { .object(bodyMembers($0)) })))
    }
  }

  /// A body pattern as an operator and its options.
  static func bodyMembers(_ pattern: BodyPattern) -> [(String, DocumentTree)] {
    switch pattern.storage {
    case .value(let pattern): valueMembers(pattern)
    case .and(let patterns): [(ValueOperator.and.rawValue, operands(patterns))]
    case .or(let patterns): [(ValueOperator.or.rawValue, operands(patterns))]
    case .not(let pattern): [(ValueOperator.not.rawValue, operand(pattern))]
    default: pattern.operation?.members ?? []
    }
  }

  private static func operands(_ patterns: [BodyPattern]) -> DocumentTree {
    var words: [String] = []
    for pattern in patterns {
      guard case .value(let value) = pattern.storage, let text = value.literal else {
        return .list(patterns.map(operand))
      }
      words.append(text)
    }
    return .words(words)
  }

  private static func operand(_ pattern: BodyPattern) -> DocumentTree {
    if case .value(let value) = pattern.storage, let text = value.literal { return .string(text) }
    return .object(bodyMembers(pattern))
  }
}
