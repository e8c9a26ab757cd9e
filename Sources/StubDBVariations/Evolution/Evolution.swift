package import Foundation
import HTTPTypes
import StubDBEngine
package import StubDBJSON
import StubDBModel

/// A change of an answer that APIs call compatible: clients that were shipped before it must go on working.
package struct Evolution: Hashable, Sendable {
  /// What changes; the word in the names of variations.
  package enum Change: String, Hashable, Sendable, CaseIterable {
    /// A member that no client knows.
    case member
    /// One more member in an object whose names are data.
    case entry
    /// A constant that no client knows.
    case unknown
    /// One more element in a list.
    case longer
    /// A list without elements.
    case empty
    /// An optional member that is not there.
    case absent
    /// An optional member that is null.
    case null
    /// An integer beyond 32 bits.
    case large
    /// Members in another order.
    case order
    /// A parameter of `Content-Type`.
    case parameter

    /// Whether all that was in the answer is still in it, so that no expectation can fail for its sake.
    package var keepsValues: Bool { [.member, .order, .parameter].contains(self) }

    /// The change as a noun.
    package var phrase: String {
      switch self {
      case .member: "a member that no client knows"
      case .entry: "one more entry"
      case .unknown: "an unknown constant"
      case .longer: "a longer list"
      case .empty: "an empty list"
      case .absent: "no member"
      case .null: "null"
      case .large: "an integer beyond 32 bits"
      case .order: "members in another order"
      case .parameter: "a parameter of the media type"
      }
    }
  }

  package let change: Change
  /// The place in the content, or `/headers/Content-Type`.
  package let pointer: JSONPointer
  /// Why it is compatible, as the end of a sentence: `the samples have "open" and "paid" there`.
  package let reason: String
  /// The change of the content, or the new `Content-Type`.
  let edit: Edit
  /// Another value of the kind that clients know in the same place, to tell what expects the value itself; nil for
  /// none.
  let control: TextChange?

  enum Edit: Hashable, Sendable {
    case content(TextChange)
    case contentType(String)
  }

  init(
    _ change: Change, at pointer: JSONPointer, _ edit: Edit, because reason: String,
    control: TextChange? = nil
  ) {
    (self.change, self.pointer, self.edit) = (change, pointer, edit)
    (self.reason, self.control) = (reason, control)
  }

  /// The name without that of the stub: `items-0-status=unknown`.
  package var name: String {
    let isPlace: (Unicode.Scalar) -> Bool = { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        || scalar == "_" || scalar == "."
    }
    let tokens = change == .parameter ? ["content-type"] : pointer.tokens
    let words = tokens.map { token in
      String(String.UnicodeScalarView(token.unicodeScalars.map { isPlace($0) ? $0 : "-" }))
    }
    return (words.isEmpty ? "body" : words.joined(separator: "-")) + "=" + change.rawValue
  }

  /// The content after the change; the same for a change of the media type.
  package func content(of content: Data) -> Data {
    if case .content(let change) = edit { change.applied(to: content) } else { content }
  }

  /// The media type after the change; nil if it stays.
  package var contentType: String? {
    if case .contentType(let type) = edit { type } else { nil }
  }

  /// The same place with another value that clients know; nil if there is none.
  var controlEvolution: Evolution? {
    control.map { Evolution(change, at: pointer, .content($0), because: "") }
  }
}

/// Changes one response of a stub, in one way.
struct EvolvedResponse: ResponseChange {
  let evolution: Evolution
  /// The response among those of the stub.
  let index: Int
  /// What finds the place in the answers of a resource, which differ; nil for a response with content of its own.
  var resource: ResourceEvolution?
  /// The first digit of the status; nil for any.
  var statusClass: Int?
  /// Whether the place gets another value that clients know.
  var isControl = false

  func response(
    _ response: StubResponse, to event: ServeEvent, in run: ScenarioRun
  ) -> StubResponse {
    // What cannot be read is reported by the unchanged run.
    guard event.responseIndex == index, let body = response.body,
      statusClass.map({ $0 == response.status / 100 }) ?? true,
      let content = try? run.scenario.body(of: body),
      let found = resource.map({
        $0.evolution(like: evolution, of: response, to: event.request, in: run.scenario)
      }) ?? evolution,
      let evolution = isControl ? found.controlEvolution : found
    else { return response }
    var response = response
    if let type = evolution.contentType {
      response.headers[.contentType] = type
    } else {
      response.body = ResponseBody(
        kind: body.kind, content: .bytes(evolution.content(of: content)))
      response.headers[.contentLength] = nil
    }
    return response
  }
}

extension Variation {
  /// A run under an evolution's control, which is not tried by itself; nil for others.
  package var control: Variation? {
    guard var change = change as? EvolvedResponse, change.evolution.control != nil else {
      return nil
    }
    change.isControl = true
    return Variation(
      .evolution, name: name, summary: summary, stub: stub, pointer: pointer, change: change)
  }

  /// What the answer changes in; nil for others than evolutions.
  package var evolution: Evolution? { (change as? EvolvedResponse)?.evolution }

  /// The place of the response that changes among those of its stub; nil for others than evolutions.
  package var responseIndex: Int? { (change as? EvolvedResponse)?.index }
}
