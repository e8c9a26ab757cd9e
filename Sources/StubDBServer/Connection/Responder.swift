#if Server
import HTTPTypes
import NIOCore
import NIOHTTP1
import StubDBEngine
import StubDBPlayback
import StubDBServing

import struct Foundation.Data

/// Answers requests one after another: decides what answers each, and passes it to a ``ResponseWriter``.
///
/// It knows nothing of how bytes are framed, so that it serves every protocol. All of it runs on the event loop of the
/// connection.
final class Responder {
  let server: ServerContext
  let scope: ConnectionScope
  /// Whether the client speaks TLS.
  let isSecure: Bool
  let loop: any EventLoop
  /// The address of the client; nil if it is not known.
  private let client: SocketAddress?
  let channel: any Channel
  private let names = FieldNames.current
  weak var writer: (any ResponseWriter)?
  /// What the connection has become; nil while it is one of HTTP.
  weak var webSocket: WebSocketHandler?
  var answer = AnswerInProgress()

  /// Makes one for a connection, or for a stream of one.
  init(
    _ server: ServerContext, _ scope: ConnectionScope, _ channel: any Channel, isSecure: Bool
  ) {
    (self.server, self.scope, self.isSecure) = (server, scope, isSecure)
    (loop, client) = (channel.eventLoop, channel.remoteAddress)
    self.channel = channel
  }

  // MARK: Requests

  /// Answers a request; the one before must have been concluded.
  ///
  /// Whatever the protocol, a `Host` field says which name the client calls.
  func answer(_ head: HTTPRequestHead, _ content: Data) {
    begin(head, byteCount: content.count)
    var head = head
    // A proxy is asked for other servers of this machine too.
    if let admin = server.admin, !server.options.isProxy {
      head = head.inOriginForm(isOwnHost: admin.access.allows)
    }
    guard let session = server.sessions.usual, session.isPending else {
      return route(head, content)
    }
    // Stubs were added, which may take long to compile.
    let responder = NIOLoopBound(self, eventLoop: loop)
    let (loop, number, whole) = (loop, answer.number, head)
    BlockingThreads.shared.run {
      _ = session.served
      loop.execute {
        if responder.value.owes(number) { responder.value.route(whole, content) }
      }
    }
  }

  /// Finds out what answers, and has it answer.
  private func route(_ head: HTTPRequestHead, _ content: Data) {
    switch Destination(of: head, at: scope, in: server) {
    case .scenario(let session, let served, let target, let prefix):
      (answer.session, answer.served) = (session, served)
      answer.entry?.session = session.id
      ask(served, head, content, target: target, prefix: prefix)
    case .network(let url):
      answer.entry?.remark = "passed on"
      let sink = ResponderSink(
        self, answer: answer.number, to: request(head, url, content), event: nil)
      answer.forwarded = sink.sendToNetwork()
    case .tunnel(let host, let port):
      answer.entry?.remark = "tunnel"
      writer?.openTunnel(to: TunnelTarget(host: host, port: port))
    case .interception(let scope):
      answer.entry?.remark = "tunnel"
      writer?.intercept(scope)
    case .admin(let admin):
      // What stands before the server may be on its machine, and clients elsewhere.
      let isFromLoopback =
        client?.isLoopback == true && server.options.publicURL?.isLoopback ?? true
      ask(
        admin,
        AdminRequest(head, content, isFromLoopback: isFromLoopback, isSecure: isSecure))
    case .nowhere(let problem):
      if allowsOtherOrigins(head), permits(head) { return }
      answer.entry?.remark = problem.title
      give(problem.answer)
    }
  }

  /// Asks a scenario, for a target without the prefix that names the session.
  private func ask(
    _ served: ServedScenario, _ head: HTTPRequestHead, _ content: Data, target: String,
    prefix: String
  ) {
    answer.isForBrowser =
      scope.hasAdmin && server.sandboxesPages && PageSandbox.isFromBrowser(head.headers)
    let host = head.headers.first(name: "host")
    // A client that calls the host of the scenario itself is led on to that host.
    if target.utf8.first == UInt8(ascii: "/"), scope.tunnel == nil,
      host.map({ !served.origins.has(field: $0) }) ?? true
    {
      answer.base =
        server.options.publicURL?.served(prefix: prefix, host: host)
        ?? ServedURL(authority: host ?? "localhost", prefix: prefix, isSecure: isSecure)
    }
    let url =
      server.recording?.url(of: head, at: scope, isSecure: isSecure)
      ?? served.origins.url(
        target: scope.tunnel?.url(target, isSecure: isSecure) ?? target,
        host: host, isSecure: isSecure,
        isWebSocket: served.opensWebSockets && WebSocketHandshake.isAsked(by: head))
    let request = request(head, url, content)
    if served.allowsOtherOrigins, permits(head, unless: { served.answersOptions(request) }) {
      return
    }
    decide(about: request, served)
  }

  private func request(_ head: HTTPRequestHead, _ url: String, _ content: Data) -> StubRequest {
    StubRequest(
      method: head.method.rawValue, url: url, headers: names.fields(head.headers),
      body: .bytes(content))
  }

  /// Answers a request that breaks HTTP or a limit; nil for one without a head.
  func refuse(_ refusal: Refusal, _ head: HTTPRequestHead?) {
    begin(head, byteCount: 0)
    if let head, allowsOtherOrigins(head) { answer.crossOrigin = CrossOrigin(head) }
    giveProblem(refusal)
  }

  /// Says why a request is not answered.
  func giveProblem(_ refusal: Refusal) {
    let (head, content) = FailureOnWire.problem(refusal.status, refusal.title, refusal.detail)
    answer.entry?.remark = refusal.title
    give(head, content)
  }

  // MARK: Pages of other origins

  /// Notes that a page of another origin may read the answer; answers and returns true if its browser only asks whether
  /// it may send a request, and no stub answers that.
  ///
  /// Such a question is not in the journal: the page did not ask it.
  private func permits(_ head: HTTPRequestHead, unless isStubbed: () -> Bool = { false }) -> Bool {
    guard let crossOrigin = CrossOrigin(head) else { return false }
    answer.crossOrigin = crossOrigin
    guard crossOrigin.isPreflight, !isStubbed() else { return false }
    answer.entry?.remark = "preflight"
    give(crossOrigin.permission, Data())
    return true
  }

  /// Whether pages of other origins may read what the server itself answers to a request.
  ///
  /// They read nothing of the admin API, and nothing that a proxy says in place of another server.
  private func allowsOtherOrigins(_ head: HTTPRequestHead) -> Bool {
    server.options.allowsOtherOrigins && scope.hasScenarios && !AdminAPI.owns(head.uri)
      && (!server.options.isProxy || head.uri.hasPrefix("/"))
  }

  private func begin(_ head: HTTPRequestHead?, byteCount: Int) {
    answer = AnswerInProgress(number: answer.number &+ 1, isOwed: true)
    answer.start = .now()
    answer.entry = AccessLogEntry(
      method: head?.method.rawValue ?? "-", target: head?.uri ?? "-", duration: .zero,
      requestByteCount: byteCount, responseByteCount: 0)
  }

  // MARK: The end

  /// Whether this answer is being given, and not a later one or none.
  func owes(_ number: Int) -> Bool { answer.isOwed && answer.number == number }

  /// Ends the answer, and logs it.
  func conclude() {
    guard answer.isOwed else { return }
    answer.isOwed = false
    answer.work?.cancel()
    answer.exchange?.cancel()
    answer.forwarded?.cancel()
    answer.stream?.end()
    answer.pings?.cancel()
    let (entry, exchange, sent) = (answer.entry, answer.exchange, answer.sent?.asWritten)
    let time = Duration.nanoseconds((NIODeadline.now() - answer.start).nanoseconds)
    // The scenario may have changed meanwhile, and a later run has the journal.
    if let event = answer.event {
      answer.session?.player.run.conclude(
        event, status: entry?.status, kept: sent, after: time)
      tellFollowers()
    }
    let pace = answer.served?.player.options.pace
    answer = AnswerInProgress(number: answer.number)
    guard var entry else { return }
    entry.duration = time
    entry.responseContent = sent?.content.prefix(server.options.loggedContentSize) ?? Data()
    // A client that goes early has not waited for all of it.
    if let exchange, let pace { entry.delay = min(pace.scaled(exchange.elapsed), entry.duration) }
    server.metrics.count(entry)
    server.log?(entry)
  }

  /// Tells those who follow the journal that the request is in it, or that the answer is over.
  func tellFollowers() {
    guard let session = answer.session else { return }
    session.feed.notify()
    server.sessions.events.feed.notify()
  }

  /// Gives the answer up, because the client has gone.
  func drop() {
    guard answer.isOwed else { return }
    if !answer.isSilent { answer.entry?.remark = "the client has gone" }
    conclude()
  }

  /// Says in the log and in the journal where the answer came from.
  func remark(_ text: String) {
    answer.entry?.remark = text
    if let event = answer.event { answer.served?.player.run.remark(text, on: event) }
  }

  /// Nothing more is sent, until the client goes.
  func fallSilent() {
    answer.isSilent = true
    if answer.entry?.remark == nil {
      answer.entry?.remark = "never"
      answer.entry?.fault = "never"
    }
  }
}
#endif
