internal import Foundation
internal import HTTPTypes
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// Writes the response of an interaction: the first one of a stub, as a client gets it.
struct PactResponseWriter {
  /// The response of an interaction.
  private(set) var members: JSONObject = [:]

  private let played: PlayedResponse
  private let response: StubResponse
  private let document: SourceValue?

  /// - Throws: ``Untranslatable`` for a response that a contract cannot have.
  init(_ played: PlayedResponse, of response: StubResponse, document: SourceValue?) throws {
    self.played = played
    self.response = response
    self.document = document
    try refuse()
    settle()
    members["status"] = .number(JSONNumber(played.status))
    addHeaders()
    try addContent()
    if response.isTemplate { addGenerators() }
  }

  private func refuse() throws {
    switch played.ending {
    case .complete: break
    case .error, .never:
      throw Untranslatable(
        response.error == nil ? "fault" : "error", "an interaction has an answer")
    case .webSocket: throw Untranslatable("webSocket", "an interaction has an answer of HTTP")
    case .passthrough, .next:
      throw Untranslatable("passthrough or next", "an interaction has an answer of its own")
    }
    guard (100...599).contains(played.status) else {
      throw Untranslatable("status", "Pact knows 100 to 599")
    }
  }

  private func settle() {
    document?.settle([
      "status": .kept, "headers": .kept, "json": .kept, "text": .kept, "base64": .kept,
      "delay": .dropped(.timing, "A contract says nothing about time"),
      "throttle": .dropped(.timing, "A contract says nothing about time"),
      "callbacks": .dropped(.webhook, "A contract says nothing about calls after the answer"),
      "chunks": .changed(.streamTiming, "The pieces became one content, without their times"),
    ])
    guard let problem = played.templateProblem, let document else { return }
    document.note(.dropped, .template, problem)
  }

  private mutating func addHeaders() {
    let fields = played.headers.byName.filter {
      !HeaderPolicy.lengths.contains($0.name.canonicalName)
    }
    guard !fields.isEmpty else { return }
    // One field with several values makes lists of all.
    let areLists = fields.contains { $0.values.count > 1 }
    var headers: JSONObject = [:]
    for (name, list) in fields {
      headers[name.rawName] = areLists ? .array(list.map(JSONValue.string)) : .string(list[0])
    }
    members["headers"] = .object(headers)
  }

  private mutating func addContent() throws {
    guard !played.content.isEmpty else { return }
    guard let text = String(strictUTF8: played.content), text.isPlainText else {
      throw Untranslatable("base64", "contracts of version 3 have texts only")
    }
    let isJSON = played.headers[.contentType]?.lowercased().contains("json") ?? false
    guard isJSON, let value = try? JSONValue(parsing: text) else {
      members["body"] = .string(text)
      return
    }
    if case .string(let inner) = value, (try? JSONValue(parsing: inner)) != nil {
      throw Untranslatable("a JSON string with JSON inside", "Pact reads the inner one")
    }
    guard value != .null else { throw Untranslatable("null", "Pact takes it for no content") }
    members["body"] = value
    if document?["text"] != nil, value.canonicalText != text {
      document?["text"]?.change(.bytesGuessed, "The JSON is written anew, without its white space")
    }
  }
}

// MARK: - Templates

extension PactResponseWriter {
  /// Generators for what a template makes anew each time; for the rest stands what it gave the example request.
  private mutating func addGenerators() {
    var generators: JSONObject = [:]
    var rules = PactRuleWriter()
    var isWhole = !response.headers.contains { $0.value.contains("{{") }
    let template = content.flatMap { try? JSONValue(parsing: $0) }
    if let template, case .object? = members["body"] {
      PactGenerator.visit(template) { path, text in
        guard let generator = PactGenerator.members(of: text),
          let key = PactRuleWriter.key(of: path)
        else {
          isWhole = false
          return
        }
        generators[key] = generator
        rules.add([["match": "type"]], to: "body", at: key)
      }
    } else {
      isWhole = false
    }
    if !generators.isEmpty {
      members["generators"] = .object(["body": .object(generators)])
      members["matchingRules"] = rules.members
    }
    let place = document?["template"]
    if isWhole {
      place?.keep()
    } else {
      place?.change(.template, "The template was filled in for the example request")
    }
  }

  /// The content before it is filled in.
  private var content: String? {
    guard response.chunks == nil, case .bytes(let data)? = response.body?.content else {
      return nil
    }
    return String(strictUTF8: data)
  }
}
