import Foundation
import StubDBEngine
import StubDBModel

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers the requests of the sessions that hold one of its leased subclasses.
///
/// `startLoading` decides; the answer is sent at once where it can be, else it is prepared elsewhere and sent
/// on the client's own thread (``PlatformURLProtocol``). It takes every request, since what it declined
/// would go to the real network.
class StubURLProtocol: PlatformURLProtocol {
  /// Where bodies are read and delays are waited for: never on the one queue that all sessions share on Linux.
  private static let background = DispatchQueue(
    label: "stubdb.StubURLProtocol", attributes: .concurrent)

  private let state = Locked(LoadingState())

  deinit {
    // Most answers are sent at once, and nobody ever knew of them.
    guard state.withLock({ $0.endWaiting() }) else { return }
    responder?.forget(ObjectIdentifier(self))
  }

  override class func canInit(with request: URLRequest) -> Bool { true }

  override class func canInit(with task: URLSessionTask) -> Bool { true }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    rememberClientThread()
    if state.withLock({ $0.start() }) {
      begin()
    } else {
      deliverIfPossible()
    }
  }

  override func stopLoading() {
    state.withLock { $0.stop() }
  }

  /// Sends the answer if it is ready; on the client's thread only.
  func deliverIfPossible() {
    guard mayCallClient, let client, let answer = state.withLock({ $0.takeAnswer() }) else {
      return
    }
    switch answer {
    case .response(let response, let content):
      client.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      // In one piece: on Linux a task with a completion handler keeps only the last one.
      if let content, !content.isEmpty { client.urlProtocol(self, didLoad: content) }
      client.urlProtocolDidFinishLoading(self)
    case .failure(let error):
      client.urlProtocol(self, didFailWithError: error)
    }
  }

  private func begin() {
    guard let responder, !responder.isEnded else {
      return finish(AnswerErrors.ended(request.url))
    }
    guard let url = request.url else {
      return finish(AnswerErrors.missingURL())
    }
    if let error = refusal(of: url) {
      return finish(error)
    }
    let reader = RequestReader(request: request, url: url, body: bodySource())
    if let request = reader.immediateRequest {
      decide(about: request, url: url, isOnClientThread: true)
    } else if becomeWaiting() {
      let loader = WeakLoader(self)
      Self.background.async {
        let request = reader.completeRequest()
        loader.value?.decide(about: request, url: url, isOnClientThread: false)
      }
    }
  }

  private func decide(about stubRequest: StubRequest, url: URL, isOnClientThread: Bool) {
    guard let responder else { return }
    let decision = responder.decide(about: stubRequest, url: url)
    if isOnClientThread, decision.delay == .zero, case .ready(let answer) = decision.preparation {
      state.withLock { $0.becomeReady(answer) }
      return deliverIfPossible()
    }
    if isOnClientThread, !becomeWaiting() { return }
    let delay = min(decision.delay.inSeconds, LongestDelay.seconds)
    let loader = WeakLoader(self)
    if let timeout = timeoutInSeconds, delay >= timeout {
      hold(.failure(AnswerErrors.timedOut(url)), until: .now() + timeout)
      return
    }
    let deadline = DispatchTime.now() + delay
    Self.background.async {
      let answer = decision.preparation.answer()
      loader.value?.hold(answer, until: deadline)
    }
  }

  /// Has the task cancelled when the run ends before the answer is there; false where it has ended.
  private func becomeWaiting() -> Bool {
    guard let responder, responder.register(task, for: ObjectIdentifier(self)) else {
      finish(AnswerErrors.ended(request.url))
      return false
    }
    state.withLock { $0.beginWaiting() }
    return true
  }

  private func hold(_ answer: Answer, until deadline: DispatchTime) {
    guard deadline > .now() else { return arrive(answer) }
    let loader = WeakLoader(self)
    let source = DispatchSource.makeTimerSource(queue: Self.background)
    source.setEventHandler { loader.value?.arrive(answer) }
    source.schedule(deadline: deadline)
    state.withLock { $0.wait(for: source) }
    source.activate()
  }

  private func arrive(_ answer: Answer) {
    state.withLock { $0.becomeReady(answer) }
    returnToClient()
  }

  private func finish(_ error: any Error) {
    state.withLock { $0.becomeReady(.failure(error)) }
    deliverIfPossible()
  }
}

/// How long a delay can get: beyond some 30 years the clock of Dispatch overflows.
private enum LongestDelay {
  static let seconds = 1e9
}
