import Foundation
import StubDBModel

/// A stub put together from options, and checked by the decoder of documents.
///
/// One set of rules for documents and options: what a document may not say, an option may not either.
struct StubDraft {
  /// The stub as a document writes it.
  private(set) var object: [String: JSONValue]

  /// A stub that does not exist yet.
  init(key: String) {
    object = ["key": .string(key), "request": [:], "responses": [[:]]]
  }

  /// A stub to change.
  init(_ stub: Stub) throws {
    object = try StubDocument.object(stub)
  }

  mutating func set(_ name: String, to value: JSONValue?) {
    object[name] = value
  }

  /// Changes what the request must satisfy.
  mutating func apply(_ options: RequestOptions) {
    var request: [String: JSONValue] = [:]
    if case .object(let members) = object["request"] { request = members }
    options.apply(to: &request)
    object["request"] = .object(request)
  }

  /// Changes one response, counted from 0.
  mutating func apply(_ options: ResponseOptions, toResponse index: Int) {
    guard case .array(var responses) = object["responses"], responses.indices.contains(index),
      case .object(var response) = responses[index]
    else { return }
    options.apply(to: &response)
    responses[index] = .object(response)
    object["responses"] = .array(responses)
  }

  /// The stub.
  ///
  /// Files of bodies are read from the current folder.
  /// - Throws: ``UsageFailure`` that names the option, where what it says is not allowed.
  func stub() throws -> Stub {
    do {
      return try StubDocument.stub(object) { path in
        try DocumentSource.bytes(at: CatalogLocator().resolve(path))
      }
    } catch let error as DocumentError {
      guard let option = Self.option(at: error.pointer) else { throw error }
      if error.code == .unreadableFile { throw CommandFailure("\(option): \(error.message)") }
      throw UsageFailure("\(option): \(error.message)")
    }
  }

  /// The option that wrote what is at the place.
  private static func option(at pointer: JSONPointer) -> String? {
    var tokens = pointer.tokens[...]
    if tokens.first.flatMap({ Int($0) }) != nil { tokens.removeFirst() }
    switch (tokens.first, tokens.dropFirst().first) {
    case ("request", "url"), ("request", "path"): return "--url"
    case ("request", "method"): return "--method"
    case ("request", "headers"): return "--when-header"
    case ("request", "query"): return "--when-query"
    case ("request", "body"): return "--when-body"
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
    default: return nil
    }
  }
}
