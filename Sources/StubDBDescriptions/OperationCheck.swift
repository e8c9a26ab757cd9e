internal import Foundation
internal import HTTPTypes
internal import StubDBEngine
internal import StubDBJSON
internal import StubDBModel

/// Compares one request with its operation.
struct OperationCheck {
  let operation: KeptDescription.Operation
  let url: URLParts
  let request: StubRequest
  let pathValues: [(name: String, value: String)]
  let origin: String
  /// Validates the readings of a value; the text says whose schema it is.
  let violations: (JSONValue, [JSONValue], String) -> [JSONSchemaViolation]

  /// What is wrong, in order.
  var found: [RequestViolation] { parameterViolations + queryViolations + contentViolations }

  private func violation(
    _ id: RequestViolation.ID, _ tokens: [String], _ message: String
  ) -> RequestViolation {
    RequestViolation(
      id: id, pointer: "\(JSONPointer(tokens))", message: message, origin: origin)
  }

  // MARK: Parameters

  private var parameterViolations: [RequestViolation] {
    operation.parameters.flatMap { parameter -> [RequestViolation] in
      let values = values(of: parameter)
      let tokens = [Self.member(of: parameter.place), parameter.name]
      if values.isEmpty {
        return parameter.isRequired
          ? [violation(.parameter, tokens, "missing, must be there")] : []
      }
      guard let schema = parameter.schema else { return [] }
      return values.flatMap { value in
        violations(
          schema, Self.readings(value), "\(parameter.place) \(parameter.name)"
        ).prefix(1).map { violation(.parameter, tokens, Self.phrase($0, in: .string(value))) }
      }
    }
  }

  private static func member(of place: String) -> String {
    switch place {
    case "header": "headers"
    case "cookie": "cookies"
    default: place
    }
  }

  private func values(of parameter: KeptDescription.Parameter) -> [String] {
    switch parameter.place {
    case "path": pathValues.filter { $0.name == parameter.name }.map(\.value)
    // Lists may be written `ids[]`.
    case "query":
      url.query.filter { [parameter.name, parameter.name + "[]"].contains($0.name) }.map(\.value)
    case "header":
      HTTPField.Name(parameter.name).map { request.headers[values: $0] } ?? []
    case "cookie":
      request.headers[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap {
        let pair = $0.split(separator: "=", maxSplits: 1).map {
          $0.trimmingCharacters(in: .whitespaces)
        }
        return pair.first == parameter.name ? pair.dropFirst().first ?? "" : nil
      }
    default: []
    }
  }

  /// A text as any other value, and as a string.
  private static func readings(_ text: String) -> [JSONValue] {
    ((try? JSONValue(parsing: text)).map { [$0] } ?? []) + [.string(text)]
  }

  private var queryViolations: [RequestViolation] {
    guard !operation.allowsAnyQuery else { return [] }
    let known = operation.parameters.filter { $0.place == "query" }.map(\.name)
    var names: [String] = []
    for item in url.query where !names.contains(item.name) {
      let bare = item.name.hasSuffix("[]") ? String(item.name.dropLast(2)) : item.name
      if !known.contains(item.name), !known.contains(bare) { names.append(item.name) }
    }
    return names.map { violation(.parameter, ["query", $0], "must not be there") }
  }

  // MARK: Content

  private var contentViolations: [RequestViolation] {
    guard let content = request.content, request.headers[.contentEncoding] == nil else { return [] }
    guard !content.isEmpty else {
      return operation.requiresContent
        ? [violation(.content, ["body"], "missing, must be there")] : []
    }
    guard !operation.content.isEmpty, let schema = schema() else { return [] }
    switch schema {
    case .undefined(let type):
      let types = operation.content.keys.sorted().joined(separator: " or ")
      return [
        violation(.undefinedMediaType, ["headers", "Content-Type"], "\(type), must be \(types)")
      ]
    case .any: return []
    case .json(let type, let schema):
      guard let value = try? JSONValue(parsing: content) else {
        return [violation(.content, ["body"], "not JSON, must be \(type)")]
      }
      return violations(schema, [value], "content \(type)").map { found in
        violation(
          .content, ["body"] + found.pointer.tokens,
          Self.phrase(found, in: value.value(at: found.pointer)))
      }
    }
  }

  private enum Content {
    case undefined(String)
    case any
    case json(String, JSONValue)
  }

  /// What the content must be; nil if the request does not say what it is.
  private func schema() -> Content? {
    let types = operation.content.keys.sorted()
    guard let given = request.headers[.contentType] else { return nil }
    let type = Self.bare(given)
    let isJSON = Self.isJSON(type)
    // The most specific range first.
    let ranges = types.map { ($0, Self.bare($0)) }
    let fitting =
      ranges.first { $0.1 == type } ?? ranges.first { isJSON && Self.isJSON($0.1) }
      ?? ranges.first { $0.1.hasSuffix("/*") && $0.1 != "*/*" && type.hasPrefix($0.1.dropLast()) }
      ?? ranges.first { $0.1 == "*/*" }
    guard let fitting, let schema = operation.content[fitting.0] else { return .undefined(type) }
    return isJSON ? .json(type, schema) : .any
  }

  private static func bare(_ type: String) -> String {
    type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
  }

  private static func isJSON(_ type: String) -> Bool {
    type.hasSuffix("/json") || type.hasSuffix("+json")
  }

  // MARK: Phrases

  /// What stands in a place, and what must.
  static func phrase(_ violation: JSONSchemaViolation, in value: JSONValue?) -> String {
    switch violation.keyword {
    case "type":
      let name = value?.typeName ?? "missing"
      return
        "\(name.hasPrefix("a ") ? String(name.dropFirst(2)) : name), must be \(violation.message)"
    case "false": return "must not be there"
    case "required", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties",
      "contains", "maxContains", "propertyNames", "minLength", "maxLength":
      return "must have \(violation.message)"
    default: return "must be \(violation.message)"
    }
  }
}

/// What a request violates of a description.
package struct RequestViolation: Hashable, Sendable {
  /// What kind of violation it is, the same ids as those of stubs.
  package enum ID: String, Sendable {
    case unknownPath = "unknown-path"
    case unknownMethod = "unknown-method"
    case undefinedMediaType = "undefined-media-type"
    case parameter = "request-parameter"
    case content = "request-body"
  }

  package let id: ID
  /// The place in the request: `/body/amount`, `/query/expand`, `/headers/X-Key`, `/cookies/id`, `/path/id`; empty for
  /// the whole.
  package let pointer: String
  /// What is there, and what must be.
  package let message: String
  /// The place in the description, such as `shop.yaml#/paths/~1charges/post`.
  package let origin: String
}
