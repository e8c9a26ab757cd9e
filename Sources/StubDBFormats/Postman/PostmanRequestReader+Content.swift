internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// The pattern of the content of a request.
extension PostmanRequestReader {
  func applyBody(
    _ value: SourceValue?, _ headers: RecordedHeaders, to pattern: inout RequestPattern
  ) throws {
    guard let value, !value.isNull, value["disabled"]?.bool != true else {
      value?.ignore()
      return
    }
    let language = value["options"]?["raw"]?["language"]?.peekedText
    value.ignore("options")
    var body = RecordedBody.none
    var type = headers["Content-Type"]
    let mode = value.text("mode") ?? "none"
    let content = value[mode] ?? value["content"]
    switch mode {
    case "raw":
      let filled = variables.fill(content?.text ?? "")
      if language == "json", type == nil { type = "application/json" }
      if !filled.open.isEmpty {
        pattern.body = [try json(with: filled)]
        return
      }
      body = .text(filled.text)
    case "urlencoded": body = .form(fields(content))
    case "formdata": body = .multipart(parts(content))
    case "graphql": body = .text(try graphQL(content))
    case "file":
      content?.ignore()
      source.add(.changed, .noRequestBody, "The content is a file; any content matches")
    case "none": break
    default: throw Untranslatable("a content of the mode \(mode)")
    }
    if [.form([]), .multipart([])].contains(body) { body = .none }
    let own = value[mode] == nil ? "content" : mode
    value.ignoreUnread { Self.modes.contains($0) && $0 != own }
    switch RequestBodyPattern().pattern(for: body, contentType: type) {
    case .pattern(let found, _): pattern.body = [found]
    case .unmatched(let reason): throw Untranslatable("its content", reason)
    case .none: break
    }
  }

  /// What Postman keeps beside the content that it sends.
  private static let modes: Set<String> = [
    "raw", "urlencoded", "formdata", "graphql", "file", "content",
  ]

  /// JSON in which variables without a value represent any value.
  private func json(with filled: PostmanVariables.Filled) throws -> BodyPattern {
    var text = filled.text
    for name in filled.open {
      text = text.replacingOccurrences(of: "\"{{\(name)}}\"", with: "\"${json-unit.ignore}\"")
      text = text.replacingOccurrences(of: "{{\(name)}}", with: "\"${json-unit.ignore}\"")
    }
    guard let json = try? JSONValue(parsing: text), json.isContainer else {
      throw Untranslatable("a content with {{\(filled.open[0])}}")
    }
    source.add(
      .changed, .variable, "{{\(filled.open[0])}} has no value; any value matches in its place")
    return .equalToJSON(json)
  }

  /// The name of a field or a part; nil without one, and for an unknown one, which is reported.
  private func name(of entry: SourceValue) -> String? {
    guard let text = entry.text("key") else { return nil }
    let filled = variables.fill(text)
    guard let open = filled.open.first else { return filled.text }
    entry.ignoreUnread()
    source.add(.changed, .variable, "{{\(open)}} has no value; the field or part \(text) is free")
    return nil
  }

  private func fields(_ list: SourceValue?) -> [RecordedHeaders.Field] {
    (list?.elements ?? []).compactMap { field in
      defer { Self.settle(field) }
      guard !Self.isDisabled(field), let name = name(of: field) else { return nil }
      let filled = variables.fill(field["value"]?.text ?? "")
      guard filled.open.isEmpty else {
        source.add(
          .changed, .variable, "{{\(filled.open[0])}} has no value; the field \(name) is free")
        return nil
      }
      return RecordedHeaders.Field(name, filled.text)
    }
  }

  private func parts(_ list: SourceValue?) -> [RecordedBody.Part] {
    (list?.elements ?? []).compactMap { part in
      defer { Self.settle(part) }
      guard !Self.isDisabled(part), let name = name(of: part) else { return nil }
      if part.text("type") == "file" {
        let path = part["src"]?.text ?? part["src"]?.elements.first?.text
        source.add(
          .changed, .noRequestBody, "The content of the part \(name) is a file; any content matches"
        )
        return RecordedBody.Part(
          name: name, filename: path.map { ($0 as NSString).lastPathComponent })
      }
      let filled = variables.fill(part["value"]?.text ?? "")
      if let open = filled.open.first {
        source.add(.changed, .variable, "{{\(open)}} has no value; the part \(name) is free")
      }
      return RecordedBody.Part(
        name: name, contentType: part.text("contentType"),
        content: filled.open.isEmpty ? Data(filled.text.utf8) : nil)
    }
  }

  func graphQL(_ value: SourceValue?) throws -> String {
    var operation: JSONObject = ["query": .string(value?.text("query") ?? "")]
    if let name = value?.text("operationName") { operation["operationName"] = .string(name) }
    if let text = value?["variables"]?.text {
      let filled = variables.fill(text).text
      if !filled.allSatisfy(\.isWhitespace) {
        guard let json = try? JSONValue(parsing: filled) else {
          throw Untranslatable("the variables of its query", "they are not JSON")
        }
        operation["variables"] = json
      }
    } else if let variables = value?["variables"], variables.isObject {
      operation["variables"] = variables.json
    }
    return JSONValue.object(operation).canonicalText
  }
}
