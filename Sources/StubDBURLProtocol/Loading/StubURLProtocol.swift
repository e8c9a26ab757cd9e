import Foundation
import StubDBEngine
import StubDBModel
import StubDBSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers the requests of the sessions that hold one of its numbered subclasses.
///
/// `startLoading` decides; the answer is sent at once where it can be, else it is prepared elsewhere and sent
/// on the client's own thread (``PlatformURLProtocol``). It takes every request, since what it declined
/// would go to the real network.
class StubURLProtocol: PlatformURLProtocol {
  let state = Locked(LoadingState())

  deinit {
    // Most answers are sent at once, and nobody ever knew of them.
    let (isKnown, pending) = state.withLock { $0.endWaiting() }
    guard isKnown else { return }
    for cancellable in pending { cancellable.cancel() }
    responder?.tasks.forget(ObjectIdentifier(self))
  }

  override class func canInit(with request: URLRequest) -> Bool { true }

  override class func canInit(with task: URLSessionTask) -> Bool { true }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    rememberClientThread()
    // The client is told after `begin` has let go of what it made: its next request waits for this queue.
    if !state.withLock({ $0.start() }) || begin() { deliverIfPossible() }
  }

  override func stopLoading() {
    state.withLock { $0.stop() }
  }

  /// Decides; true where there is something to tell the client at once.
  private func begin() -> Bool {
    guard let responder, !responder.tasks.isEnded else {
      return finish(AnswerErrors.ended(request.url))
    }
    guard let url = request.url else {
      return finish(AnswerErrors.missingURL())
    }
    if let error = responder.refusal(of: url) ?? refusal(of: url) {
      return finish(error)
    }
    var request = request
    let sessions = responder.sessions.withLock { $0 }
    if sessions.areForeign { addFieldsOfConfiguration(to: &request) }
    if sessions.keepRun { keepRunForSession() }
    if !Self.sessionAddsCookies { addCookies(to: &request, url: url) }
    guard let reader = RequestReader(request: request, url: url, body: bodySource(of: request))
    else { return finish(AnswerErrors.tooManyHeaderFields(url)) }
    // A stub cannot speak anything but HTTP.
    if reader.asksForWebSocket { return finish(AnswerErrors.webSocket(url)) }
    guard let stubRequest = reader.immediateRequest else {
      let (loader, request) = (WeakLoader(self), request)
      return continueElsewhere {
        let hop = RequestHop(request: request, url: url, stubRequest: reader.completeRequest())
        loader.value?.decide(about: hop)
      }
    }
    let hop = RequestHop(request: request, url: url, stubRequest: stubRequest)
    let decision = responder.decide(about: hop)
    if decision.delay <= .zero, case .ready(let answer) = decision.preparation,
      let event = ClientEvent(answer)
    {
      state.withLock { $0.append(event.redirected(for: hop)) }
      return true
    }
    let loader = WeakLoader(self)
    return continueElsewhere { loader.value?.carryOut(decision, hop) }
  }

  /// Has the answer come from elsewhere; true where the run has ended, which is what the client is to be told.
  private func continueElsewhere(_ work: @escaping @Sendable () -> Void) -> Bool {
    guard leaveClientThread() else { return true }
    DispatchQueue.stubdb.async(execute: work)
    return false
  }

  private func finish(_ error: any Error) -> Bool {
    state.withLock { $0.append(.failure(error)) }
    return true
  }

  /// Learns what is only known on the client's thread, and has the task cancelled when the run ends before the answer is
  /// there; false where it has ended, which the client is then to be told.
  private func leaveClientThread() -> Bool {
    guard state.withLock({ $0.beginWaiting() }) else { return true }
    let facts = taskFacts()
    state.withLock { $0.facts = facts }
    guard let responder, responder.tasks.register(task, for: ObjectIdentifier(self)) else {
      return !finish(AnswerErrors.ended(request.url))
    }
    return true
  }

  // MARK: Telling the client

  /// Tells the client what it is to be told now; on the client's thread only.
  func deliverIfPossible() {
    while mayCallClient, let client, let event = state.withLock({ $0.takeEvent() }) {
      deliver(event, to: client)
      // Foundation is busy with the end of the task on another thread: asking for its state would wait for that.
      if event.isLast { return }
    }
  }

  private func deliver(_ event: ClientEvent, to client: any URLProtocolClient) {
    switch event {
    case .whole(let head, let content):
      storeCookies(of: head)
      client.urlProtocol(self, didReceive: head.response, cacheStoragePolicy: .notAllowed)
      // In one piece: on Linux a task with a completion handler keeps only the last one.
      if let content, !content.isEmpty { client.urlProtocol(self, didLoad: content) }
      client.urlProtocolDidFinishLoading(self)
    case .response(let head):
      storeCookies(of: head)
      client.urlProtocol(self, didReceive: head.response, cacheStoragePolicy: .notAllowed)
    case .content(let content):
      client.urlProtocol(self, didLoad: content)
    case .finish:
      client.urlProtocolDidFinishLoading(self)
    case .failure(let error):
      client.urlProtocol(self, didFailWithError: error)
    case .redirect(let redirect):
      let sent = storedCookies(for: redirect.hop.url)
      storeCookies(of: redirect.head)
      guard leaveClientThread() else { return }
      let loader = WeakLoader(self)
      follow(redirect) { request in
        DispatchQueue.stubdb.async { loader.value?.proceed(with: request, after: redirect, sent) }
      }
    }
  }

  private func storeCookies(of head: AnswerHead) {
    guard head.setsCookies, request.httpShouldHandleCookies, let storage = cookieStorage(),
      let response = head.response as? HTTPURLResponse, let url = response.url
    else { return }
    let fields = response.allHeaderFields as? [String: String] ?? [:]
    let cookies = HTTPCookie.cookies(withResponseHeaderFields: fields, for: url)
    storage.setCookies(cookies, for: url, mainDocumentURL: request.mainDocumentURL)
  }

  // MARK: Redirects

  /// The client's delegate decided about a redirect: nil to have the response itself.
  ///
  /// `sent` are the cookies that the storage gave for the request before: whether they still go is for the storage to say.
  func proceed(with request: URLRequest?, after redirect: Redirect, _ sent: [HTTPCookie]) {
    guard var request, let url = request.url else {
      return arrive([.whole(redirect.head, redirect.content)])
    }
    let count = redirect.hop.redirectCount + 1
    guard count <= Redirect.maximumCount else {
      return arrive([.failure(AnswerErrors.tooManyRedirects(url))])
    }
    removeCookies(sent, from: &request)
    addCookies(to: &request, url: url)
    guard let reader = RequestReader(request: request, url: url, body: BodySource(of: request))
    else { return arrive([.failure(AnswerErrors.tooManyHeaderFields(url))]) }
    var hop = RequestHop(request: request, url: url, stubRequest: reader.completeRequest())
    hop.redirectCount = count
    decide(about: hop)
  }

  private func storedCookies(for url: URL) -> [HTTPCookie] {
    cookieStorage()?.cookies(for: url) ?? []
  }

  /// Leaves what the client itself wrote into the field.
  private func removeCookies(_ cookies: [HTTPCookie], from request: inout URLRequest) {
    guard !cookies.isEmpty, let sent = request.value(forHTTPHeaderField: "Cookie") else { return }
    let stored = Set(cookies.map { "\($0.name)=\($0.value)" })
    let kept = sent.components(separatedBy: "; ").filter { !stored.contains($0) }
    request.setValue(
      kept.isEmpty ? nil : kept.joined(separator: "; "), forHTTPHeaderField: "Cookie")
  }

  private func addCookies(to request: inout URLRequest, url: URL) {
    guard request.httpShouldHandleCookies else { return }
    let cookies = storedCookies(for: url)
    guard !cookies.isEmpty else { return }
    for (name, value) in HTTPCookie.requestHeaderFields(with: cookies) {
      request.setValue(value, forHTTPHeaderField: name)
    }
  }
}
