#if canImport(FoundationNetworking)
  import Dispatch
  import Foundation
  import FoundationNetworking
  import StubDBEngine
  import StubDBPlayback

  /// What of a stubbing protocol is different on Linux; compare with its twin for Apple's systems.
  ///
  /// The rules are those of swift-corelibs-foundation 6.3.1: the client may only be called inside `startLoading`, on the
  /// work queue all sessions share, once, and while the task is running.
  class PlatformURLProtocol: URLProtocol {
    /// What answers; taken when the task is resumed, so that what is under way knows its run to the end.
    private(set) var responder: RunResponder?

    required init(
      request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
    ) {
      super.init(request: request, cachedResponse: cachedResponse, client: client)
      responder = ClassTable.shared.responder(of: Self.self)
    }

    /// Whether the client still listens: after a cancellation a call to it is a fatal error.
    var mayCallClient: Bool { task?.state == .running }

    /// Nothing to remember: `startLoading` is always called on the right queue.
    func rememberClientThread() {}

    /// Has `startLoading` called again on the work queue, from any thread.
    ///
    /// `resume()` on a running task does that, and is the only public way onto the queue. Calling the client
    /// from another one is a data race on the session's table of tasks, which crashes.
    func returnToClient() {
      guard let task, task.state == .running else { return }
      task.resume()
    }

    /// Has the run go on for as long as the session of this task, whose configuration may be a changed copy.
    func keepRunForSession() {
      if let session { ClassTable.shared.watch(session, for: type(of: self)) }
    }

    /// Foundation puts the cookies of the session's storage into a request when the task is made.
    static let sessionAddsCookies = true

    /// Adds the header fields of the session's configuration that the request does not have.
    ///
    /// Foundation does that in its own loader, after which nobody sees the request any more.
    func addFieldsOfConfiguration(to request: inout URLRequest) {
      for (name, value) in session?.configuration.httpAdditionalHeaders ?? [:] {
        guard let name = name as? String, request.value(forHTTPHeaderField: name) == nil else {
          continue
        }
        request.setValue("\(value)", forHTTPHeaderField: name)
      }
    }

    /// What an answer that takes time has to know; on the client's thread only.
    ///
    /// Foundation keeps time-outs only in its own loader: without these a request that is not answered waits
    /// for ever. A request that says nothing has the 60 seconds of `URLRequest`.
    func patience() -> Patience {
      let defaultTimeout = 60.0
      let session = session
      let configuration = session?.configuration
      var timeout = request.timeoutInterval
      if timeout == defaultTimeout, let configuration {
        timeout = configuration.timeoutIntervalForRequest
      }
      return Patience(
        isIncremental: session.map(isToldPiecewise) ?? false, timeout: .timeout(timeout),
        totalTimeout: configuration.flatMap { .timeout($0.timeoutIntervalForResource) },
        endsDelays: responder?.player.options.pace == .real || timeout != defaultTimeout)
    }

    /// How the client hears of the answer: the name of a case of `URLSession._TaskBehaviour`, and what it holds.
    ///
    /// Foundation shows it nowhere; reflection finds it. Where it does not, content is told in one piece, and the session's
    /// delegate is asked.
    private func behaviour(in session: URLSession) -> (name: String, payload: Any?)? {
      guard let task, let registry = Self.reflectedProperty("taskRegistry", of: session),
        let behaviours = Self.reflectedProperty("behaviours", of: registry)
      else { return nil }
      for entry in Mirror(reflecting: behaviours).children {
        let pair = Mirror(reflecting: entry.value).children.map(\.value)
        guard pair.count == 2, pair[0] as? Int == task.taskIdentifier else { continue }
        let associated = Mirror(reflecting: pair[1]).children.first
        return (associated?.label ?? "\(pair[1])", associated?.value)
      }
      return nil
    }

    /// Whether the client takes content piece by piece: with a completion handler it gets the last piece only.
    private func isToldPiecewise(in session: URLSession) -> Bool {
      behaviour(in: session)?.name == "callDelegate"
    }

    /// What decides for the task: the delegate it was made with, else that of its session.
    private func delegate(in session: URLSession) -> (any URLSessionTaskDelegate)? {
      let payload = behaviour(in: session)?.payload
      let own = payload.flatMap { payload in
        Mirror(reflecting: payload).children.lazy.compactMap {
          $0.value as? any URLSessionTaskDelegate
        }
        .first
      }
      return own ?? task?.delegate
    }

    /// The session of the task, which a protocol on Linux is not shown.
    private var session: URLSession? {
      task.flatMap { Self.reflectedProperty("session", of: $0) } as? URLSession
    }

    /// Where the session keeps its cookies; nil where it keeps none.
    func cookieStorage() -> HTTPCookieStorage? {
      guard let configuration = session?.configuration,
        configuration.httpCookieAcceptPolicy != .never
      else { return nil }
      return configuration.httpCookieStorage
    }

    /// Nil, since every session's own storage is found.
    static func makeCookieStorage() -> HTTPCookieStorage? { nil }

    /// Asks the delegate about a redirect, as the loader of Foundation would: `wasRedirectedTo` is a fatal error.
    ///
    /// `proceed` gets the request to follow it with, nil to deliver the response itself.
    func follow(_ redirect: Redirect, _ proceed: @escaping @Sendable (URLRequest?) -> Void) {
      guard let task, let session, let delegate = delegate(in: session),
        let response = redirect.head.response as? HTTPURLResponse
      else { return proceed(redirect.newRequest) }
      session.delegateQueue.addOperation {
        delegate.urlSession(
          session, task: task, willPerformHTTPRedirection: response,
          newRequest: redirect.newRequest, completionHandler: proceed)
      }
    }

    /// Why this task cannot be stubbed here; nil where it can.
    func refusal(of url: URL) -> (any Error)? {
      guard task is URLSessionDownloadTask else { return nil }
      // Foundation alone can say where the file is, and crashes without: URLSession.swift:849, swift-corelibs-
      // foundation#5465. A stub can answer once a custom protocol can hand over a file.
      return RequestError.download(url)
    }

    /// Where the content of the task's request is.
    ///
    /// Foundation keeps the content of an upload task in `URLSessionTask.knownBody` and shows it nowhere; reflection
    /// finds it. It can go when `httpBody` or `httpBodyStream` of an upload task are set on Linux.
    func bodySource(of request: URLRequest) -> BodySource {
      guard let task = task as? URLSessionUploadTask else { return BodySource(of: request) }
      if let known = Self.knownBody(of: task) { return known }
      return BodySource(
        of: request,
        otherwise: .unknown(
          "this version of Foundation does not show the content of an upload task"))
    }

    private static func knownBody(of task: URLSessionTask) -> BodySource? {
      guard let known = reflectedProperty("knownBody", of: task),
        let body = Mirror(reflecting: known).children.first?.value,
        let payload = Mirror(reflecting: body).children.first
      else { return nil }
      switch (payload.label, payload.value) {
      case ("data", let content as DispatchData): return .bytes(Data(content))
      case ("file", let file as URL): return .file(file)
      case ("stream", let stream as InputStream): return .stream(stream)
      default: return nil
      }
    }

    private static func reflectedProperty(_ name: String, of object: Any) -> Any? {
      var mirror: Mirror? = Mirror(reflecting: object)
      while let level = mirror {
        for child in level.children where child.label == name { return child.value }
        mirror = level.superclassMirror
      }
      return nil
    }

    /// Keeps Foundation from asking for credentials, which hangs.
    ///
    /// A 401 that offers `Basic` is never delivered by 6.3.1 (swift-corelibs-foundation#5457). One leading space
    /// stops its parser, and the client sees the field with that space. It can go with the first release
    /// that has the fix: the test `unauthorizedWithBasicIsDelivered` passes without.
    static func adjust(_ fields: inout [String: String], status: Int) {
      guard status == 401 else { return }
      for (name, value) in fields
      where name.lowercased() == "www-authenticate" && value.lowercased().contains("basic") {
        fields[name] = " " + value
      }
    }
  }
#endif
