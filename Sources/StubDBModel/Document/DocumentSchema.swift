internal import Foundation

extension ScenarioDocument {
  /// The JSON Schema (2020-12) of a document, as text with a trailing newline.
  public static let schema = DocumentSchema.text
}

/// The JSON Schema of a document, its operators and the parts of requests and responses taken from
/// their tables.
enum DocumentSchema {
  /// The operators whose operands are patterns of the same kind: of values, or of bodies.
  private static let combining: [ValueOperator] = [.and, .or, .not]

  /// The parts of a response that say its content.
  private static let contents: [ResponsePart] = [.json, .text, .base64, .file]

  static var text: String {
    let texts = ValueOperator.allCases.filter { !combining.contains($0) }
    let requestParts = RequestPart.all.map {
      ($0.rawValue, value($0.schemaDescription, $0.schemaMembers))
    }
    let responseParts = ResponsePart.all.map {
      ($0.rawValue, value($0.schemaDescription, $0.schemaMembers))
    }
    let unused = ResponsePart.all.filter { part in
      Delegation.allCases.allSatisfy { !part.isUsed(with: $0) }
    }
    let noSocket = ResponsePart.all.filter { !$0.isUsedWithWebSocket }
    let parts = [
      "requestParts": object(requestParts, depth: 4),
      "responseParts": object(responseParts, depth: 4),
      "unsentParts": object(ResponsePart.sent.map { ($0.rawValue, "false") }, depth: 7),
      "unusedParts": object(unused.map { ($0.rawValue, "false") }, depth: 7),
      "noSocketParts": object(noSocket.map { ($0.rawValue, "false") }, depth: 7),
      "contentPairs": contentPairs(depth: 7),
      "callbackContentPairs": contentPairs(depth: 5),
      "otherwise": OperatorOption.words(WebSocketScript.Otherwise.allCases.map(\.rawValue)),
      "frameFaults": OperatorOption.words(WebSocketScript.Frame.faults.map(\.rawValue)),
      "oneValueOperator": oneOf(DocumentOperators.value.names),
      "oneBodyOperator": oneOf(DocumentOperators.body.names),
      "textOperators": definition(
        texts.map { property(of: $0, operand: "valuePattern") }),
      "valueOperators": definition(
        combining.map { property(of: $0, operand: "valuePattern") }, isExtension: true),
      "bodyOperators": definition(
        combining.map { property(of: $0, operand: "bodyOperand") }
          + BodyPattern.operators.map { property(of: $0) },
        isExtension: true),
    ]
    return parts.reduce(template) { text, part in
      text.replacingOccurrences(of: "<\(part.key)>", with: part.value)
    }
  }

  /// A requirement of each two kinds of content, of which a response has one.
  private static func contentPairs(depth: Int) -> String {
    let names = contents.map(\.rawValue)
    let pairs = names.indices.flatMap { one in
      names[(one + 1)...].map { "{\"required\": [\"\(names[one])\", \"\($0)\"]}" }
    }
    return pairs.joined(separator: ",\n" + String(repeating: "  ", count: depth))
  }

  /// An operator with its options.
  private struct Property {
    let name: String
    let description: String
    let schema: String
    let options: [OperatorOption]
  }

  private static func property(of known: ValueOperator, operand: String) -> Property {
    Property(
      name: known.rawValue, description: known.schemaDescription,
      schema: known.kind.schema(operand: operand), options: known.options)
  }

  private static func property(of known: any BodyOperator.Type) -> Property {
    Property(
      name: known.name, description: known.description, schema: known.schema,
      options: known.options)
  }

  private static func oneOf(_ names: [String]) -> String {
    object([("oneOf", list(names.map { "{\"required\": [\"\($0)\"]}" }))])
  }

  private static func definition(
    _ properties: [Property], isExtension: Bool = false
  ) -> String {
    var members: [(String, String)] = isExtension ? [("$ref", "\"#/$defs/textOperators\"")] : []
    var described: [(String, String)] = []
    for property in properties {
      described.append((property.name, value(property.description, property.schema)))
      for option in property.options where !described.contains(where: { $0.0 == option.name }) {
        described.append((option.name, value(option.description, option.schema)))
      }
    }
    members.append(("properties", object(described, depth: 4)))
    members += dependencies(properties)
    return object(members)
  }

  /// What an option needs: its operator, one of its operators, another option.
  private static func dependencies(_ properties: [Property]) -> [(String, String)] {
    var (required, schemas): ([(String, String)], [(String, String)]) = ([], [])
    var seen: Set<String> = []
    for option in properties.flatMap(\.options) where seen.insert(option.name).inserted {
      let owners = properties.filter { $0.options.contains { $0.name == option.name } }.map(\.name)
      let needed = (owners.count == 1 ? owners : []) + (option.partner.map { [$0] } ?? [])
      if !needed.isEmpty {
        required.append((option.name, "[\(OperatorOption.words(needed))]"))
      }
      if owners.count > 1 {
        let choices = owners.map { "{\"required\": [\"\($0)\"]}" }.joined(separator: ", ")
        schemas.append((option.name, "{\"anyOf\": [\(choices)]}"))
      }
    }
    return [("dependentRequired", required), ("dependentSchemas", schemas)]
      .filter { !$0.1.isEmpty }.map { ($0.0, object($0.1, depth: 4)) }
  }

  private static func value(_ description: String, _ schema: String) -> String {
    "{\"description\": \"\(description)\"" + (schema.isEmpty ? "" : ", " + schema) + "}"
  }

  /// An object with a member a line; `depth` is that of its members in steps of two spaces.
  private static func object(_ members: [(String, String)], depth: Int = 3) -> String {
    let indent = String(repeating: "  ", count: depth)
    return "{\n" + members.map { "\(indent)\"\($0.0)\": \($0.1)" }.joined(separator: ",\n")
      + "\n" + indent.dropLast(2) + "}"
  }

  private static func list(_ elements: [String]) -> String {
    "[\n" + elements.map { "        " + $0 }.joined(separator: ",\n") + "\n      ]"
  }
}

extension ValueOperator.Kind {
  /// What the value of an operator must be; `operand` names the definition of patterns.
  fileprivate func schema(operand: String) -> String {
    switch self {
    case .text, .part: #""type": "string""#
    case .expression: #""type": "string", "minLength": 1, "format": "regex""#
    case .name:
      #""type": "string", "minLength": 1, "not": {"pattern": "[\\u0000-\\u001f\\u007f-\\u009f]"}"#
    case .isTrue: #""const": true"#
    case .number: #""type": "number""#
    case .date: #""type": "string", "minLength": 1"#
    case .pattern: "\"$ref\": \"#/$defs/\(operand)\""
    case .patterns: "\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/\(operand)\"}"
    }
  }
}
