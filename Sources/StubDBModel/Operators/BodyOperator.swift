package import StubDBJSON

/// An operator of a body: all that the model knows of it.
///
/// What the engine knows of it is in its `BodyOperators.swift`.
package protocol BodyOperator: Hashable, Sendable {
  /// The name in a document.
  static var name: String { get }
  /// The other keys that an object with the operator may have.
  static var options: [String] { get }
  /// What its value is.
  static var operand: BodyOperand { get }

  /// Reads a pattern from the value of the operator; `object` is what holds it.
  static func read(
    _ operand: DocumentNode, in object: DocumentNode, _ members: JSONObject
  ) throws(DocumentError) -> BodyPattern

  /// The pattern in words.
  func phrase(_ style: PhraseStyle) -> String
}

extension BodyOperator {
  package static var options: [String] { [] }
  package static var operand: BodyOperand { .pattern }
}

/// What the value of an operator of a body is, for what looks into documents without decoding them.
package enum BodyOperand: Sendable {
  /// A text, a pattern, or a list of patterns.
  case pattern
  /// Patterns by name.
  case patternsByName
  /// Any JSON, in which names are data.
  case json
  /// Bytes in base64.
  case bytes
  /// An object of the document's format.
  case object
}

/// An operator of a body of whatever type.
package struct AnyBodyOperator: Hashable, Sendable {
  package let base: any BodyOperator

  init(_ base: any BodyOperator) {
    self.base = base
  }

  package static func == (one: AnyBodyOperator, other: AnyBodyOperator) -> Bool {
    one.base.isEqual(to: other.base)
  }

  package func hash(into hasher: inout Hasher) { base.hash(into: &hasher) }
}

extension BodyOperator {
  fileprivate func isEqual(to other: any BodyOperator) -> Bool { other as? Self == self }
}

extension BodyPattern {
  /// What the values of these operators are, by name.
  package static let operands = Dictionary(
    uniqueKeysWithValues: operators.map { ($0.name, $0.operand) })
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
    _ members: JSONObject, besides others: [String] = []
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
