internal import Foundation
internal import HTTPTypes
internal import StubDBJSON
internal import StubDBModel

extension LiveQuestionBuilder {
  /// A pattern of the content that only one content satisfies, as far as a server distinguishes contents.
  func concrete(_ pattern: BodyPattern) throws(LiveSkip) -> BodyPattern {
    switch pattern.storage {
    case .value(let value) where value.isConcrete: return pattern
    case .operation(let operation):
      switch operation.base {
      case let json as EqualToJSONOperator:
        return .equalToJSON(try filled(json.value, at: JSONPointer()))
      case let form as FormOperator where form.fields.allSatisfy({ $0.pattern.isConcrete }):
        return pattern
      case let parts as MultipartOperator where parts.parts.allSatisfy(\.isConcrete): return pattern
      case let xml as XMLPattern where !xml.enablePlaceholders: return pattern
      case let query as GraphQLPattern
      where query.query != nil && query.operationName.map(\.isConcrete) ?? true:
        return pattern
      case is BinaryOperator: return pattern
      default: break
      }
    default: break
    }
    throw LiveSkip("its content has no single value")
  }

  /// The value with the values of parameters in place of its placeholders.
  private func filled(_ value: JSONValue, at place: JSONPointer) throws(LiveSkip) -> JSONValue {
    switch value {
    case .object(var members):
      for (name, member) in members {
        members[name] = try filled(member, at: place.appending(name))
      }
      return .object(members)
    case .array(let elements):
      var filledElements: [JSONValue] = []
      for (index, element) in elements.enumerated() {
        filledElements.append(try filled(element, at: place.appending(index)))
      }
      return .array(filledElements)
    case .string(let text) where JSONPlaceholder(text) != nil:
      guard let given = options.parameters["\(place)"] else {
        throw LiveSkip("its content is open at \(place); give a value with --param \(place)=VALUE")
      }
      return (try? JSONValue(parsing: given)) ?? .string(given)
    default: return value
    }
  }
}

extension StubResponse {
  /// Whether a template has values that a run keeps.
  var usesCaptures: Bool {
    guard isTemplate else { return false }
    let content = body?.bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
    return ([content] + headers.map(\.value)).contains {
      $0.firstMatch(of: /\{\{[^{}]*\bcaptured/) != nil
    }
  }
}

extension PartPattern {
  var isConcrete: Bool {
    filename.map(\.isConcrete) ?? true && headers.allSatisfy { $0.pattern.isConcrete }
      && body.allSatisfy {
        if case .value(let value) = $0.storage { value.isConcrete } else { false }
      }
  }
}

extension BodyPattern {
  var isGraphQL: Bool { operation is GraphQLPattern }

  /// Whether the pattern has the text of a GraphQL query, which changes nothing.
  var isGraphQLQuery: Bool {
    guard let query = (operation as? GraphQLPattern)?.query else { return false }
    return query.firstMatch(of: /\b(mutation|subscription)\b/) == nil
  }
}

extension HeaderPattern {
  /// Whether the field proves who asks.
  var isCredential: Bool {
    [.authorization, .proxyAuthorization, .cookie].contains(name)
      || SensitiveName.hides(name.canonicalName, value: pattern.literal ?? "a long enough value")
  }
}

extension ValuePattern {
  /// Whether the pattern says which values there are, or that there need be none.
  var isConcrete: Bool {
    switch self.operator {
    case .equalTo, .equalToNumber, .absent, .anything, .doesNotContain, .doesNotMatch, .not: true
    case .hasExactly, .includes, .and: patterns.allSatisfy(\.isConcrete)
    case .contains, .matches, .equalToCaptured, .greaterThanNumber, .greaterThanEqualNumber,
      .lessThanNumber, .lessThanEqualNumber, .before, .after, .equalToDateTime, .or:
      false
    }
  }

  /// Whether a request without the value satisfies the pattern.
  var isSatisfiedByNothing: Bool {
    switch self.operator {
    case .absent, .anything, .doesNotContain, .doesNotMatch: true
    case .and: patterns.allSatisfy(\.isSatisfiedByNothing)
    default: false
    }
  }
}
