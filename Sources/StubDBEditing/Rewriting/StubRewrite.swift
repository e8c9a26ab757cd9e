internal import StubDBCatalogEditing
internal import StubDBDocuments
package import StubDBJSON
package import StubDBModel
internal import StubDBSupport

/// What a change makes of one stub.
struct RewrittenStub {
  typealias Left = (pointer: JSONPointer, reason: LeftPlace.Reason)

  var stub: Stub
  /// Places that were left as they are although they may have what is to be changed.
  var left: [Left] = []
  /// Members that cannot get their new name, because another one has it.
  var taken: [JSONPointer] = []
  /// Contents that would be removed as a whole.
  var removed: [JSONPointer] = []
  /// JSON that would nest deeper than a document can hold.
  var tooDeep: [JSONPointer] = []

  /// Makes places of the stub those of its document, where a resource has its items as a seed.
  mutating func placeInDocument() {
    guard stub.resource != nil else { return }
    for index in left.indices { left[index].pointer = stub.documentPointer(left[index].pointer) }
    taken = taken.map(stub.documentPointer)
    removed = removed.map(stub.documentPointer)
    tooDeep = tooDeep.map(stub.documentPointer)
  }
}

/// A place that a change left as it is.
package struct LeftPlace: Hashable, Sendable {
  /// Why; the raw value is what `--json` prints.
  package enum Reason: String, Sendable, CaseIterable {
    case template, text, base64, malformed, chunks, webSocket, callbacks, pattern, capture
    case host, cookieDomain

    /// A number of them, for a sentence.
    package func phrase(_ count: Int) -> String {
      switch self {
      case .template: Plural.of(count, "template")
      case .text: Plural.of(count, "content that is text", "contents that are text")
      case .base64: Plural.of(count, "content of bytes", "contents of bytes")
      case .malformed:
        Plural.of(
          count, "content that is not JSON in canonical form, or too large to search",
          "contents that are not JSON in canonical form, or too large to search")
      case .chunks: Plural.of(count, "list of chunks", "lists of chunks")
      case .webSocket: Plural.of(count, "WebSocket script")
      case .callbacks: Plural.of(count, "list of callbacks", "lists of callbacks")
      case .pattern:
        Plural.of(count, "other pattern of requests", "other patterns of requests")
      case .capture: Plural.of(count, "object of captures", "objects of captures")
      case .host:
        Plural.of(
          count, "value that names the host outside of a URL",
          "values that name the host outside of a URL")
      case .cookieDomain:
        Plural.of(
          count, "cookie whose Domain does not include the new host",
          "cookies whose Domain does not include the new host")
      }
    }
  }

  package let scenario: ScenarioName
  package let key: Stub.Key
  package let pointer: JSONPointer
  package let reason: Reason
}

/// Changes the values that a query selects in the documents of a stub.
struct StubRewrite {
  let change: ValueRewrite
  let query: RewriteQuery

  func rewritten(_ stub: Stub) -> RewrittenStub {
    var result = RewrittenStub(stub: stub)
    switch query.side {
    case .response:
      for index in stub.responses.indices { rewriteResponse(index, of: &result) }
    case .request: rewriteRequest(of: &result)
    }
    return result
  }

  private func rewriteResponse(_ index: Int, of result: inout RewrittenStub) {
    let response = result.stub.responses[index]
    let place = JSONPointer(["responses", String(index)])
    for other in response.otherContents where query.mayConcern(other.text) {
      result.left.append((place.appending(other.part.rawValue), other.reason))
    }
    guard let body = response.body, let bytes = body.bytes else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    let inner = place.appending(body.kind.rawValue)
    guard query.mayConcern(text) || body.kind != .json && isConcerned(response) else { return }
    guard body.kind == .json, !response.isTemplate else {
      let reason: LeftPlace.Reason =
        response.isTemplate ? .template : body.kind == .text ? .text : .base64
      return result.left.append((inner, reason))
    }
    let isSeed = result.stub.resource != nil && index == result.stub.responses.count - 1
    // Text in another form would change where nothing is selected.
    guard let value = try? JSONValue(parsing: bytes), value.canonicalText.hasSameBytes(as: text),
      let new = rewritten(value, at: inner, isSeed: isSeed, &result)
    else { return result.left.append((inner, .malformed)) }
    if new != value { result.stub.responses[index].body = .json(new) }
  }

  /// Whether the query selects something in content that no document has as JSON, or may do so where it is not readable.
  private func isConcerned(_ response: StubResponse) -> Bool {
    if response.isTemplate { return false }
    guard let value = response.decodedJSON else { return response.saysJSON }
    return query.places(in: value, isSeed: false)?.isEmpty != true
  }

  private func rewriteRequest(of result: inout RewrittenStub) {
    let patterns = result.stub.request.body
    for (index, pattern) in patterns.enumerated() {
      var place = JSONPointer(["request", "body"])
      if patterns.count > 1 { place = place.appending(index) }
      guard query.mayConcern(pattern.documentText) else { continue }
      let new = rewritten(pattern, at: place, &result)
      if new != pattern { result.stub.request.body[index] = new }
    }
    let captures = JSONValue.object(Capture.jsonObject(result.stub.captures)).canonicalText
    if !result.stub.captures.isEmpty, query.mayConcern(captures) {
      result.left.append((JSONPointer(["capture"]), .capture))
    }
  }

  private func rewritten(
    _ pattern: BodyPattern, at place: JSONPointer, _ result: inout RewrittenStub
  ) -> BodyPattern {
    switch pattern.storage {
    case .and(let patterns):
      let inner = place.appending("and")
      return .and(
        patterns.enumerated().map { rewritten($1, at: inner.appending($0), &result) })
    case .or(let patterns):
      let inner = place.appending("or")
      return .or(patterns.enumerated().map { rewritten($1, at: inner.appending($0), &result) })
    case .not(let inner): return .not(rewritten(inner, at: place.appending("not"), &result))
    case .value, .operation: break
    }
    if let equal = pattern.operation as? EqualToJSONOperator,
      let value = rewritten(equal.value, at: place.appending(EqualToJSONOperator.name), &result)
    {
      return .equalToJSON(
        value, ignoreArrayOrder: equal.ignoreArrayOrder,
        ignoreExtraElements: equal.ignoreExtraElements)
    }
    if query.mayConcern(pattern.documentText) { result.left.append((place, .pattern)) }
    return pattern
  }

  /// Nil if the query visits too many values.
  private func rewritten(
    _ value: JSONValue, at place: JSONPointer, isSeed: Bool = false, _ result: inout RewrittenStub
  ) -> JSONValue? {
    guard let places = query.places(in: value, isSeed: isSeed) else { return nil }
    if places.isEmpty { return value }
    var rewriter = ValueRewriter(change)
    let new = rewriter.rewritten(value, at: places)
    result.taken += rewriter.taken.map(place.appending)
    if rewriter.removesAll { result.removed.append(place) }
    // The scenario and the list of its stubs are around it, too.
    if !new.isShallow(JSONValue.maximumDepth - place.tokens.count - 2) {
      result.tooDeep.append(place)
      return value
    }
    return new
  }
}

extension StubResponse {
  /// The parts besides the body that may have JSON, as a document has them on one line.
  var otherContents: [(part: ResponsePart, reason: LeftPlace.Reason, text: String)] {
    var hasPieces = false
    if case .pieces = chunks?.kind { hasPieces = true }
    guard hasPieces || isWebSocket || !callbacks.isEmpty else { return [] }
    let members = jsonObject(includingBody: false)
    let parts: [(ResponsePart, LeftPlace.Reason)] = [
      (.chunks, .chunks), (.events, .chunks), (.webSocket, .webSocket), (.callbacks, .callbacks),
    ]
    return parts.compactMap { part, reason in
      guard let value = members[part.rawValue], hasPieces || reason != .chunks else { return nil }
      return (part, reason, value.canonicalText)
    }
  }
}

extension BodyPattern {
  /// The pattern as a document has it, on one line.
  var documentText: String {
    RequestPattern(body: [self]).jsonObject["body"]?.canonicalText ?? ""
  }
}
