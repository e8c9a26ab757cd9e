import FoundationEssentials
import StubDBJSON
package import StubDBModel

/// An operator of a body as a document has it.
package protocol WrittenBodyOperator: BodyOperator {
  /// The operator and its options.
  var members: [(String, OrderedJSON)] { get }
}

extension EqualToJSONOperator: WrittenBodyOperator {
  package var members: [(String, OrderedJSON)] {
    [(Self.name, .json(value))] + OrderedJSON.flag("ignoreArrayOrder", ignoreArrayOrder)
      + OrderedJSON.flag("ignoreExtraElements", ignoreExtraElements)
  }
}

extension JSONPathOperator: WrittenBodyOperator {
  package var members: [(String, OrderedJSON)] {
    guard let pattern else { return [(Self.name, .string(query))] }
    let members = [("expression", OrderedJSON.string(query))] + OrderedJSON.bodyMembers(pattern)
    return [(Self.name, .object(members))]
  }
}

extension JSONSchemaOperator: WrittenBodyOperator {
  package var members: [(String, OrderedJSON)] {
    [(Self.name, .json(schema))]
      + OrderedJSON.text(
        "schemaVersion", dialect == Self.defaultDialect ? nil : dialect?.rawValue)
  }
}

extension BinaryOperator: WrittenBodyOperator {
  package var members: [(String, OrderedJSON)] {
    [(Self.name, .string(bytes.base64EncodedString()))]
  }
}

extension FormOperator: WrittenBodyOperator {
  package var members: [(String, OrderedJSON)] {
    [(Self.name, OrderedJSON.named(fields, isCaseSensitive: true))]
      + OrderedJSON.flag("isExact", isExact)
  }
}

extension XMLPattern: WrittenBodyOperator {
  package var members: [(String, OrderedJSON)] {
    [(Self.name, .string(document))] + OrderedJSON.flag("enablePlaceholders", enablePlaceholders)
      + OrderedJSON.flag("ignoreOrderOfSameNode", ignoreOrderOfSameNode)
  }
}

extension XPathPattern: WrittenBodyOperator {
  package var members: [(String, OrderedJSON)] {
    if namespaces.isEmpty, value == nil { return [(Self.name, .string(expression))] }
    var members = [("expression", OrderedJSON.string(expression))]
    if !namespaces.isEmpty {
      members.append(("namespaces", .json(.object(namespaces.mapValues(JSONValue.string)))))
    }
    if let value { members += OrderedJSON.valueMembers(value) }
    return [(Self.name, .object(members))]
  }
}

extension MultipartOperator: WrittenBodyOperator {
  package var members: [(String, OrderedJSON)] {
    [(Self.name, .array(parts.map(Self.tree)))] + OrderedJSON.flag("isExact", isExact)
  }

  private static func tree(_ part: PartPattern) -> OrderedJSON {
    var members = OrderedJSON.text("name", part.name)
    if let filename = part.filename { members.append(("filename", OrderedJSON.value(filename))) }
    if let headers = OrderedJSON.names(part.headers.map(\.named), isCaseSensitive: false) {
      members.append(("headers", headers))
    }
    if let body = OrderedJSON.body(part.body) { members.append(("body", body)) }
    return .object(members)
  }
}

extension GraphQLPattern: WrittenBodyOperator {
  package var members: [(String, OrderedJSON)] {
    var members: [(String, OrderedJSON)] = []
    if let operationName { members.append(("operationName", OrderedJSON.value(operationName))) }
    if let variables { members.append(("variables", .json(variables))) }
    members += OrderedJSON.text("query", query)
    return [(Self.name, .object(members))]
  }
}

extension OrderedJSON {
  /// The `body` of a request or a part: an object, a list, or nil if it is left out.
  static func body(_ patterns: [BodyPattern]) -> OrderedJSON? {
    if patterns.count == 1 { return .object(bodyMembers(patterns[0])) }
    return patterns.isEmpty ? nil : .array(patterns.map { .object(bodyMembers($0)) })
  }

  /// A body pattern as an operator and its options.
  static func bodyMembers(_ pattern: BodyPattern) -> [(String, OrderedJSON)] {
    switch pattern.storage {
    case .value(let pattern): valueMembers(pattern)
    case .and(let patterns): [(ValueOperator.and.rawValue, operands(patterns))]
    case .or(let patterns): [(ValueOperator.or.rawValue, operands(patterns))]
    case .not(let pattern): [(ValueOperator.not.rawValue, operand(pattern))]
    case .operation(let operation): (operation.base as? any WrittenBodyOperator)?.members ?? []
    }
  }

  private static func operands(_ patterns: [BodyPattern]) -> OrderedJSON {
    var words: [String] = []
    for pattern in patterns {
      guard case .value(let value) = pattern.storage, let text = value.literal else {
        return .array(patterns.map(operand))
      }
      words.append(text)
    }
    return .words(words)
  }

  private static func operand(_ pattern: BodyPattern) -> OrderedJSON {
    if case .value(let value) = pattern.storage, let text = value.literal { return .string(text) }
    return .object(bodyMembers(pattern))
  }
}
