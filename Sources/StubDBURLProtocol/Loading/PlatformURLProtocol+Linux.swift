#if canImport(FoundationNetworking)
  import Dispatch
  import Foundation
  import FoundationNetworking
  import StubDBEngine
  import StubDBPlayback

  /// The part of a stubbing protocol that is specific to Linux; compare with its counterpart for Apple's systems.
  ///
  /// The rules are those of swift-corelibs-foundation 6.3.1: the client may only be called inside `startLoading`, on
  /// the work queue that all sessions share, once, and while the task is running.
  class PlatformURLProtocol: URLProtocol {
    /// The responder; looked up when the task is resumed, so that it keeps its run to the end.
    private(set) var responder: RunResponder?

    required init(
      request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
    ) {
      super.init(request: request, cachedResponse: cachedResponse, client: client)
      responder = ClassTable.shared.responder(of: Self.self)
    }

    /// Whether the client still listens: after a cancellation, calling it is a fatal error.
    var mayCallClient: Bool { task?.state == .running }

    /// Nothing to record: `startLoading` is always called on the right queue.
    func rememberClientThread() {}

    /// Has `startLoading` called again on the work queue; may be called on any thread.
    ///
    /// `resume()` on a running task does that, and is the only public way onto the queue. Calling the client on another
    /// queue is a data race on the session's table of tasks, which crashes.
    func returnToClient() {
      guard let task, task.state == .running else { return }
      task.resume()
    }

    /// Keeps the run alive as long as the session of this task, whose configuration may be a modified copy.
    func keepRunForSession() {
      if let session { ClassTable.shared.watch(session, for: type(of: self)) }
    }

    /// Foundation adds the cookies of the session's storage to a request when the task is made.
    static let sessionAddsCookies = true

    /// Adds the header fields of the session's configuration that the request lacks.
    ///
    /// Foundation does that in its own loader, which stubbed requests do not reach.
    func addFieldsOfConfiguration(to request: inout URLRequest) {
      for (name, value) in session?.configuration.httpAdditionalHeaders ?? [:] {
        guard let name = name as? String, request.value(forHTTPHeaderField: name) == nil else {
          continue
        }
        request.setValue("\(value)", forHTTPHeaderField: name)
      }
    }

    /// Facts that an answer on another thread needs; only on the client's thread.
    ///
    /// Foundation implements time-outs only in its own loader: without these, a request without an answer waits for
    /// ever. The default is the 60 seconds of `URLRequest`.
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

    /// How the client receives the answer: the name of a case of `URLSession._TaskBehaviour`, and its payload.
    ///
    /// Foundation has no interface for it; reflection finds it. If it does not, content is delivered in one piece, and the
    /// session's delegate is asked.
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

    /// Whether the client takes content piece by piece: with a completion handler, it gets only the last piece.
    private func isToldPiecewise(in session: URLSession) -> Bool {
      behaviour(in: session)?.name == "callDelegate"
    }

    /// The delegate that decides for the task: its own, or else that of its session.
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

    /// The session of the task, which a protocol on Linux cannot see.
    private var session: URLSession? {
      task.flatMap { Self.reflectedProperty("session", of: $0) } as? URLSession
    }

    /// The cookie storage of the session; nil if it has none.
    func cookieStorage() -> HTTPCookieStorage? {
      guard let configuration = session?.configuration,
        configuration.httpCookieAcceptPolicy != .never
      else { return nil }
      return configuration.httpCookieStorage
    }

    /// Nil, since the storage of every session is found.
    static func makeCookieStorage() -> HTTPCookieStorage? { nil }

    /// What copies are made of: all of an ephemeral configuration but its storages.
    private static let blankConfiguration: URLSessionConfiguration = {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpCookieStorage = nil
      configuration.urlCache = nil
      configuration.urlCredentialStorage = nil
      return configuration
    }()

    /// An ephemeral configuration; what it has for a cache and for credentials is replaced anyway.
    static func makeConfiguration() -> URLSessionConfiguration {
      guard let storage = CookieStorages.shared.take(),
        let configuration = blankConfiguration.copy() as? URLSessionConfiguration
      else { return .ephemeral }
      configuration.httpCookieStorage = storage
      return configuration
    }

    /// How many cookie storages of a run are used again.
    static var reusedStorageCount: Int { CookieStorages.largestCount }

    /// Keeps the cookie storages of a run that has ended for other runs.
    static func reuse(_ storages: [HTTPCookieStorage]) { CookieStorages.shared.add(storages) }

    /// Asks the delegate about a redirect, as Foundation's loader would: `wasRedirectedTo` is a fatal error.
    ///
    /// `proceed` gets the request to follow, or nil to deliver the response itself.
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

    /// Why this task cannot be stubbed here; nil if it can.
    func refusal(of url: URL) -> (any Error)? {
      guard task is URLSessionDownloadTask else { return nil }
      // Only Foundation can say where the file is, and it crashes without one: URLSession.swift:849,
      // swift-corelibs-foundation#5465. Stubs can answer once a custom protocol can pass a file.
      return RequestError.download(url)
    }

    /// The source of the content of the task's request.
    ///
    /// Foundation keeps the content of an upload task in `URLSessionTask.knownBody` without an interface; reflection
    /// finds it. This can go once `httpBody` or `httpBodyStream` of an upload task are set on Linux.
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
    /// A 401 that offers `Basic` is never delivered by 6.3.1 (swift-corelibs-foundation#5457). A leading space stops
    /// its parser, and the client sees the field with that space. This can go with the first release that has the fix,
    /// when the test `unauthorizedWithBasicIsDelivered` passes without it.
    static func adjust(_ fields: inout [String: String], status: Int) {
      guard status == 401 else { return }
      for (name, value) in fields
      where name.lowercased() == "www-authenticate" && value.lowercased().contains("basic") {
        fields[name] = " " + value
      }
    }
  }
#endif
