#if Server
import HTTPTypes
import NIOHTTP1
import StubDBDocuments
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBPlayback
import StubDBServing

extension AdminAPI {
  static let sessionRoutes: [AdminRoute] = [
    AdminRoute("GET", "__stubdb/sessions") { api, request in
      .json(.array(api.sessions.all.map { api.json($0, request) }))
    },
    AdminRoute("POST", "__stubdb/sessions", takes: .content) { api, request in
      let usual = api.sessions.usual?.settings
      let (settings, name) = try request.object("a session", settingKeys) {
        (object) throws(DocumentError) in
        var base = usual
        if base == nil {
          base = api.sessions.maker.settings(of: try object.required("scenario").string())
        }
        return (try object.settings(basedOn: base), try object["name"]?.sessionName())
      }
      let session = try api.sessions.make(settings, name: name)
      var headers: HTTPFields = [:]
      let path = api.sessions.maker.options.publicURL?.path ?? ""
      headers[.location] = "\(path)/__stubdb/sessions/\(session.id)"
      return .json(api.json(session, request), status: 201, headers)
    },
    AdminRoute("GET", "__stubdb/sessions/{id}") { api, request in
      .json(api.json(try api.session(request), request))
    },
    AdminRoute("PATCH", "__stubdb/sessions/{id}", takes: .content) { api, request in
      let session = try api.session(request)
      let keys = settingKeys.filter { $0 != "name" }
      let (settings, isNewRun) = try request.object("a session", keys) {
        (object) throws(DocumentError) in
        let settings = try object.settings(basedOn: session.settings)
        let isNewRun = keys.contains { !runlessKeys.contains($0) && object[$0] != nil }
        return (settings, isNewRun)
      }
      if isNewRun {
        try api.sessions.play(settings, in: session)
      } else {
        session.adopt(settings)
      }
      return .json(api.json(session, request))
    },
    AdminRoute("DELETE", "__stubdb/sessions/{id}") { api, request in
      let session = try api.session(request)
      let player = session.player
      guard api.sessions.end(session.id) else {
        throw AdminProblem(
          409, "default-session", "The session of the server",
          "A session that the command line makes ends with the server; reset it instead.")
      }
      return .json(
        .object([
          ("id", .string(session.id)), ("problems", .array(player.problems().map(\.json))),
        ]))
    },
    AdminRoute("POST", "__stubdb/sessions/{id}/reset", takes: .content) { api, request in
      let session = try api.session(request)
      let parts = try request.object("what to reset", resetKeys.map(\.key)) {
        (object) throws(DocumentError) in
        try object.runParts()
      }
      session.player.reset(parts)
      session.feed.notify()
      return .nothing()
    },
    AdminRoute("GET", "__stubdb/sessions/{id}/flows") { api, request in
      .json(
        .json(.object(try api.session(request).player.run.flowStates.mapValues(JSONValue.string))))
    },
    AdminRoute("PUT", "__stubdb/sessions/{id}/flows/{name}", takes: .content) { api, request in
      let run = try api.session(request).player.run
      let state = try request.object("a state", ["state"]) { (object) throws(DocumentError) in
        try object.required("state").string()
      }
      let flow = request.parameters[1]
      guard run.setState(state, ofFlow: flow) else {
        let known = run.flowStates.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
        throw AdminProblem(
          404, "no-such-flow", "No such flow",
          "No stub names the flow \"\(flow)\"; "
            + (known.isEmpty ? "the scenario has no flows." : "the flows are \(known)."))
      }
      return .json(.object([("state", .string(state))]))
    },
  ]

  private static let settingKeys = [
    "scenario", "overlays", "pace", "seed", "unmatched", "cors", "name",
  ]

  /// The settings that change without a new run.
  private static let runlessKeys: Set = ["unmatched", "cors"]

  fileprivate static let resetKeys: [(key: String, part: RunParts)] = [
    ("journal", .journal), ("counters", .counters), ("flows", .flows), ("captured", .captures),
  ]

  /// The session that the route names.
  func session(_ request: AdminRequest) throws -> Session {
    let id = request.parameters.first ?? ""
    guard let session = sessions[id] else { throw sessions.ids.problem(of: id) }
    return session
  }

  /// Where the client reaches the scenarios: as it reached this route, unless that has a port of its own.
  private func authority(for request: AdminRequest) -> String {
    let field = request.headers.first(name: "host") ?? ""
    if !hasOwnPort { return field }
    let host = request.host.contains(":") ? "[\(request.host)]" : request.host
    return "\(host):\(port)"
  }

  /// The word, or the factor as a number.
  private static func json(_ pace: Pace) -> JSONValue {
    Double(pace.text).flatMap { JSONNumber($0) }.map(JSONValue.number) ?? .string(pace.text)
  }

  private func json(_ session: Session, _ request: AdminRequest) -> OrderedJSON {
    let settings = session.settings
    let isUsual = sessions.usual === session
    let authority = authority(for: request)
    let scheme = request.isSecure ? "https" : "http"
    let publicURL = sessions.maker.options.publicURL
    let base = publicURL?.text ?? "\(scheme)://\(authority)"
    let portText =
      authority.last == "]" ? "" : authority.firstMatch(of: /:\d+$/).map { String($0.0) } ?? ""
    let hostURL =
      publicURL == nil
      ? "\(scheme)://\(session.id).localhost\(portText)" : publicURL?.hostURL(of: session.id)
    return .object([
      ("id", .string(session.id)),
      ("name", .string(session.name)),
      ("scenario", .string(settings.scenario)),
      ("overlays", .strings(settings.overlays)),
      ("pace", .json(Self.json(settings.pace))),
      ("seed", .json(.number(JSONNumber(unchecked: String(settings.seed))))),
      ("unmatched", .integer(settings.unmatchedStatus)),
      ("cors", .json(.bool(settings.allowsOtherOrigins))),
      ("baseURL", .string(isUsual ? base : "\(base)/~\(session.id)")),
      ("hostURL", .string(isUsual ? nil : hostURL)),
      ("requests", .integer(session.player.run.lastNumber)),
      ("dropped", .integer(session.player.run.droppedCount)),
    ])
  }
}

extension DocumentObject {
  /// The settings with those that the object names in place of others.
  fileprivate func settings(
    basedOn base: Session.Settings?
  ) throws(DocumentError) -> Session.Settings {
    var settings = base ?? Session.Settings(scenario: "")
    if let node = self["scenario"] {
      settings.scenario = try node.string()
      settings.overlays = []
    }
    if let node = self["overlays"] {
      settings.overlays = try node.overlays()
    }
    if let node = self["pace"] { settings.pace = try node.pace() }
    if let node = self["seed"] {
      settings.seed = UInt64(try node.integer("the seed", in: 0...Int.max))
    }
    if let node = self["unmatched"] {
      settings.unmatchedStatus = try node.integer("the status", in: 200...599)
    }
    if let node = self["cors"] { settings.allowsOtherOrigins = try node.bool() }
    return settings
  }

  /// What to reset; everything if the object is empty.
  fileprivate func runParts() throws(DocumentError) -> RunParts {
    var parts: RunParts = []
    var isGiven = false
    for (key, part) in AdminAPI.resetKeys {
      guard let node = self[key] else { continue }
      isGiven = true
      if try node.bool() { parts.insert(part) }
    }
    return isGiven ? parts : .all
  }
}

extension DocumentNode {
  /// The name of a session, such as that of a test: lists show it.
  fileprivate func sessionName() throws(DocumentError) -> String {
    let name = try string()
    guard name.unicodeScalars.count <= Session.longestName else {
      throw failure(.invalidValue, "the name has more than \(Session.longestName) characters")
    }
    return name
  }

  /// Names of scenarios, each once: every one of them is compared with those below.
  func overlays() throws(DocumentError) -> [String] {
    let nodes = try list("a list of scenarios")
    guard nodes.count <= Session.Settings.mostOverlays else {
      throw failure(
        .invalidValue, "a session has at most \(Session.Settings.mostOverlays) overlays")
    }
    var names: [String] = []
    for node in nodes {
      let name = try node.string()
      if names.contains(name) { throw node.failure(.duplicate, "\"\(name)\" is given twice") }
      names.append(name)
    }
    return names
  }
}

extension VerificationProblem {
  var json: OrderedJSON {
    .object([
      ("kind", .string(kind.rawValue)), ("message", .string(message)),
      ("scenario", .string(scenario.rawValue)), ("key", .string(stubKey)),
    ])
  }
}
#endif
