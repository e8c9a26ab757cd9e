#if Server
import HTTPTypes
import NIOCore
import NIOHTTP1
import StubDBEngine
import StubDBPlayback
import StubDBSupport

/// Sends the callbacks of a server's sessions, if it is allowed to.
final class CallbackCaller: CallbackSender {
  private let client: UpstreamClient
  private let group: any EventLoopGroup
  private let isAllowed: Bool
  private let timeLimit: Duration
  private let chains = Locked(CallbackChains())

  init(_ client: UpstreamClient, _ group: any EventLoopGroup, _ options: ForwardingOptions) {
    (self.client, self.group) = (client, group)
    isAllowed = options.allowsCallbacks
    timeLimit = options.answerTimeout
  }

  func send(
    _ request: StubRequest, after cause: StubRequest,
    _ completion: @escaping @Sendable (CallbackOutcome) -> Void
  ) -> any Cancellable {
    guard isAllowed else {
      completion(.refused(reason: "Callbacks are sent only with --allow-callbacks"))
      return NothingToCancel()
    }
    var request = request
    switch chains.withLock({ $0.place(ofCallAfter: cause) }) {
    case .refused(let reason):
      completion(.refused(reason: reason))
      return NothingToCancel()
    case .field(let field):
      if let name = CallbackChains.fieldName { request.headers[name] = field }
    }
    if !request.headers.contains(.userAgent) { request.headers[.userAgent] = "stubdb" }
    return client.send(
      request, via: nil, to: CallbackAnswer(completion), on: group.next(), within: timeLimit)
  }
}

/// The answer to a callback, of which only the status counts.
private final class CallbackAnswer: UpstreamReceiver {
  /// Longer content is not waited for.
  private static let largestContent = 1 << 20

  private struct State {
    var status: Int?
    var byteCount = 0
    var completion: (@Sendable (CallbackOutcome) -> Void)?
  }

  private let start = NIODeadline.now()
  private let state: Locked<State>

  init(_ completion: @escaping @Sendable (CallbackOutcome) -> Void) {
    state = Locked(State(completion: completion))
  }

  func begin(_ head: HTTPResponseHead) {
    state.withLock { $0.status = Int(head.status.code) }
  }

  func receive(_ content: ByteBuffer) {
    let isLong = state.withLock { state in
      state.byteCount += content.readableBytes
      return state.byteCount > Self.largestContent
    }
    if isLong { end() }
  }

  func afterDelivery(_ next: @escaping @Sendable () -> Void) { next() }

  func end(_ trailers: HTTPHeaders) { end() }

  private func end() {
    let status = state.withLock { $0.status } ?? 0
    let time = Duration.nanoseconds((NIODeadline.now() - start).nanoseconds)
    complete(.answered(status: status, after: time))
  }

  func fail(_ error: UpstreamError) {
    // What does not end after its status is an answer all the same.
    if error.isTimeout, state.withLock({ $0.status }) != nil { return end() }
    complete(
      error.isRefusal ? .refused(reason: error.reason) : .failed(reason: error.reason))
  }

  private func complete(_ outcome: CallbackOutcome) {
    let completion = state.withLock { state in
      defer { state.completion = nil }
      return state.completion
    }
    completion?(outcome)
  }
}
#endif
