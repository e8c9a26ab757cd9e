package import Foundation
package import StubDBCatalogEditing
internal import StubDBDocuments
package import StubDBJSON
package import StubDBModel

/// A stub made of changes, and decoded as a document is: both follow the same rules.
package struct StubDraft {
  /// The stub as a document, with `request` and `responses`.
  private var object: JSONObject
  /// The stub to change; nil for a new one.
  private let original: Stub?
  /// What gave the request.
  private var change: RequestChange?
  /// Whether the request is a whole pattern.
  package private(set) var hasPattern = false

  /// Makes a draft of a new stub.
  package init(key: String) {
    object = ["key": .string(key), "request": [:], "responses": [[:]]]
    original = nil
  }

  /// Makes a draft of an existing stub.
  package init(_ stub: Stub) {
    object = [:]
    if case .object(let members) = stub.completeValue { object = members }
    original = stub
  }

  package mutating func set(_ name: String, to value: JSONValue?) {
    object[name] = value
  }

  /// Sets a member of a member, and keeps the others.
  package mutating func set(_ name: String, _ inner: String, to value: JSONValue) {
    guard case .object(var members) = object[name] ?? [:] else { return }
    members[inner] = value
    object[name] = .object(members)
  }

  /// Takes a pattern in place of the request.
  package mutating func take(_ pattern: RequestPattern) {
    object["request"] = .object(pattern.jsonObject)
    hasPattern = true
  }

  /// Changes the request pattern.
  package mutating func apply(_ change: RequestChange) {
    var request: JSONObject = [:]
    if case .object(let members) = object["request"] { request = members }
    // A part cannot stand beside the whole URL.
    if let original, change.hasPartOfURL { request = original.request.jsonObject }
    change.apply(to: &request)
    object["request"] = .object(request)
    self.change = change
  }

  /// Changes a response, counted from 0, or appends one.
  package mutating func apply(_ change: ResponseChange, toResponse index: Int) {
    var responses: [JSONValue] = []
    if case .array(let elements) = object["responses"] { responses = elements }
    var response: JSONObject = [:]
    if responses.indices.contains(index), case .object(let members) = responses[index] {
      response = members
    }
    change.apply(to: &response)
    if responses.indices.contains(index) {
      responses[index] = .object(response)
    } else {
      responses.append(.object(response))
    }
    object["responses"] = .array(responses)
  }

  /// The stub, with files of bodies as `readFile` has them.
  ///
  /// - Throws: `DocumentError` with a place in the stub.
  package func checked(
    readFile: @escaping (String) throws -> Data
  ) throws(DocumentError) -> CheckedStub {
    try CheckedStub(documentValue: .object(object), readFile: readFile)
  }

  /// What gave the pattern of the body, for messages; nil if no change did.
  package var bodyOrigin: String? { change?.bodyOrigin }

  /// Whether members of the request that were written as such give the value at a place in it.
  package func isWritten(_ place: some Collection<String>) -> Bool { change?.gives(place) == true }
}
