internal import HTTPTypes
internal import StubDBEngine
internal import StubDBModel
internal import StubDBPlayback

/// What a client got from a stub, by which it is known what a failure changes.
struct GivenAnswer: Hashable, Sendable {
  let response: StubResponse
  /// Whether it was the answer to a HEAD request.
  let isToHead: Bool
  /// The status; where a resource answers, the one that it decided.
  let status: Int
  /// Whether there was content; a template counts as some, whatever it is filled in with.
  let hasContent: Bool

  /// Makes what a response is for the client that sent a request.
  init(_ response: StubResponse, to request: StubRequest) {
    self.init(response, response.status, to: request)
  }

  /// Makes what the unchanged run gave; nil if no response of the stub answered.
  init?(_ event: ServeEvent, of stub: Stub) {
    guard let index = event.responseIndex, stub.responses.indices.contains(index) else {
      return nil
    }
    let response = stub.responses[index]
    // The content of the response is what a resource begins with, and no answer.
    guard stub.resource == nil || index < stub.responses.count - 1 else {
      self.init(response, event.status ?? response.status, to: event.request, isOfResource: true)
      return
    }
    self.init(response, response.status, to: event.request)
  }

  private init(
    _ response: StubResponse, _ status: Int, to request: StubRequest, isOfResource: Bool = false
  ) {
    (self.response, self.status, isToHead) = (response, status, request.method == "HEAD")
    // A resource has content for each answer whose status allows it, if only `[]`.
    let content = response.body ?? response.chunks?.joined
    hasContent =
      (isOfResource || (content?.byteCount ?? 0) > 0)
      && ResponseHead(status: status, headers: [:]).mayHaveContent(of: request.method)
  }

  /// Whether it is a success.
  var isSuccess: Bool { (200..<300).contains(status) }
}
