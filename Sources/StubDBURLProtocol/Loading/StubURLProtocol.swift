import Foundation
import StubDBEngine
import StubDBPlayback
import StubDBSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers the requests of sessions that use one of its numbered subclasses.
///
/// `startLoading` decides. The answer is sent at once if possible; otherwise it is prepared on another thread and sent
/// on the client's own thread (``PlatformURLProtocol``). It accepts every request, since a declined one would go to the
/// real network; only what another test asks the shared session is not for it.
class StubURLProtocol: PlatformURLProtocol {
  let state = Locked(LoadingState())

  deinit {
    // Most answers are sent at once, without an exchange.
    state.withLock { $0.exchange }?.cancel()
  }

  override class func canInit(with request: URLRequest) -> Bool {
    !SharedSession.isOfAnotherTest(self)
  }

  override class func canInit(with task: URLSessionTask) -> Bool {
    !SharedSession.isOfAnotherTest(self)
  }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    rememberClientThread()
    // The client is notified after `begin` has released what it made: its next request waits for this queue.
    switch state.withLock({ $0.start() }) {
    case .decide: if let event = begin() { tellAtOnce(event) }
    case .deliver: deliverIfPossible()
    }
  }

  override func stopLoading() {
    state.withLock { $0.stop() }
  }

  /// Decides; returns the event to send at once, or nil if another thread answers.
  private func begin() -> ClientEvent? {
    let given = request
    guard let responder, !responder.player.isEnded else {
      let test = responder?.player.endedTest ?? ClassTable.shared.endedTest(of: type(of: self))
      if let test { LateRequests.note(given.httpMethod, given.url, after: test) }
      return .failure(ResponseFailure.ended.foundationError(url: given.url))
    }
    guard let url = given.url else { return .failure(RequestError.missingURL()) }
    if let error = refusal(of: url) { return .failure(error) }
    var request = given
    let sessions = responder.sessions.withLock { $0 }
    if sessions.areForeign { addFieldsOfConfiguration(to: &request) }
    if sessions.keepRun { keepRunForSession() }
    if !Self.sessionAddsCookies { addCookies(to: &request, url: url) }
    guard
      let reader = RequestReader(
        request: request, url: url, body: bodySource(of: request), fields: responder.fields)
    else { return .failure(RequestError.tooManyHeaderFields(url)) }
    // A stub can only speak HTTP.
    if reader.asksForWebSocket { return .failure(RequestError.webSocket(url)) }
    guard let stubRequest = reader.immediateRequest else {
      return read(reader, of: RequestHop(request: request, url: url, stubRequest: reader.known))
    }
    return answer(RequestHop(request: request, url: url, stubRequest: stubRequest), responder)
  }

  /// Has the content read on another thread, since that may block.
  private func read(_ reader: RequestReader, of hop: RequestHop) -> ClientEvent? {
    guard let exchange = handOver() else { return endedEvent }
    state.withLock { $0.answer(hop) }
    exchange.waitForContent()
    let loader = WeakLoader(self)
    BlockingThreads.shared.run {
      var hop = hop
      hop.stubRequest = reader.completeRequest()
      loader.value?.answer(hop, in: exchange)
    }
    return nil
  }

  private func answer(_ hop: RequestHop, _ responder: RunResponder) -> ClientEvent? {
    let decision = responder.player.decide(about: hop.stubRequest)
    if let event = responder.player.immediateEvent(of: decision) {
      return responder.clientEvent(event, for: hop)
    }
    guard let exchange = handOver() else { return endedEvent }
    state.withLock { $0.answer(hop) }
    DispatchQueue.playback.async { exchange.carryOut(decision, hop.stubRequest) }
    return nil
  }

  private var endedEvent: ClientEvent {
    .failure(ResponseFailure.ended.foundationError(url: request.url))
  }

  /// Has another thread answer; nil if the run has ended.
  ///
  /// Collects what is only known on the client's thread.
  private func handOver() -> Exchange? {
    if let exchange = state.withLock({ $0.exchange }) { return exchange }
    let sink = LoaderSink(loader: WeakLoader(self), task: WeakTask(task))
    guard let responder,
      let exchange = Exchange(responder.player, patience: patience(), sink: sink)
    else { return nil }
    state.withLock { $0.handOver(to: exchange) }
    return exchange
  }

  // MARK: Elsewhere

  /// Has a request answered on another thread than the client's.
  private func answer(_ hop: RequestHop, in exchange: Exchange) {
    state.withLock { $0.answer(hop) }
    exchange.answer(hop.stubRequest)
  }

  /// The exchange sends the events for the client.
  func receive(_ event: ResponseEvent) {
    guard let responder, let hop = state.withLock({ $0.hop }) else { return }
    arrive(responder.clientEvent(event, for: hop))
  }

  /// Called when the time of the event has come.
  private func arrive(_ event: ClientEvent) {
    switch state.withLock({ $0.arrive(event) }) {
    case .callClient: returnToClient()
    case .nothing: break
    }
  }

  func sendToNetwork() -> (any Cancellable)? {
    let (exchange, hop) = state.withLock { ($0.exchange, $0.hop) }
    guard let exchange, let hop else { return nil }
    let loader = WeakLoader(self)
    let event = exchange.event
    // What a stub leaves to the network is no new episode.
    let recording =
      event?.isMatched == true
      ? nil : responder?.recorder?.tap(hop.stubRequest, number: event?.number ?? 0)
    return NetworkSession.shared.begin(
      hop,
      NetworkReceiver(patience: exchange.patience) { event in
        recording?.record(event)
        loader.value?.arrive(event.redirected(for: hop))
      })
  }

  // MARK: Telling the client

  /// Tells the client what was decided on its thread.
  private func tellAtOnce(_ event: ClientEvent) {
    if mayCallClient, let client, state.withLock({ $0.finishAtOnce(with: event) }) {
      return deliver(event, to: client)
    }
    state.withLock { $0.append(event) }
    deliverIfPossible()
  }

  /// Tells the client the current events; only on the client's thread.
  func deliverIfPossible() {
    while mayCallClient, let client {
      switch state.withLock({ $0.deliver() }) {
      case .nothing: return
      case .tell(let event): deliver(event, to: client)
      // Foundation is ending the task on another thread, and asking for its state would wait for that.
      case .tellLast(let event): return deliver(event, to: client)
      }
    }
  }

  private func deliver(_ event: ClientEvent, to client: any URLProtocolClient) {
    switch event {
    case .whole(let head, let content):
      storeCookies(of: head)
      client.urlProtocol(self, didReceive: head.response, cacheStoragePolicy: .notAllowed)
      // In one piece: on Linux, a task with a completion handler keeps only the last one.
      if !content.isEmpty { client.urlProtocol(self, didLoad: content) }
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
      guard let exchange = handOver() else {
        state.withLock { $0.append(endedEvent) }
        return
      }
      let loader = WeakLoader(self)
      follow(redirect) { request in
        DispatchQueue.playback.async {
          loader.value?.proceed(with: request, after: redirect, sent, in: exchange)
        }
      }
    }
  }

  private func storeCookies(of head: FoundationHead) {
    guard head.setsCookies, request.httpShouldHandleCookies, let storage = cookieStorage(),
      let response = head.response as? HTTPURLResponse, let url = response.url
    else { return }
    let fields = response.allHeaderFields as? [String: String] ?? [:]
    var cookies = HTTPCookie.cookies(withResponseHeaderFields: fields, for: url)
    if storage === HTTPCookieStorage.shared { cookies = cookies.map(\.endingWithProcess) }
    storage.setCookies(cookies, for: url, mainDocumentURL: request.mainDocumentURL)
  }

  // MARK: Redirects

  /// Called with the decision of the client's delegate about a redirect: nil to get the response itself.
  ///
  /// `sent` are the cookies that the storage gave for the previous request; the storage decides whether they are sent
  /// again.
  private func proceed(
    with request: URLRequest?, after redirect: Redirect, _ sent: [HTTPCookie],
    in exchange: Exchange
  ) {
    guard var request, let url = request.url else {
      return arrive(.whole(redirect.head, redirect.content))
    }
    let count = redirect.hop.redirectCount + 1
    guard count <= StubRequest.maximumRedirectCount else {
      return arrive(.failure(RequestError.tooManyRedirects(url)))
    }
    removeCookies(sent, from: &request)
    addCookies(to: &request, url: url)
    guard
      let reader = RequestReader(
        request: request, url: url, body: BodySource(of: request), fields: RequestFields())
    else { return arrive(.failure(RequestError.tooManyHeaderFields(url))) }
    var hop = RequestHop(request: request, url: url, stubRequest: reader.completeRequest())
    hop.redirectCount = count
    answer(hop, in: exchange)
  }

  private func storedCookies(for url: URL) -> [HTTPCookie] {
    cookieStorage()?.cookies(for: url) ?? []
  }

  /// Keeps what the client itself wrote into the field.
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
