#if Server
import Dispatch
import HTTPTypes
import NIOHTTP1
import StubDBEngine
import StubDBPlayback
package import StubDBRecording
package import StubDBServing
import StubDBSupport

/// What a server records of the answers of other servers, and whose requests it looks into.
///
/// Safe to use from any thread.
package final class ServerRecording: Sendable {
  /// Why the requests to a host are not recorded, but passed on as they are.
  package enum Unrecorded: String, CaseIterable, Sendable {
    /// The host was not chosen.
    case notChosen
    /// The client does not accept a certificate of the server.
    case pinned
    case webSocket
  }

  package struct Settings: Sendable {
    /// The target of requests to the server itself; nil for a proxy.
    package var target: Origin?
    package var hosts: RecordedHosts
    /// Whether failures of the network become stubs.
    package var recordsErrors = false
    /// Whether clients see failures of the network as they are, and not as a response that describes them.
    package var mirrorsFaults = false

    package init(target: Origin? = nil, hosts: RecordedHosts) {
      (self.target, self.hosts) = (target, hosts)
    }
  }

  private struct State {
    var unrecorded: [Unrecorded: Set<String>] = [:]
    var requestCount = 0
  }

  /// More hosts than a person reads; a program may call any number.
  private static let mostHosts = 100

  let settings: Settings
  private let recorder: RunRecorder?
  private let note: @Sendable (Unrecorded, _ host: String) -> Void
  private let state = Locked(State())
  private let writes = DispatchGroup()

  /// Without a recorder, nothing is written.
  ///
  /// `note` is called once for each host whose requests are not recorded, on any thread; it must not block.
  package init(
    _ settings: Settings, recorder: RunRecorder?,
    note: @escaping @Sendable (Unrecorded, _ host: String) -> Void = { _, _ in }
  ) {
    (self.settings, self.recorder, self.note) = (settings, recorder, note)
  }

  /// Begins to record a request that goes to another server; nil if it is not recorded.
  ///
  /// What a stub leaves to the network is nothing that the scenario lacks.
  func begin(_ request: StubRequest, _ event: ServeEvent?) -> ExchangeRecorder? {
    guard let recorder, let event, !event.isMatched else { return nil }
    var request = request
    request.headers = PassedOnFields.recorded(request.headers)
    return recorder.begin(request, number: event.number)
  }

  /// Says that clients get cookies without what refers to the real server.
  func noteChangedCookies() {
    recorder?.note(
      "The program gets cookies without Domain, and without TLS also without Secure, so that it sends them "
        + "back here; stubs have them as they came.")
  }

  /// Does on another thread what records an exchange.
  func write(_ job: @escaping @Sendable () -> Void) {
    writes.enter()
    BlockingThreads.shared.run { [writes] in
      job()
      writes.leave()
    }
  }

  /// Waits until what is complete is in the draft, and its clients were notified.
  func waitForWrites() { writes.wait() }

  /// Waits until what is complete is in the draft, and ends the run.
  ///
  /// A client has all of an answer a moment before that. To be called once the server has ended.
  package func end(failed: Bool) {
    waitForWrites()
    recorder?.end(failed: failed)
  }

  /// How many requests were recorded, and what was not, as sentences.
  package var outcome: (count: Int, problems: [String]) {
    recorder?.outcome ?? (0, [])
  }

  /// How many requests came, also those that stubs answered.
  package var requestCount: Int { state.withLock(\.requestCount) }

  /// Whether anything can be recorded.
  package var isActive: Bool { recorder != nil }

  // MARK: Hosts

  /// Whether requests to the host are looked into.
  func includes(_ host: String, _ port: Int) -> Bool {
    settings.hosts.contains(host, port)
      && !state.withLock { $0.unrecorded[.pinned]?.contains(host) ?? false }
  }

  /// Remembers that requests to a host are not recorded.
  func leaveOut(_ host: String, _ reason: Unrecorded) {
    let isNew = state.withLock { state in
      guard state.unrecorded[reason, default: []].count < Self.mostHosts else { return false }
      return state.unrecorded[reason, default: []].insert(host).inserted
    }
    if isNew { note(reason, host) }
  }

  /// The hosts whose requests were not recorded, sorted.
  package func unrecorded(_ reason: Unrecorded) -> [String] {
    state.withLock { $0.unrecorded[reason] ?? [] }.sorted()
  }
}

/// The origin that the requests within a tunnel go to.
struct TunnelledOrigin: Sendable {
  /// An IPv6 address without its brackets.
  let host: String
  let port: Int

  /// The URL of a request within the tunnel.
  func url(_ target: String, isSecure: Bool) -> String {
    guard target.isEmpty || target.utf8.first == UInt8(ascii: "/") || target == "*" else {
      return target
    }
    let name = host.contains(":") ? "[\(host)]" : host
    let authority = port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    let path = target.utf8.first == UInt8(ascii: "/") ? target : "/"
    return "\(isSecure ? "https" : "http")://\(authority)\(path)"
  }
}

extension ServerRecording {
  /// What answers a request.
  func destination(
    of head: HTTPRequestHead, at scope: ConnectionScope, _ session: Session
  ) -> Destination {
    state.withLock { $0.requestCount += 1 }
    let scenario = Destination.scenario(
      session, session.served, target: head.uri, prefix: "")
    if scope.tunnel != nil || settings.target != nil, head.method != .CONNECT { return scenario }
    let isTunnel = head.method == .CONNECT
    guard settings.target == nil, scope.tunnel == nil,
      let url = try? UpstreamURL(isTunnel ? "https://\(head.uri)" : head.uri)
    else {
      return .nowhere(
        AdminProblem(
          400, "bad-target", "Bad request",
          settings.target == nil
            ? "This is a proxy: a request names the whole URL, or the host and the port of a tunnel."
            : "This server answers in place of \(settings.target?.description ?? ""), and opens no tunnels."
        )
      )
    }
    guard includes(url.host, url.port) else {
      leaveOut(url.host, .notChosen)
      return isTunnel ? .tunnel(host: url.host, port: url.port) : .network(head.uri)
    }
    guard isTunnel else { return scenario }
    var tunnel = scope
    tunnel.tunnel = TunnelledOrigin(host: url.host, port: url.port)
    return .interception(tunnel)
  }

  /// The target URL of a request; nil for that of the scenario.
  func url(of head: HTTPRequestHead, at scope: ConnectionScope, isSecure: Bool) -> String? {
    if let tunnel = scope.tunnel { return tunnel.url(head.uri, isSecure: isSecure) }
    guard let target = settings.target else { return nil }
    // An absolute URL, as the clients of proxies send it, names the server itself.
    let path = head.uri.hasPrefix("/") ? head.uri : (try? UpstreamURL(head.uri))?.target ?? "/"
    return target.description + path
  }
}
#endif
