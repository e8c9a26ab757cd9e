#if Server
import NIOHTTP1
import StubDBEngine
import StubDBServing

/// What answers a request.
enum Destination {
  /// A scenario, for a target without the prefix that names the session.
  case scenario(Session, ServedScenario, target: String, prefix: String)
  case admin(AdminAPI)
  /// The server that the URL names.
  case network(String)
  /// Another server, to which bytes go as they are.
  case tunnel(host: String, port: Int)
  /// The client's next bytes, in place of the server that it asks for a tunnel to.
  case interception(ConnectionScope)
  /// Nothing.
  case nowhere(AdminProblem)

  init(of head: HTTPRequestHead, at scope: ConnectionScope, in server: ServerContext) {
    if let recording = server.recording, let session = scope.session {
      self = recording.destination(of: head, at: scope, session)
      return
    }
    if scope.hasAdmin, let admin = server.admin, AdminAPI.owns(head.uri) {
      self = .admin(admin)
      return
    }
    guard scope.hasScenarios else {
      self = .nowhere(
        AdminProblem(
          404, "no-such-route", "No such route",
          "This port has the admin API only, below /__stubdb/."))
      return
    }
    if scope.tunnel != nil, let session = scope.session {
      self = Self.tunnelled(head, session, in: server)
      return
    }
    let host = head.headers.first(name: "host")
    let address = SessionAddress(head, host: host, in: server.sessions)
    if server.options.isProxy,
      let other = Self.proxied(
        head, address?.session ?? scope.session, at: scope, in: server)
    {
      self = other
    } else {
      self = Self.session(of: address, at: scope, in: server, target: head.uri)
    }
  }

  /// The session of an address, or that of the port if a request names none.
  private static func session(
    of address: SessionAddress?, at scope: ConnectionScope, in server: ServerContext, target: String
  ) -> Destination {
    if let address {
      guard let session = address.session else {
        return .nowhere(server.sessions.ids.problem(of: address.id))
      }
      return .scenario(session, session.use(), target: address.target, prefix: address.prefix)
    }
    if let session = scope.session {
      return .scenario(session, session.served, target: target, prefix: "")
    }
    return .nowhere(
      AdminProblem(
        404, "no-such-session", "No such session",
        "This server plays no scenario of its own; make a session with POST /__stubdb/sessions, "
          + "and ask its baseURL."))
  }

  /// What answers a request within a tunnel to a host of the scenario: the session of the tunnel, as long as there is
  /// one, and never the admin API, which the host does not have.
  private static func tunnelled(
    _ head: HTTPRequestHead, _ session: Session, in server: ServerContext
  ) -> Destination {
    guard head.method != .CONNECT else {
      return .nowhere(
        AdminProblem(400, "bad-target", "Bad request", "A tunnel leads to one host only."))
    }
    guard server.sessions[session.id] === session else {
      return .nowhere(server.sessions.ids.problem(of: session.id))
    }
    return .scenario(session, session.use(), target: head.uri, prefix: "")
  }

  /// What answers a request to another host than those of the scenario, and one for a tunnel; nil for one that the
  /// scenario answers.
  private static func proxied(
    _ head: HTTPRequestHead, _ session: Session?, at scope: ConnectionScope,
    in server: ServerContext
  ) -> Destination? {
    let isTunnel = head.method == .CONNECT
    let url = isTunnel ? "https://\(head.uri)" : head.uri
    guard isTunnel || url.contains("://") && !url.hasPrefix("/") else { return nil }
    if let origins = session?.served.origins, origins.isEmpty || origins.has(hostOf: url) {
      guard isTunnel else { return nil }
      if server.options.isSecure, let target = try? UpstreamURL(url) {
        return .interception(scope.within(target, of: session))
      }
      if !origins.isEmpty { return .nowhere(.noTLS) }
    }
    if server.forwarder != nil {
      guard isTunnel else { return .network(url) }
      guard let target = try? UpstreamURL(url) else {
        return .nowhere(
          AdminProblem(
            400, "bad-target", "Bad request", "The target of CONNECT is a host and a port."))
      }
      return .tunnel(host: target.host, port: target.port)
    }
    return .nowhere(
      AdminProblem(
        502, "foreign-host", "Not a host of the scenario",
        "No stub names the host of this request, and requests to others are passed on only with "
          + "--allow-passthrough."))
  }
}

extension AdminProblem {
  /// A tunnel whose client would begin with TLS.
  fileprivate static let noTLS = AdminProblem(
    502, "no-tls", "A host of the scenario",
    "The stubs name the host of this tunnel, and this server cannot answer by https in its place; start it "
      + "with --tls, or call the host by http.")
}

extension ConnectionScope {
  /// What can be asked through a tunnel that the server looks into.
  fileprivate func within(_ target: UpstreamURL, of session: Session?) -> ConnectionScope {
    var scope = self
    scope.session = session
    scope.hasAdmin = false
    scope.tunnel = TunnelledOrigin(host: target.host, port: target.port)
    return scope
  }
}
#endif
