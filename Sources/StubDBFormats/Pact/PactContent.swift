internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// The content of a message of a contract.
struct PactContent {
  enum Form {
    case none, empty
    case json(JSONValue)
    case text(String)
    case bytes(Data)
  }

  let form: Form
  /// The media type in lower case; empty if it is not known.
  let type: String

  /// - Throws: ``Unanswerable`` for a content in an encoding that is not known, or that is not in the one it names.
  init(_ body: SourceValue, version: PactVersion, headers: SourceValue?) throws {
    let header = headers?.members.first { $0.name.lowercased() == "content-type" }?.value
    let declared = header?.elements.first?.peekedText ?? header?.peekedText
    guard version.number >= 4, body.isObject else {
      type = declared?.lowercased() ?? ""
      form = body.isNull ? .empty : Self.form(body, type)
      body.keep()
      return
    }
    guard let content = body["content"] else {
      guard body.members.isEmpty else { throw Unanswerable("its content has no \"content\"") }
      (type, form) = (declared?.lowercased() ?? "", .none)
      return
    }
    type = (body.text("contentType") ?? declared ?? "").lowercased()
    switch body.text("encoded")?.lowercased() ?? "false" {
    case "base64":
      guard let bytes = content.text.flatMap(Base64Text.decoded) else {
        throw Unanswerable("its content is not base64")
      }
      form = .bytes(bytes)
    case "false", "json": form = Self.form(content, type)
    case let encoding: throw Unanswerable("its content has the encoding \(encoding)")
    }
    body.ignore("contentTypeHint")
  }

  private static func form(_ value: SourceValue, _ type: String) -> Form {
    guard value.isString else { return .json(value.json) }
    let text = value.text ?? ""
    if text.isEmpty { return .empty }
    if let json = JSONTextRule.stubFiles.json(Data(text.utf8), type: type) { return .json(json) }
    // A contract has JSON as it is, so a text of its type is a JSON string.
    return type.contains("json") ? .json(.string(text)) : .text(text)
  }
}

/// Translates the response of an interaction.
struct PactResponseReader {
  let version: PactVersion

  /// The response with its examples, because rules say what else a provider may answer, and with templates for what is
  /// generated anew each time.
  func response(_ response: SourceValue) throws -> StubResponse {
    var builder = ResponseBuilder(leavingOut: [])
    response.ignore("matchingRules")
    if let status = response.integer("status"), (100...999).contains(status) {
      builder.status = status
    }
    builder.addHeaders(response["headers"])
    let generators = response["generators"]
    if generators?.isNull ?? false { generators?.ignore() }
    if let body = response["body"] {
      switch try PactContent(body, version: version, headers: response["headers"]).form {
      case .none, .empty: break
      case .json(let value): builder.content = .json(value)
      case .text(let text): builder.content = .body(.text(text))
      case .bytes(let data): builder.content = .body(.data(data))
      }
    }
    return PactGenerators(generators, in: try builder.checked()).response
  }
}
