import Foundation
import HTTPTypes
import StubDBCatalogEditing
import StubDBDocuments
import StubDBEditing
import StubDBJSON
import StubDBModel
import StubDBPublishing

/// A stub made from options, and decoded as a document is.
///
/// Documents and options thus follow the same rules.
struct StubDraft {
  /// The stub as a document, with `request` and `responses`.
  private var object: JSONObject
  /// The stub to change; nil for a new one.
  private let original: Stub?
  /// The option that set the body pattern of the request.
  private var bodyOption = "--when-body"
  /// What `--when` gave.
  private var pattern: PatternArgument?
  /// Whether the request comes from a curl command.
  private var isFromCurl = false

  /// Makes a draft of a new stub.
  init(key: String) {
    object = ["key": .string(key), "request": [:], "responses": [[:]]]
    original = nil
  }

  /// Makes a draft of an existing stub.
  init(_ stub: Stub) {
    object = [:]
    if case .object(let members) = stub.completeValue { object = members }
    original = stub
  }

  mutating func set(_ name: String, to value: JSONValue?) {
    object[name] = value
  }

  /// Sets a member of a member, and keeps the others.
  mutating func set(_ name: String, _ inner: String, to value: JSONValue) {
    guard case .object(var members) = object[name] ?? [:] else { return }
    members[inner] = value
    object[name] = .object(members)
  }

  /// Takes the pattern of a curl command's request.
  mutating func take(_ pattern: RequestPattern) {
    object["request"] = .object(pattern.jsonObject)
    isFromCurl = true
  }

  /// Changes the request pattern.
  mutating func apply(_ options: RequestOptions) throws {
    var request: JSONObject = [:]
    if case .object(let members) = object["request"] { request = members }
    pattern = try options.when.map(PatternArgument.init)
    // A part cannot stand beside the whole URL.
    if let original, pattern?.hasPartOfURL == true { request = original.request.jsonObject }
    try options.apply(pattern, to: &request)
    object["request"] = .object(request)
    if options.bodyJSON != nil { bodyOption = "--when-body-json" }
    if options.data != nil { bodyOption = "--data" }
  }

  /// Changes a response, counted from 0, or appends one.
  mutating func apply(_ options: ResponseOptions, toResponse index: Int) throws {
    var responses: [JSONValue] = []
    if case .array(let elements) = object["responses"] { responses = elements }
    var response: JSONObject = [:]
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
  /// - Throws: ``UsageError`` with the option whose value is not allowed.
  func stub() throws -> CheckedStub {
    do throws(DocumentError) {
      return try CheckedStub(documentValue: .object(object)) { path in
        try DocumentSource.bytes(at: CatalogLocator().resolve(path))
      }
    } catch {
      guard let option = option(at: error.pointer) else { throw error }
      if option == PatternArgument.option {
        let place = JSONPointer(Array(error.pointer.tokens.dropFirst()))
        throw UsageError("\(option): \(place): \(error.message)")
      }
      if option == "--method", error.message.contains(",") {
        throw UsageError("\(option): \(error.message). \(RequestOptions.severalMethods)")
      }
      if error.code == .unreadableFile { throw CommandError("\(option): \(error.message)") }
      throw UsageError("\(option): \(error.message)")
    }
  }

  /// The error for a problem of the stub, with the option whose value it is.
  func error(for problem: WriteCheck.Problem) -> any Error {
    guard let option = option(at: problem.pointer) else {
      return CommandError("\(problem.pointer) of the stub: \(problem.reason)")
    }
    return UsageError("\(option): \(problem.reason)")
  }

  /// The option that wrote the value at a place.
  private func option(at pointer: JSONPointer) -> String? {
    let tokens = pointer.tokens[...]
    if tokens.first == "request", pattern?.gives(tokens.dropFirst()) == true {
      return PatternArgument.option
    }
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
      // No option writes them, but one makes templates of them.
      case "chunks", "webSocket": return "--template"
      case let name?: return "--\(name)"
      case nil: return nil
      }
    case ("key", _): return "--key"
    case ("recorded", _): return "--recorded"
    case ("summary", _): return "--summary"
    case ("priority", _): return "--priority"
    case ("then", _): return "--then"
    default: return nil
    }
  }
}
