internal import HTTPTypes
package import StubDBModel

/// The shapes of all JSON content of a catalog, by the requests that it answers.
///
/// One stub rarely has all constants of an enumeration; the stubs of an operation together have more.
package struct KnownShapes: Sendable {
  private struct Key: Hashable {
    var operation: String
    var statusClass: Int
  }

  private var shapes: [Key: Shape] = [:]

  package init() {}

  /// Adds an answer of an operation.
  package mutating func add(_ answer: AnswerShape, of operation: String) {
    guard let shape = answer.json else { return }
    shapes[Key(operation: operation, statusClass: answer.status / 100), default: Shape()]
      .merge(shape)
  }

  /// Adds the answers of a stub that are no templates, if its operation is wanted.
  package mutating func add(_ stub: Stub, if isWanted: (_ operation: String) -> Bool) {
    var path = stub.resource?.path
    if case .template(let template)? = stub.request.path { path = template }
    guard let path else { return }
    let operation = ShapeDifference.operation(
      stub.request.methods.first?.rawValue ?? "GET", path: path)
    guard isWanted(operation) else { return }
    for response in stub.responses where !response.isTemplate {
      guard let body = response.body, let bytes = body.bytes else { continue }
      var headers = response.headers
      if headers[.contentType] == nil, body.kind == .json {
        headers[.contentType] = "application/json"
      }
      add(
        AnswerShape(SampledAnswer(status: response.status, headers: headers, content: bytes)),
        of: operation)
    }
  }

  /// What is known of answers of an operation, of the class of a status; nil if that is nothing.
  package func shape(of operation: String, status: Int) -> Shape? {
    shapes[Key(operation: operation, statusClass: status / 100)]
  }
}

extension ShapeDifference {
  /// The name of an operation: a method, and a path whose ids are placeholders.
  package static func operation(_ method: String, path: String) -> String {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      URLParts.isPlaceholder(segment) || IdentifierText.isOne(String(segment))
        ? "{id}" : String(segment)
    }
    return method + " " + segments.joined(separator: "/")
  }
}
