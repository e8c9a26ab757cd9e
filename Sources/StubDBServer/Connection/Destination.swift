#if Server
import NIOHTTP1

/// What answers a request.
enum Destination {
  /// A scenario, for a target without the prefix that names the session.
  case scenario(Session, ServedScenario, target: String, prefix: String)
  case admin(AdminAPI)
  /// Nothing.
  case nowhere(AdminProblem)

  init(of head: HTTPRequestHead, at entrance: Entrance, in server: ServerContext) {
    if entrance.hasAdmin, let admin = server.admin, AdminAPI.owns(head.uri) {
      self = .admin(admin)
      return
    }
    guard entrance.hasScenarios else {
      self = .nowhere(
        AdminProblem(
          404, "no-such-route", "No such route",
          "This port has the admin API only, below /__stubdb/."))
      return
    }
    let host = head.headers.first(name: "host")
    if let address = SessionAddress(head, host: host, in: server.sessions) {
      guard let session = address.session else {
        self = .nowhere(.noSuchSession(address.id))
        return
      }
      self = .scenario(session, session.use(), target: address.target, prefix: address.prefix)
    } else if let session = entrance.session {
      self = .scenario(session, session.served, target: head.uri, prefix: "")
    } else {
      self = .nowhere(
        AdminProblem(
          404, "no-such-session", "No such session",
          "This server plays no scenario of its own; make a session with POST /__stubdb/sessions, "
            + "and ask its baseURL."))
    }
  }
}
#endif
