import Foundation
import StubDBJSON
import StubDBModel

/// A stub put together from options, and checked by the decoder of documents and the engine.
///
/// One set of rules for documents and options: what a document may not say, an option may not either.
struct StubDraft {
  /// The stub as a document writes it, with `request` and `responses`.
  private var object: [String: JSONValue]
  /// The stub that is changed; nil for a new one.
  private let original: Stub?
  /// The option that said what the body of the request must be.
  private var bodyOption = "--when-body"
  /// Whether the request comes from a curl command.
  private var isFromCurl = false

  /// A stub that does not exist yet.
  init(key: String) {
    object = ["key": .string(key), "request": [:], "responses": [[:]]]
    original = nil
  }

  /// A stub to change.
  init(_ stub: Stub) {
    object = [:]
    if case .object(let members) = stub.completeValue { object = members }
    original = stub
  }

  mutating func set(_ name: String, to value: JSONValue?) {
    object[name] = value
  }

  /// Takes over what the request of a curl command must satisfy.
  mutating func take(_ pattern: RequestPattern) {
    object["request"] = .object(pattern.jsonObject)
    isFromCurl = true
  }

  /// Changes what the request must satisfy.
  mutating func apply(_ options: RequestOptions) throws {
    var request: [String: JSONValue] = [:]
    if case .object(let members) = object["request"] { request = members }
    try options.apply(to: &request)
    object["request"] = .object(request)
    if options.bodyJSON != nil { bodyOption = "--when-body-json" }
    if options.data != nil { bodyOption = "--data" }
  }

  /// Changes one response, counted from 0; the one behind the last is made.
  mutating func apply(_ options: ResponseOptions, toResponse index: Int) throws {
    var responses: [JSONValue] = []
    if case .array(let elements) = object["responses"] { responses = elements }
    var response: [String: JSONValue] = [:]
    if responses.indices.contains(index), case .object(let members) = responses[index] {
      response = members
    }
    try options.apply(to: &response)
    if responses.indices.contains(index) {
      responses[index] = .object(response)
    } else {
      responses.append(.object(response))
    }
    object["responses"] = .array(responses)
  }

  /// The stub.
  ///
  /// Files of bodies are read from the current folder.
  /// - Throws: ``UsageFailure`` that names the option, where what it says is not allowed or cannot
  ///   be played.
  func stub(in scenario: ScenarioName) throws -> Stub {
    let stub: Stub
    do throws(DocumentError) {
      stub = try Stub(documentValue: .object(object)) { path in
        try DocumentSource.bytes(at: CatalogLocator().resolve(path))
      }
    } catch {
      guard let option = option(at: error.pointer) else { throw error }
      if error.code == .unreadableFile { throw CommandFailure("\(option): \(error.message)") }
      throw UsageFailure("\(option): \(error.message)")
    }
    try requirePlayable(stub, in: scenario)
    return stub
  }

  private func requirePlayable(_ stub: Stub, in scenario: ScenarioName) throws {
    let refusal = WriteCheck.refusal(of: [stub], in: scenario)
    // What was wrong before must not keep the rest from being changed.
    let before = original.flatMap { WriteCheck.refusal(of: [$0], in: scenario) }
    guard let refusal, refusal != before else { return }
    guard let option = option(at: refusal.pointer) else {
      throw CommandFailure(
        "\(refusal.pointer) of stub \(Printable.line(stub.key)): \(refusal.reason)")
    }
    throw UsageFailure("\(option): \(refusal.reason)")
  }

  /// The option that wrote what is at the place.
  private func option(at pointer: JSONPointer) -> String? {
    let tokens = pointer.tokens[...]
    if isFromCurl, tokens.first == "request" { return "--from-curl" }
    switch (tokens.first, tokens.dropFirst().first) {
    case ("request", "url"), ("request", "path"), ("request", "host"): return "--url"
    case ("request", "method"): return "--method"
    case ("request", "headers"): return "--when-header"
    case ("request", "query"): return "--when-query"
    case ("request", "body"): return bodyOption
    case ("responses", _):
      switch tokens.dropFirst(2).first {
      case "headers": return "--header"
      case "file": return "--body-file"
      case let name?: return "--\(name)"
      case nil: return nil
      }
    case ("key", _): return "--key"
    case ("summary", _): return "--summary"
    case ("priority", _): return "--priority"
    case ("then", _): return "--then"
    default: return nil
    }
  }
}
