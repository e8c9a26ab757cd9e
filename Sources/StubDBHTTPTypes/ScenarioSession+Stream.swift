public import Foundation
public import HTTPTypes
import StubDBEngine
import StubDBPlayback

extension ScenarioSession {
  /// Sends a request, and returns the response as soon as its head comes, with the content piece by piece.
  ///
  /// Pieces come when the scenario says, such as events of a stream. The end of the iteration, or of the last copy of the
  /// stream, gives up the rest. `operation` is what the client calls what it asks for, which the journal and reports
  /// show. `timeout` limits the whole response, in the scenario's time, in place of the time-out of the session.
  /// - Throws: The errors of ``data(for:)``. What fails after the head is thrown by the stream, as a `URLError` too.
  public func stream(
    for request: HTTPRequest, from bodyData: Data = Data(), operation: String? = nil,
    timeout: Duration? = nil
  ) async throws -> (AsyncThrowingStream<Data, any Error>, HTTPResponse) {
    var current = StubRequest(request, content: bodyData)
    current.operation = operation
    for _ in 0...StubRequest.maximumRedirectCount {
      let (content, head) = try await begin(current, timeout)
      guard let next = current.followUp(status: head.status, location: head.redirectTarget) else {
        return (content, try response(head, to: current))
      }
      current = next
    }
    throw URLError(.httpTooManyRedirects)
  }

  private func begin(
    _ request: StubRequest, _ timeout: Duration?
  ) async throws -> (AsyncThrowingStream<Data, any Error>, ResponseHead) {
    var patience = patience
    patience.isIncremental = true
    if let timeout { (patience.timeout, patience.totalTimeout) = (nil, timeout) }
    let (content, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
    let sink = StreamSink(content: continuation) { self.error($0, request) }
    guard let exchange = Exchange(player, patience: patience, sink: sink) else {
      throw late(request)
    }
    // Keeps the exchange alive until the end of the stream.
    continuation.onTermination = { _ in exchange.cancel() }
    let head = await withTaskCancellationHandler {
      await sink.head.value { exchange.answer(request) }
    } onCancel: {
      sink.head.end(.failure(.cancelled))
    }
    do throws(AnswerFailure) {
      return (content, try head.get())
    } catch {
      continuation.finish()
      throw self.error(error, request)
    }
  }
}

/// Hands on the head, and then the content piece by piece.
private struct StreamSink: ResponseSink {
  let head = Awaited<Result<ResponseHead, AnswerFailure>>()
  let content: AsyncThrowingStream<Data, any Error>.Continuation
  let error: @Sendable (ResponseFailure) -> any Error

  func tell(_ event: ResponseEvent) {
    switch event {
    case .head(let response):
      head.end(.success(response))
    case .content(let piece):
      content.yield(piece)
    case .finish:
      content.finish()
    case .whole(let response, let whole):
      if !whole.isEmpty { content.yield(whole) }
      content.finish()
      head.end(.success(response))
    case .failure(let failure):
      // The head has come before what is cut off.
      guard !head.end(.failure(.response(failure))) else { return }
      content.finish(throwing: error(failure))
    }
  }
}
