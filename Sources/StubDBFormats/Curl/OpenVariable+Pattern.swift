internal import Foundation
internal import StubDBJSON
internal import StubDBModel

extension RequestPattern {
  /// The pattern with any values in the places of variables.
  ///
  /// - Throws: ``Untranslatable`` for a variable where any value cannot be said.
  func freeingVariables() throws -> RequestPattern {
    var pattern = self
    if case .template(let path) = path, OpenVariable.isIn(path) {
      pattern.path = try Self.free(path)
    }
    pattern.query = try query.filter { !OpenVariable.isIn($0.name) }.map {
      NamedPattern($0.name, try $0.pattern.freeingVariables())
    }
    pattern.headers = try headers.map {
      HeaderPattern($0.name, try $0.pattern.freeingVariables())
    }
    pattern.body = try body.map { try $0.freeingVariables() }
    return pattern
  }

  /// Whole segments become placeholders; a part of one makes the path an expression.
  private static func free(_ path: String) throws -> PathPattern {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map {
      OpenVariable.parts(of: String($0))
    }
    guard segments.allSatisfy({ $0.count < 2 }) else {
      return .value(.matches(try OpenVariable.expression(for: path, some: "[^/]+")))
    }
    var names = UniqueNames(limit: 60)
    let template = segments.map { parts in
      switch parts.first {
      case .none: return ""
      case .text(let text): return text
      case .variable(let name):
        let plain = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        return "{\(names.unique(plain.isEmpty ? "value" : plain))}"
      }
    }
    return .template(template.joined(separator: "/"))
  }
}

extension ValuePattern {
  fileprivate func freeingVariables() throws -> ValuePattern {
    try mapLeaves { leaf in
      guard let text = leaf.literal, OpenVariable.isIn(text) else { return leaf }
      return .matches(try OpenVariable.expression(for: text))
    }
  }
}

extension BodyPattern {
  fileprivate func freeingVariables() throws -> BodyPattern {
    switch storage {
    case .value(let value): return .value(try value.freeingVariables())
    case .and, .or, .not: return self
    case .operation(let operation):
      switch operation.base {
      case let json as EqualToJSONOperator:
        return .equalToJSON(try json.value.freeingVariables())
      case let form as FormOperator:
        let fields = form.fields.filter { !OpenVariable.isIn($0.name) }
        return .form(
          try fields.map { NamedPattern($0.name, try $0.pattern.freeingVariables()) },
          isExact: form.isExact && fields.count == form.fields.count)
      case let multipart as MultipartOperator:
        return .multipart(
          try multipart.parts.map { part in
            var part = part
            if let name = part.name, OpenVariable.isIn(name) { part.name = nil }
            part.filename = try part.filename?.freeingVariables()
            part.body = try part.body.map { try $0.freeingVariables() }
            return part
          }, isExact: multipart.isExact)
      case let graphQL as GraphQLPattern:
        guard !OpenVariable.isIn(graphQL.query ?? "") else {
          throw Untranslatable("a query with a variable of the shell")
        }
        return .graphQL(
          GraphQLPattern(
            operationName: try graphQL.operationName?.freeingVariables(),
            variables: try graphQL.variables?.freeingVariables(), query: graphQL.query))
      case let xml as XMLPattern where OpenVariable.isIn(xml.document):
        throw Untranslatable("XML with a variable of the shell")
      default: return self
      }
    }
  }
}

extension JSONValue {
  /// The value with placeholders where a text has variables.
  fileprivate func freeingVariables() throws -> JSONValue {
    switch self {
    case .string(let text):
      guard OpenVariable.isIn(text) else { return self }
      return OpenVariable.parts(of: text).count == 1
        ? JSONPlaceholder.any
        : JSONPlaceholder.regex(try OpenVariable.expression(for: text))
    case .array(let elements): return .array(try elements.map { try $0.freeingVariables() })
    case .object(let members):
      return .object(
        Dictionary(
          try members.map { (OpenVariable.written($0.key), try $0.value.freeingVariables()) }
        ) { first, _ in first })
    case .null, .bool, .number: return self
    }
  }
}
