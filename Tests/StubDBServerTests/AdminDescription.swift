#if Server
import Foundation
import StubDBDocuments
import StubDBJSON

@testable import StubDBServer

/// The description of the admin API, to hold answers against it.
struct AdminDescription {
  /// An operation of the description.
  struct Operation {
    let method: String
    /// The segments of the path; `{…}` stands for any one.
    let path: [String]
    let value: JSONValue

    /// The statuses with their responses.
    let responses: [Int: JSONValue]
    let parameters: [JSONValue]

    func names(of place: String) -> [String] {
      parameters.filter { $0["in"] == .string(place) }.compactMap { $0["name"]?.text }
    }
  }

  static let shared = Result { try AdminDescription() }

  let document: JSONValue
  let operations: [Operation]

  init() throws {
    document = try JSONValue(parsing: Data(OpenAPIDocument.text.utf8))
    let document = document
    func resolved(_ value: JSONValue) -> JSONValue {
      guard let text = value["$ref"]?.text,
        let pointer = JSONPointer(parsing: String(text.dropFirst()))
      else { return value }
      return document.value(at: pointer) ?? .null
    }
    operations = (document["paths"]?.members ?? [:]).flatMap { path, methods in
      methods.members.map { method, value in
        let responses = (value["responses"]?.members ?? [:]).map {
          (Int($0.key) ?? 0, resolved($0.value))
        }
        return Operation(
          method: method.uppercased(), path: path.split(separator: "/").map(String.init),
          value: value, responses: Dictionary(uniqueKeysWithValues: responses),
          parameters: (value["parameters"]?.elements ?? []).map(resolved))
      }
    }
  }

  /// What an answer has that the description does not say; empty for a request that it does not have.
  func contradictions(_ method: String, _ path: String, _ result: AdminResult) throws -> [String] {
    let segments = path.prefix { $0 != "?" }.split(separator: "/").map(String.init)
    let fitting = operations.filter {
      $0.method == method && $0.path.count == segments.count
        && zip($0.path, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
    let operation = fitting.min { one, _ in !one.path.contains { $0.hasPrefix("{") } }
    guard let operation else { return [] }
    guard let response = operation.responses[result.status] else {
      return ["the status \(result.status) is not described"]
    }
    guard let contents = response["content"]?.members else {
      return result.text.isEmpty ? [] : ["no content is described"]
    }
    let type = result.fields["content-type"] ?? ""
    guard let content = contents[type] else { return ["the type \(type) is not described"] }
    guard type.hasSuffix("json"), case .object(var schema)? = content["schema"] else { return [] }
    schema["components"] = document["components"]
    let value = try JSONValue(parsing: Data(result.text.utf8))
    return try JSONSchema(.object(schema)).violations(in: value).map(\.description)
  }
}

extension Result where Success == AdminDescription {
  func contradictions(_ method: String, _ path: String, _ result: AdminResult) throws -> [String] {
    try get().contradictions(method, path, result)
  }
}

extension JSONValue {
  subscript(_ name: String) -> JSONValue? { members[name] }

  var members: JSONObject {
    if case .object(let members) = self { members } else { [:] }
  }

  var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }

  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }
}
#endif
