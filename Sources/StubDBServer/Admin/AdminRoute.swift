#if Server
import HTTPTypes
import StubDBSupport

/// A route of the admin API.
struct AdminRoute: Sendable {
  /// What a client must be allowed.
  enum Access: Sendable {
    /// Everybody may ask, without a token.
    case open
    case usual
    case changingCatalog
  }

  /// What a request may have besides its path.
  enum Input: Sendable {
    /// Nothing but these query parameters.
    case query([String])
    /// JSON, or no content; no query parameters.
    case content
    /// Whatever it likes: what is not known is ignored.
    case anything
  }

  typealias Handler = @Sendable (AdminAPI, AdminRequest) throws -> AdminAnswer

  let method: String
  /// The segments of the path; `{…}` matches any segment.
  let path: [String]
  let access: Access
  let input: Input
  let handler: Handler

  init(
    _ method: String, _ path: String, _ access: Access = .usual, takes input: Input = .query([]),
    handler: @escaping Handler
  ) {
    self.method = method
    self.path = path.split(separator: "/").map(String.init)
    (self.access, self.input) = (access, input)
    self.handler = handler
  }

  /// Checks that the query has only what the route knows, so that a misspelled parameter is noticed.
  ///
  /// - Throws: An ``AdminProblem`` with 400.
  func checkQuery(_ request: AdminRequest) throws(AdminProblem) {
    let known: [String] =
      switch input {
      case .query(let names): names
      case .content: []
      case .anything: Array(request.query.keys)
      }
    guard let unknown = request.query.keys.sorted().first(where: { !known.contains($0) }) else {
      return
    }
    throw AdminProblem(
      400, "invalid-parameter", "Invalid parameter",
      "The route has no parameter \"\(unknown)\"; "
        + (known.isEmpty ? "it has none." : "it has \(known.joined(separator: ", "))."))
  }

  /// The values of the placeholders; nil for another path.
  func parameters(of path: [String]) -> [String]? {
    guard path.count == self.path.count else { return nil }
    var values: [String] = []
    for (segment, pattern) in zip(path, self.path) {
      if pattern.hasPrefix("{") {
        values.append(segment)
      } else if segment != pattern {
        return nil
      }
    }
    return values
  }
}

/// The routes of the admin API, and what they need.
final class AdminAPI: Sendable {
  static let routes: [AdminRoute] =
    serverRoutes + sessionRoutes + journalRoutes + coverageRoutes + scenarioRoutes + pageRoutes
    + wireMockRoutes

  let sessions: SessionTable
  let access: AdminGuard
  let metrics: Metrics
  let connections: ConnectionTable
  let version: String
  /// Whether scenarios are played on another port.
  let hasOwnPort: Bool
  /// The port at which scenarios are played; known once the server listens.
  var port: Int { listeningPort.withLock { $0 } }
  let listeningPort = Locked(0)
  /// The certificate that clients have to trust, as PEM; nil if there is no authority.
  let authority: String?
  /// Asks the embedding program to end the server; nil if it cannot.
  let shutdown: (@Sendable () -> Void)?
  /// Has the sessions play what the catalog has; nil if they go on as they are.
  private let watch: CatalogWatch?

  init(
    _ sessions: SessionTable, access: AdminGuard, _ options: AdminOptions, metrics: Metrics,
    connections: ConnectionTable, authority: String? = nil, watch: CatalogWatch? = nil,
    shutdown: (@Sendable () -> Void)?
  ) {
    (self.metrics, self.connections, self.watch) = (metrics, connections, watch)
    (self.sessions, self.access) = (sessions, access)
    (version, hasOwnPort) = (options.version, options.port != nil)
    (self.authority, self.shutdown) = (authority, shutdown)
  }

  /// Whether a request target belongs to the API.
  static func owns(_ target: String) -> Bool {
    guard target.hasPrefix("/__") else { return false }
    let prefixes = ["/__stubdb", "/__admin"]
    guard let prefix = prefixes.first(where: target.hasPrefix) else { return false }
    let next = target.utf8.dropFirst(prefix.utf8.count).first
    return next == nil || next == UInt8(ascii: "/") || next == UInt8(ascii: "?")
  }

  /// Answers a request; reads files, so that it must not be called on a connection's thread.
  func answer(_ request: AdminRequest) -> AdminAnswer {
    do {
      let routes = Self.routes.filter { $0.parameters(of: request.path) != nil }
      let route = routes.first { $0.method == request.method }
      try access.check(request, route?.access ?? .usual)
      guard let route else { throw Self.noRoute(request, routes) }
      try route.checkQuery(request)
      var request = request
      request.parameters = route.parameters(of: request.path) ?? []
      let answer = try route.handler(self, request)
      if route.access == .changingCatalog { watch?.readOwnChange() }
      return answer
    } catch {
      return AdminProblem(error).answer
    }
  }

  /// That there is no such route, and what may be meant.
  private static func missing(_ path: [String]) -> String {
    let text = "/\(path.joined(separator: "/"))"
    if path.starts(with: ["__stubdb", "scenarios"]), path.count > 3 {
      let rest = path[2...]
      let stubs = rest.count > 2 && rest[rest.endIndex - 2] == "stubs" ? Array(rest.suffix(2)) : []
      let name = rest.dropLast(stubs.count).joined(separator: "%2F")
      let meant = (["/__stubdb/scenarios", name] + stubs).joined(separator: "/")
      return "In the name of a scenario, / is written as %2F: \(meant)."
    }
    if path.first == "__admin" {
      return "stubdb does not implement \(text) of WireMock's admin API; GET "
        + "/__stubdb/openapi.json lists what it implements."
    }
    return "The admin API has no \(text)."
  }

  private static func noRoute(_ request: AdminRequest, _ routes: [AdminRoute]) -> AdminProblem {
    guard let first = routes.first else {
      return AdminProblem(404, "no-such-route", "No such route", missing(request.path))
    }
    let methods = routes.map(\.method).joined(separator: ", ")
    var problem = AdminProblem(
      405, nil, "Method not allowed",
      "The route /\(first.path.joined(separator: "/")) takes \(methods).")
    problem.headers[.allow] = methods
    return problem
  }
}
#endif
