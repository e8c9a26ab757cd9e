package import Foundation
package import HTTPTypes
internal import StubDBDrift
internal import StubDBEngine
package import StubDBModel
internal import StubDBPlayback
internal import StubDBSupport

/// A response as a client gets it, with its templates filled in.
package struct PlayedResponse: Sendable {
  package enum Ending: Hashable, Sendable {
    case complete
    /// The client gets an error, after ``PlayedResponse/content``.
    case error(ResponseError)
    /// The client waits.
    case never
    /// The real network answers.
    case passthrough
    /// The next stub answers.
    case next
    case webSocket
  }

  /// The index of the stub's response.
  package var index: Int
  /// How many times in a row it is given.
  package var repeatCount: Int
  package var status = 200
  /// With a `Content-Type` for JSON and text, as it is sent.
  package var headers = HTTPFields()
  /// All of the content, decoded if the header fields said that it is coded.
  package var content = Data()
  /// The delay before it; zero for none.
  package var delay = Duration.zero
  package var ending = Ending.complete
  /// Why a template could not be filled in; nil if there is no such problem.
  package var templateProblem: String?

  /// The content as text; nil if it is not UTF-8.
  package var text: String? { String(strictUTF8: content) }
}

extension ExportedStub {
  /// The responses in order, each as a client gets it that sends the request; always as many as the stub has.
  ///
  /// The stub plays alone in a fresh run: no flow has changed, and nothing is kept but what its own captures keep.
  package func played(_ example: RequestExample) -> [PlayedResponse] {
    var single = stub
    single.flow = nil
    single.request = RequestPattern()
    single.then = .fail
    // Delegations would end the run of this one stub.
    single.responses = stub.responses.map {
      var response = $0.delegation == nil ? $0 : StubResponse()
      response.repeatCount = 1
      return response
    }
    // The path's template gives its placeholders to templates of the answer.
    if case .template? = stub.request.path { single.request.path = stub.request.path }
    guard let run = ExportedRun(single, of: scenario) else { return unplayed() }
    return stub.responses.enumerated().map { index, response in
      var played = PlayedResponse(index: index, repeatCount: response.repeatCount)
      if let delegation = response.delegation {
        played.ending = delegation == .next ? .next : .passthrough
        _ = run.answer(to: example)
        return played
      }
      guard let (answer, problem) = run.answer(to: example) else { return played }
      played.templateProblem = problem
      played.take(answer)
      return played
    }
  }

  private func unplayed() -> [PlayedResponse] {
    stub.responses.enumerated().map {
      PlayedResponse(index: $0.offset, repeatCount: $0.element.repeatCount)
    }
  }
}

extension ExportedRun {
  /// What a client gets; nil if the stub does not answer, or its answer is not whole.
  func sampledAnswer(to example: RequestExample) -> SampledAnswer? {
    guard let (answer, problem) = answer(to: example), problem == nil else { return nil }
    var played = PlayedResponse(index: 0, repeatCount: 1)
    played.take(answer)
    guard played.ending == .complete else { return nil }
    return SampledAnswer(status: played.status, headers: played.headers, content: played.content)
  }
}

extension PlayedResponse {
  /// Takes over what the client gets.
  fileprivate mutating func take(_ answer: Answer) {
    delay = answer.delay
    switch answer.kind {
    case .reply(let reply): take(reply)
    case .error(let error, _): ending = .error(error)
    case .never: ending = .never
    case .network: ending = .passthrough
    case .webSocket: ending = .webSocket
    }
  }

  private mutating func take(_ reply: Answer.Reply) {
    status = reply.head.status
    headers = reply.head.headers
    if let part = reply.content, case .bytes(let bytes) = part.body.content {
      content = bytes
      if let range = part.range?.clamped(to: 0..<bytes.count) {
        content = Data(bytes.dropFirst(range.lowerBound).prefix(range.count))
      }
    }
    switch reply.ending {
    case .complete: break
    case .error(let error, _): ending = .error(error)
    case .never: ending = .never
    }
    if ending != .complete {
      content = Data(content.prefix(reply.pieces.reduce(0) { $0 + $1.byteCount }))
    } else if headers.contains(.contentEncoding), !content.isEmpty,
      let decoded = try? ContentDecoding.content(content, headers: headers)
    {
      content = decoded
      headers[.contentEncoding] = nil
      headers[.contentLength] = nil
    }
  }
}
