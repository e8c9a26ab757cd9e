#if !canImport(FoundationNetworking)
  import CoreFoundation
  import Foundation
  import StubDBEngine
  import StubDBPlayback

  /// What of a stubbing protocol is different on Apple's systems; compare with its twin for Linux.
  ///
  /// The client is called on the thread that called `startLoading`, by way of that thread's run loop, and not after
  /// `stopLoading`. https://developer.apple.com/library/archive/samplecode/CustomHTTPProtocol
  class PlatformURLProtocol: URLProtocol {
    /// What answers; taken when the instance is made, so that what is under way knows its run to the end.
    private(set) var responder: RunResponder?
    private var clientRunLoop: CFRunLoop?
    private var clientModes: [CFString] = []

    required override init(
      request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
    ) {
      super.init(request: request, cachedResponse: cachedResponse, client: client)
      responder = ClassTable.shared.responder(of: type(of: self))
    }

    /// Whether the client still listens: it does until `stopLoading`, which ``LoadingState`` knows.
    var mayCallClient: Bool { true }

    /// Notes the thread and the mode that the client is to be called in.
    func rememberClientThread() {
      let loop = CFRunLoopGetCurrent()
      clientRunLoop = loop
      clientModes = [CFRunLoopMode.defaultMode.rawValue]
      if let mode = CFRunLoopCopyCurrentMode(loop) { clientModes.append(mode.rawValue) }
    }

    /// Has the answer delivered on the client's thread, from any thread.
    func returnToClient() {
      guard let clientRunLoop, let loader = (self as? StubURLProtocol).map(WeakLoader.init) else {
        return
      }
      CFRunLoopPerformBlock(clientRunLoop, clientModes as CFArray) {
        loader.value?.deliverIfPossible()
      }
      CFRunLoopWakeUp(clientRunLoop)
    }

    /// Does nothing: a protocol is not shown its session.
    func keepRunForSession() {}

    /// Cookies are put into requests by the loader for HTTP, which a stubbed request does not get to.
    static let sessionAddsCookies = false

    /// Does nothing, since the header fields of the session's configuration are in the request.
    func addFieldsOfConfiguration(to request: inout URLRequest) {}

    /// What an answer that takes time has to know; on the client's thread only.
    ///
    /// The loader keeps real time for custom protocols too, but not the time of a scenario that goes by faster.
    func patience() -> Patience {
      guard let pace = responder?.player.options.pace, pace != .real else {
        return Patience(isIncremental: true)
      }
      let defaultTimeout = 60.0
      return Patience(
        isIncremental: true, timeout: .timeout(request.timeoutInterval),
        endsDelays: request.timeoutInterval != defaultTimeout)
    }

    /// Where the sessions of the interceptor keep their cookies: a protocol is not shown its session.
    func cookieStorage() -> HTTPCookieStorage? { responder?.cookieStorage.value }

    /// A storage for the sessions of one interceptor.
    static func makeCookieStorage() -> HTTPCookieStorage? {
      URLSessionConfiguration.ephemeral.httpCookieStorage
    }

    /// Has the loader ask the delegate about a redirect, and make another instance for what follows.
    ///
    /// Where the delegate has the response itself, the loader goes on listening: else it stops this instance first.
    func follow(_ redirect: Redirect, _ proceed: @escaping @Sendable (URLRequest?) -> Void) {
      client?.urlProtocol(
        self, wasRedirectedTo: redirect.newRequest, redirectResponse: redirect.head.response)
      proceed(nil)
    }

    /// Why this task cannot be stubbed here; nil where it can.
    func refusal(of url: URL) -> (any Error)? {
      task is URLSessionWebSocketTask ? RequestError.webSocket(url) : nil
    }

    /// Where the content of the task's request is.
    ///
    /// The system hands content over as a stream. An upload task without one is not known to be empty.
    func bodySource(of request: URLRequest) -> BodySource {
      guard task is URLSessionUploadTask else { return BodySource(of: request) }
      return BodySource(
        of: request,
        otherwise: .unknown("the system does not show the content of this upload task"))
    }

    /// Nothing to adjust here.
    static func adjust(_ fields: inout [String: String], status: Int) {}
  }
#endif
