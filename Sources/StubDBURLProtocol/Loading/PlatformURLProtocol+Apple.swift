#if !canImport(FoundationNetworking)
  import CoreFoundation
  import Foundation
  import StubDBEngine
  import StubDBPlayback

  /// The part of a stubbing protocol that is specific to Apple's systems; compare with its counterpart for Linux.
  ///
  /// The client is called on the thread that called `startLoading`, through that thread's run loop, and not after
  /// `stopLoading`. https://developer.apple.com/library/archive/samplecode/CustomHTTPProtocol
  class PlatformURLProtocol: URLProtocol {
    /// The responder; looked up when the instance is made, so that it keeps its run to the end.
    private(set) var responder: RunResponder?
    private var clientRunLoop: CFRunLoop?
    private var clientModes: [CFString] = []

    required override init(
      request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
    ) {
      super.init(request: request, cachedResponse: cachedResponse, client: client)
      responder = ClassTable.shared.responder(of: type(of: self))
    }

    /// Whether the client still listens: until `stopLoading`, which ``LoadingState`` records.
    var mayCallClient: Bool { true }

    /// Records the thread and the mode in which the client is to be called.
    func rememberClientThread() {
      let loop = CFRunLoopGetCurrent()
      clientRunLoop = loop
      clientModes = [CFRunLoopMode.defaultMode.rawValue]
      if let mode = CFRunLoopCopyCurrentMode(loop) { clientModes.append(mode.rawValue) }
    }

    /// Has the answer delivered on the client's thread; may be called on any thread.
    func returnToClient() {
      guard let clientRunLoop, let loader = (self as? StubURLProtocol).map(WeakLoader.init) else {
        return
      }
      CFRunLoopPerformBlock(clientRunLoop, clientModes as CFArray) {
        loader.value?.deliverIfPossible()
      }
      CFRunLoopWakeUp(clientRunLoop)
    }

    /// Does nothing, because a protocol cannot see its session.
    func keepRunForSession() {}

    /// The loader for HTTP adds cookies to requests, which stubbed requests do not reach.
    static let sessionAddsCookies = false

    /// Does nothing, because the request has the header fields of the session's configuration.
    func addFieldsOfConfiguration(to request: inout URLRequest) {}

    /// Facts that an answer on another thread needs; only on the client's thread.
    ///
    /// The loader also limits custom protocols in real time, but not in scenario time that passes faster.
    func patience() -> Patience {
      guard let pace = responder?.player.options.pace, pace != .real else {
        return Patience(isIncremental: true)
      }
      let defaultTimeout = 60.0
      return Patience(
        isIncremental: true, timeout: .timeout(request.timeoutInterval),
        endsDelays: request.timeoutInterval != defaultTimeout)
    }

    /// The cookie storage of the interceptor's sessions, since a protocol cannot see its session.
    func cookieStorage() -> HTTPCookieStorage? { responder?.cookieStorage.value }

    /// A storage for the sessions of one interceptor.
    static func makeCookieStorage() -> HTTPCookieStorage? {
      URLSessionConfiguration.ephemeral.httpCookieStorage
    }

    /// An ephemeral configuration.
    static func makeConfiguration() -> URLSessionConfiguration { .ephemeral }

    /// How many cookie storages of a run are used again: none, because a new one costs little here.
    static var reusedStorageCount: Int { 0 }

    /// Does nothing.
    static func reuse(_ storages: [HTTPCookieStorage]) {}

    /// Has the loader ask the delegate about a redirect, and make another instance for the next request.
    ///
    /// If the delegate wants the response itself, the loader goes on listening; otherwise it stops this instance first.
    func follow(_ redirect: Redirect, _ proceed: @escaping @Sendable (URLRequest?) -> Void) {
      client?.urlProtocol(
        self, wasRedirectedTo: redirect.newRequest, redirectResponse: redirect.head.response)
      proceed(nil)
    }

    /// Why this task cannot be stubbed here; nil if it can.
    func refusal(of url: URL) -> (any Error)? {
      task is URLSessionWebSocketTask ? RequestError.webSocket(url) : nil
    }

    /// The source of the content of the task's request.
    ///
    /// The system passes content as a stream. An upload task without one is not known to be empty.
    func bodySource(of request: URLRequest) -> BodySource {
      guard task is URLSessionUploadTask else { return BodySource(of: request) }
      return BodySource(
        of: request,
        otherwise: .unknown("the system does not show the content of this upload task"))
    }

    /// Nothing needs to be adjusted here.
    static func adjust(_ fields: inout [String: String], status: Int) {}
  }
#endif
