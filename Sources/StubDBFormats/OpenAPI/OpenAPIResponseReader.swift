internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// Makes responses of a description: its examples, or else a value made from its schema.
struct OpenAPIResponseReader {
  /// A response, and the name of its example.
  struct Named {
    var name: String?
    /// Whether it is the first of its status.
    var isFirst: Bool
    var response: StubResponse
  }

  let references: OpenAPIReferences
  let status: Int
  let isSwagger: Bool

  /// One response for each named example; one if there are no named examples.
  func responses(_ value: SourceValue) throws(FormatError) -> [Named] {
    var builder = ResponseBuilder(leavingOut: [])
    builder.status = status
    try addHeaders(value["headers"], to: &builder)
    guard let (type, media) = try mediaType(value) else {
      return [Named(isFirst: true, response: builder.response)]
    }
    let examples = try self.examples(type, media)
    return examples.enumerated().map { place, example in
      var builder = builder
      if let form = OpenAPIForm(example.value, type) {
        builder.addHeader("Content-Type", [form.type])
        builder.content = .body(.text(form.content))
      } else {
        builder.addHeader("Content-Type", [Self.contentType(type, example.value)])
        builder.content = Self.content(example.value, type)
      }
      return Named(name: example.name, isFirst: place == 0, response: builder.response)
    }
  }

  /// Whether the description has an example of the response.
  func hasExample(_ value: SourceValue) throws(FormatError) -> Bool {
    guard let (type, media) = try mediaType(value) else { return false }
    if isSwagger { return media["examples"]?[type] != nil }
    return media["example"] != nil || media["examples"]?.members.isEmpty == false
  }

  private static func contentType(_ type: String, _ value: JSONValue?) -> String {
    guard type.contains("*") else { return type }
    return value.map(\.isContainer) ?? false ? "application/json" : "text/plain"
  }

  private static func content(
    _ value: JSONValue?, _ type: String
  ) -> ResponseBuilder.Content? {
    guard let value else { return nil }
    let isJSON = type.contains("json") || type.contains("*") && value.isContainer
    if isJSON {
      // An example may be the text of JSON.
      if case .string(let text) = value, let json = try? JSONValue(parsing: text), json.isContainer
      {
        return .json(json)
      }
      return .json(value)
    }
    if case .string(let text) = value { return text.isEmpty ? nil : .body(.text(text)) }
    return .body(.text(value.canonicalText))
  }

  // MARK: Media types

  private func mediaType(
    _ value: SourceValue
  ) throws(FormatError) -> (type: String, media: SourceValue)? {
    if isSwagger {
      guard value["schema"] != nil || value["examples"] != nil else { return nil }
      let types = value["examples"]?.members.map(\.name) ?? []
      return (Self.preferred(types) ?? "application/json", value)
    }
    let content = value["content"]?.members ?? []
    guard let type = Self.preferred(content.map(\.name)),
      let media = content.first(where: { $0.name == type })
    else { return nil }
    return (type, try references.resolved(media.value))
  }

  private static func preferred(_ types: [String]) -> String? {
    func first(_ condition: (String) -> Bool) -> String? {
      types.first { condition($0.prefix { $0 != ";" }.lowercased()) }
    }
    return first { $0 == "application/json" } ?? first { $0.hasSuffix("+json") }
      ?? first { $0 == "application/*" } ?? first { $0 == "*/*" } ?? types.first
  }

  // MARK: Examples

  private func examples(
    _ type: String, _ media: SourceValue
  ) throws(FormatError) -> [(name: String?, value: JSONValue?)] {
    if isSwagger {
      if let example = media["examples"]?[type] { return [(nil, example.json)] }
    } else {
      if let example = media["example"] { return [(nil, example.json)] }
      var named: [(name: String?, value: JSONValue?)] = []
      for member in media["examples"]?.members ?? [] {
        let example = try references.resolved(member.value)
        if let value = example.first(of: "dataValue", "serializedValue", "value")
          ?? example["value"]
        {
          named.append((member.name, value.json))
        } else if let external = example["externalValue"] {
          external.drop(.unknown, "An example outside of the description is not read")
        }
      }
      if !named.isEmpty { return named }
    }
    guard let schema = media.first(of: "schema", "itemSchema") else { return [(nil, nil)] }
    if type.contains("xml") {
      media.note(.dropped, .generated, "There is no XML example; the content is empty")
      return [(nil, nil)]
    }
    var generator = SchemaExample(references: references, isSwagger: isSwagger)
    let value = try generator.value(of: schema)
    media.note(.changed, .generated, "No example; made from the schema")
    for name in generator.cuts {
      media.note(
        .dropped, .schemaSize,
        "Schema nests deeper than \(SchemaExample.maximumDepth) at \(name); an empty object stands there"
      )
    }
    return [(nil, value)]
  }

  private func addHeaders(
    _ value: SourceValue?, to builder: inout ResponseBuilder
  ) throws(FormatError) {
    for member in value?.members ?? [] where member.name.lowercased() != "content-type" {
      let header = try references.resolved(member.value)
      let schema =
        try header["schema"].map { (value) throws(FormatError) in try references.resolved(value) }
        ?? header
      let given =
        header.first(of: "example", "x-example") ?? schema.first(of: "example", "default")
        ?? schema["examples"]?.elements.first ?? schema["enum"]?.elements.first
      var text = given?.text
      if text == nil, header.flag("required") {
        var generator = SchemaExample(references: references, isSwagger: isSwagger)
        text = try generator.value(of: schema).headerText
      }
      if let text { _ = builder.addSendableHeader(member.name, text) }
    }
  }
}

extension JSONValue {
  /// The value as a header field has it.
  fileprivate var headerText: String {
    if case .string(let text) = self { text } else { canonicalText }
  }
}
