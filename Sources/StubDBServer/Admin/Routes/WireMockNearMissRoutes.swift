#if Server
import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBPlayback
import StubDBServing

/// What WireMock's clients ask when a verification fails, and about the server.
///
/// https://wiremock.org/docs/verifying/#near-misses
extension AdminAPI {
  /// How many near misses there are of a pattern, as in WireMock.
  private static let nearMissCount = 3
  /// Of how many unmatched requests near misses are listed: the search takes milliseconds for each.
  private static let mostUnmatched = 100

  static let wireMockNearMissRoutes: [AdminRoute] = [
    AdminRoute("GET", "__admin/requests/unmatched/near-misses", takes: .anything) { api, _ in
      let session = try api.usual
      let unmatched = session.player.run.journal.filter { !$0.isMatched }.suffix(mostUnmatched)
      return nearMisses(unmatched.flatMap { nearMisses(of: $0, in: session) })
    },
    AdminRoute("POST", "__admin/near-misses/request", takes: .content) { api, request in
      let session = try api.usual
      let members = try WireMockMapping.members(request.content)
      let known = members.filter { loggedKeys.contains($0.key) && $0.value != .null }
      let asked = try DocumentNode(whole: .object(known))
        .object(DocumentObjectKind("a request", loggedKeys)).loggedRequest()
      // A run of its own: the question is no request of a client.
      let run = session.player.run.scenario.run()
      for (flow, state) in session.player.run.flowStates { _ = run.setState(state, ofFlow: flow) }
      guard case .unmatched(let event)? = run.respond(to: asked) else { return nearMisses([]) }
      return nearMisses(nearMisses(of: event, in: session))
    },
    AdminRoute("POST", "__admin/near-misses/request-pattern", takes: .content) { api, request in
      let members = try WireMockMapping.members(request.content)
      let pattern = try WireMockMapping.pattern(of: request.content)
      let found = try api.usual.player.run.requests(nearestTo: pattern, count: nearMissCount)
      return nearMisses(
        found.map { event, distance in
          .object([
            "request": logged(event), "requestPattern": .object(members),
            "matchResult": result(distance),
          ])
        })
    },
  ]

  static let wireMockStateRoutes: [AdminRoute] = [
    AdminRoute("GET", "__admin/scenarios", takes: .anything) { api, _ in
      let states = try api.usual.player.run.flowStates.sorted { $0.key < $1.key }
      let flows = states.map { name, state in
        JSONValue.object([
          "id": .string(name), "name": .string(name), "state": .string(wireMockState(state)),
        ])
      }
      return list("scenarios", flows)
    },
    AdminRoute("PUT", "__admin/scenarios/{name}/state", takes: .content) { api, request in
      let state = try request.object("a state", ["state"]) { (object) throws(DocumentError) in
        try object["state"]?.string()
      }
      let isInitial = state == nil || state == initialWireMockState
      guard
        try api.usual.player.run.setState(
          isInitial ? FlowStep.initialState : state ?? "", ofFlow: request.parameters[0])
      else {
        throw AdminProblem(
          404, "no-such-flow", "No such scenario",
          "No mapping and no stub names the scenario \"\(request.parameters[0])\".")
      }
      return done
    },
    AdminRoute("POST", "__admin/scenarios/reset", takes: .anything) { api, _ in
      try api.reset(.flows)
      return done
    },
    AdminRoute("GET", "__admin/settings", takes: .anything) { _, _ in
      .json(.object([("settings", .object([("proxyPassThrough", .json(false))]))]))
    },
    AdminRoute("POST", "__admin/settings", takes: .content) { _, request in
      let settings = try WireMockMapping.members(request.content)
      let unknown = settings.sorted { $0.key < $1.key }.first { name, value in
        name != "proxyPassThrough" && value != .null && value != .object([:])
      }
      if let unknown {
        throw AdminProblem(
          422, "refused-settings", "The settings are refused",
          "\(unknown.key) is not supported: say it in each mapping, or in the stubs.",
          ["pointer": .string("/\(unknown.key)")])
      }
      return done
    },
    AdminRoute("GET", "__admin/version", takes: .anything) { api, _ in
      .json(.object([("version", .string(api.version))]))
    },
  ]

  private static let initialWireMockState = "Started"

  private static func wireMockState(_ state: String) -> String {
    state == FlowStep.initialState ? initialWireMockState : state
  }

  // MARK: Near misses

  private static func nearMisses(_ values: [JSONValue]) -> AdminAnswer {
    .json(.object([("nearMisses", .json(.array(values)))]))
  }

  private static func result(_ distance: Double) -> JSONValue {
    .object(["distance": JSONNumber(distance).map(JSONValue.number) ?? .null])
  }

  private static func nearMisses(of event: ServeEvent, in session: Session) -> [JSONValue] {
    event.nearMisses.map { miss in
      .object([
        "request": logged(event), "stubMapping": mapping(of: miss, in: session),
        "matchResult": result(miss.distance),
      ])
    }
  }

  /// The mapping that a client has added, or what a client can show of a stub.
  private static func mapping(of miss: NearMiss, in session: Session) -> JSONValue {
    if miss.scenario == AddedStub.scenario,
      let added = session.added.first(where: { $0.stub.key == Stub.Key(unchecked: miss.key) })
    {
      return .object(added.mapping)
    }
    let source = session.player.run.stubUses.first {
      $0.source.origin == miss.scenario && $0.source.stub.key == Stub.Key(unchecked: miss.key)
    }?.source
    let method = source?.stub.request.methods.first?.rawValue ?? "ANY"
    var request: JSONObject = ["method": .string(method)]
    switch source?.stub.request.path {
    case .template(let path)?:
      request[path.contains("{") ? "urlPathTemplate" : "urlPath"] = .string(path)
    case .value?, nil: break
    }
    return .object([
      "name": .string("\(miss.scenario) \(miss.key)"), "request": .object(request),
      "response": .object([:]),
    ])
  }

  /// What is looked at of a request; clients send much more.
  private static let loggedKeys = [
    "url", "absoluteUrl", "method", "headers", "body", "bodyAsBase64",
  ]
}

extension ScenarioRun {
  /// The requests that are nearest to a pattern without matching it, with their distance, nearest first.
  ///
  /// Of equally near ones the later ones come first. Only the last thousand requests are compared.
  /// - Throws: A ``VerificationError`` for an invalid pattern, such as one with an invalid regular expression.
  fileprivate func requests(
    nearestTo pattern: RequestPattern, count: Int
  ) throws(VerificationError) -> [(event: ServeEvent, distance: Double)] {
    let filter = try filter(pattern)
    let compared = journal.suffix(1_000).map { event in
      (event: event, distance: filter.distance(of: PreparedRequest.explaining(event.request)))
    }
    return Array(
      compared.filter { $0.distance > 0 }
        .sorted { ($0.distance, $1.event.number) < ($1.distance, $0.event.number) }
        .prefix(count))
  }
}

extension DocumentObject {
  /// A request as WireMock's journal has it.
  fileprivate func loggedRequest() throws(DocumentError) -> StubRequest {
    let url = if let node = self["absoluteUrl"] { node } else { try required("url") }
    var request = StubRequest(url: try url.string())
    if let node = self["method"] { request.method = try node.string() }
    if let node = self["headers"], case .object(let fields) = node.value {
      let given = fields.sorted { $0.key < $1.key }.flatMap { name, value in
        let values = if case .array(let values) = value { values } else { [value] }
        return values.compactMap { value -> (name: String, value: String)? in
          if case .string(let text) = value { (name, text) } else { nil }
        }
      }
      do throws(HeaderFieldsError) {
        request.headers = try StubRequest.headers(given)
      } catch {
        throw node.failure(.invalidValue, error.reason)
      }
    }
    if let node = self["bodyAsBase64"] {
      guard let data = Data(base64Encoded: try node.string()) else {
        throw node.failure(.invalidValue, "this is not base64")
      }
      request.body = .bytes(data)
    } else if let node = self["body"] {
      request.body = .bytes(Data(try node.string().utf8))
    }
    return request
  }
}
#endif
