internal import HTTPTypes
import StubDBContainment
package import StubDBJSON
package import StubDBModel

/// The values that a request pattern asks for, apart from what it is otherwise.
///
/// A place is a query parameter (`/query/ts`), a header field (`/headers/x-request-id`), or a value in a JSON content,
/// a form or the variables of a GraphQL operation (`/body/items/0/id`).
package struct RequestPlaces {
  /// What a request must have at a place.
  package enum Value: Hashable {
    /// Anything, but it must have something.
    case free
    case json(JSONValue)
    case pattern(ValuePattern)

    /// The text of a value that is given; nil for a pattern that several values match, and for true, false and null.
    package var text: String? {
      switch self {
      case .json(.string(let text)): text
      case .json(.number(let number)): number.text
      case .pattern(let pattern): pattern.literal
      case .free, .json: nil
      }
    }

    fileprivate var isFree: Bool {
      switch self {
      case .free, .json(RequestPlaces.anyJSON), .pattern(.anything): true
      case .pattern(let pattern): pattern == RequestPlaces.anyText
      case .json: false
      }
    }
  }

  /// A JSON value that represents any.
  fileprivate static let anyJSON = JSONPlaceholder.any
  fileprivate static let anyText = ValuePattern.matches(".*")
  /// A content with more values than this is one that no two requests share but for a few.
  private static let maximumCount = 1_000

  /// The pattern without the values; equal for patterns with the same places.
  let skeleton: RequestPattern
  /// In a fixed order.
  package let values: [Value]

  package init(_ request: RequestPattern) {
    var values: [Value] = []
    let skeleton = request.mapPlaces { _, value in
      values.append(value.isFree ? .free : value)
      if case .pattern = value { return .pattern(Self.anyText) }
      return .free
    }
    (self.skeleton, self.values) = (skeleton.withoutExactness, values)
  }

  /// The places of a pattern, in the same order.
  package static func pointers(of request: RequestPattern) -> [JSONPointer] {
    var pointers: [JSONPointer] = []
    _ = request.mapPlaces { pointer, value in
      pointers.append(JSONPointer(pointer))
      return value
    }
    return pointers
  }

  /// Whether a value has more values inside than are distinguished.
  fileprivate static func isTooLarge(_ json: JSONValue) -> Bool {
    var (count, open) = (0, [json])
    while let value = open.popLast(), count <= maximumCount {
      switch value {
      case .array(let elements): open += elements
      case .object(let members): open += members.values
      default: count += 1
      }
      if open.count > maximumCount { return true }
    }
    return count > maximumCount
  }
}

extension RequestPattern {
  /// The pattern with places left free, so that it matches all that it matched.
  package func freeing(_ places: Set<JSONPointer>) -> RequestPattern {
    mapPlaces { pointer, value in places.contains(JSONPointer(pointer)) ? .free : value }
  }

  /// The pattern with the value at each place replaced.
  fileprivate func mapPlaces(
    _ transform: ([String], RequestPlaces.Value) -> RequestPlaces.Value
  ) -> RequestPattern {
    var mapped = self
    mapped.query = query.map { $0.mapped("query", transform) }
    mapped.headers = headers.map { field in
      let pattern = NamedPattern(field.name.canonicalName, field.pattern)
      return HeaderPattern(field.name, pattern.mapped("headers", transform).pattern)
    }
    // Several patterns for one content have no places of their own.
    if body.count == 1 { mapped.body = [body[0].mapPlaces(transform)] }
    return mapped
  }
}

extension NamedPattern {
  /// What asks for nothing or for no value has no place.
  fileprivate func mapped(
    _ part: String, _ transform: ([String], RequestPlaces.Value) -> RequestPlaces.Value
  ) -> NamedPattern {
    if pattern == .absent { return self }
    switch transform([part, name], .pattern(pattern)) {
    case .pattern(let mapped): return NamedPattern(name, mapped)
    // What may be missing may go on missing.
    case .free, .json:
      return NamedPattern(name, pattern == .anything ? .anything : RequestPlaces.anyText)
    }
  }
}

extension BodyPattern {
  fileprivate func mapPlaces(
    _ transform: ([String], RequestPlaces.Value) -> RequestPlaces.Value
  ) -> BodyPattern {
    switch operation {
    case var json as EqualToJSONOperator
    where !json.ignoreArrayOrder && !RequestPlaces.isTooLarge(json.value):
      json.value = json.value.mapPlaces(["body"], transform)
      return BodyPattern(json)
    case var form as FormOperator:
      form.fields = form.fields.map { $0.mapped("body", transform) }
      return BodyPattern(form)
    case var operation as GraphQLPattern:
      guard let variables = operation.variables, !RequestPlaces.isTooLarge(variables) else {
        return self
      }
      operation.variables = variables.mapPlaces(["body", "variables"], transform)
      return .graphQL(operation)
    default: return self
    }
  }
}

extension JSONValue {
  fileprivate func mapPlaces(
    _ place: [String], _ transform: ([String], RequestPlaces.Value) -> RequestPlaces.Value
  ) -> JSONValue {
    switch self {
    case .array(let elements):
      return .array(
        elements.enumerated().map { $0.element.mapPlaces(place + [String($0.offset)], transform) })
    case .object(let members):
      var mapped = members
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        mapped[name] = value.mapPlaces(place + [name], transform)
      }
      return .object(mapped)
    case .null, .bool, .number, .string:
      if case .json(let value) = transform(place, .json(self)) { return value }
      return RequestPlaces.anyJSON
    }
  }
}
