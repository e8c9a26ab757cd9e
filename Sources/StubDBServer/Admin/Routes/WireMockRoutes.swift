#if Server
import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBPlayback
import StubDBServing

/// The part of WireMock's admin API that its clients use in tests, for the session of requests that name none.
///
/// Mappings that clients add live in that session, on top of its scenario; `reset` removes them, and no catalog has
/// them. https://wiremock.org/docs/api/
extension AdminAPI {
  static let wireMockRoutes: [AdminRoute] =
    wireMockMappingRoutes + wireMockRequestRoutes + wireMockNearMissRoutes + wireMockStateRoutes

  private static let wireMockMappingRoutes: [AdminRoute] = [
    AdminRoute("GET", "__admin/health", .open, takes: .anything) { _, _ in
      .json(.object([("status", .string("healthy"))]))
    },
    AdminRoute("GET", "__admin/mappings", takes: .anything) { api, _ in
      let mappings = try api.usual.added.map { JSONValue.object($0.mapping) }
      return list("mappings", mappings)
    },
    AdminRoute("POST", "__admin/mappings", takes: .content) { api, request in
      let added = try WireMockMapping.stub(of: request.content, id: nil)
      try api.usual.add(added, api.sessions.maker)
      return .json(.json(.object(added.mapping)), status: 201)
    },
    AdminRoute("DELETE", "__admin/mappings", takes: .anything) { api, _ in
      try api.usual.changeAdded(api.sessions.maker) { _ in [] }
      return done
    },
    AdminRoute("POST", "__admin/mappings/import", takes: .content) { api, request in
      let batch = try WireMockImport(request.content)
      try api.usual.changeAdded(api.sessions.maker, batch.applied(to:))
      return done
    },
    AdminRoute("POST", "__admin/mappings/reset", takes: .anything) { api, _ in
      try api.usual.changeAdded(api.sessions.maker) { _ in [] }
      return done
    },
    AdminRoute("GET", "__admin/mappings/{id}", takes: .anything) { api, request in
      .json(.json(.object(try api.added(request).mapping)))
    },
    AdminRoute("PUT", "__admin/mappings/{id}", takes: .content) { api, request in
      let id = try api.added(request).id
      let added = try WireMockMapping.stub(of: request.content, id: id)
      try api.usual.changeAdded(api.sessions.maker) { $0.map { $0.id == id ? added : $0 } }
      return .json(.json(.object(added.mapping)))
    },
    AdminRoute("DELETE", "__admin/mappings/{id}", takes: .anything) { api, request in
      let id = try api.added(request).id
      try api.usual.changeAdded(api.sessions.maker) { $0.filter { $0.id != id } }
      return done
    },
  ]

  private static let wireMockRequestRoutes: [AdminRoute] = [
    AdminRoute("GET", "__admin/requests", takes: .anything) { api, request in
      let limit = try request.integer("limit", .max, in: 0...Int.max)
      let journal = try api.usual.player.run.journal
      return list(
        "requests", try journal.reversed().prefix(limit).map(api.entry), total: journal.count)
    },
    AdminRoute("DELETE", "__admin/requests", takes: .anything) { api, _ in
      try api.reset(.journal)
      return done
    },
    AdminRoute("POST", "__admin/requests/reset", takes: .anything) { api, _ in
      try api.reset(.journal)
      return done
    },
    AdminRoute("GET", "__admin/requests/unmatched", takes: .anything) { api, _ in
      let journal = try api.usual.player.run.journal
      return list("requests", journal.filter { !$0.isMatched }.map(logged))
    },
    AdminRoute("GET", "__admin/requests/{id}", takes: .anything) { api, request in
      let number = number(ofID: request.parameters[0])
      guard let event = try api.usual.player.run.journalEntry(number) else {
        throw AdminProblem(
          404, "no-such-entry", "No such entry", "The journal has no such entry, or not any more.")
      }
      return .json(.json(try api.entry(event)))
    },
    AdminRoute("DELETE", "__admin/requests/{id}", takes: .anything) { api, request in
      let number = number(ofID: request.parameters[0])
      try api.usual.player.run.removeJournalEntries([number])
      return done
    },
    AdminRoute("POST", "__admin/requests/remove", takes: .content) { api, request in
      let found = try api.requests(matching: request)
      try api.usual.player.run.removeJournalEntries(Set(found.map(\.number)))
      return .json(.object([("serveEvents", .json(.array(try found.map(api.entry))))]))
    },
    AdminRoute("POST", "__admin/requests/count", takes: .content) { api, request in
      let found = try api.requests(matching: request)
      return .json(.object([("count", .integer(found.count)), disabled]))
    },
    AdminRoute("POST", "__admin/requests/find", takes: .content) { api, request in
      list("requests", try api.requests(matching: request).map(logged))
    },
    AdminRoute("POST", "__admin/reset", takes: .anything) { api, _ in
      try api.usual.changeAdded(api.sessions.maker) { _ in [] }
      try api.reset(.all)
      return done
    },
  ]

  static let done = AdminAnswer.json(.object([]))
  private static let disabled = ("requestJournalDisabled", OrderedJSON.json(false))

  static func list(
    _ name: String, _ values: [JSONValue], total: Int? = nil
  ) -> AdminAnswer {
    .json(
      .object(
        [
          (name, .json(.array(values))),
          ("meta", .object([("total", .integer(total ?? values.count))])),
        ] + (name == "requests" ? [disabled] : [])))
  }

  /// The session of requests that name none.
  var usual: Session {
    get throws {
      if let session = sessions.usual { return session }
      throw AdminProblem(
        404, "no-such-session", "No such session",
        "This server plays no scenario of its own, to which mappings could be added.")
    }
  }

  func reset(_ parts: RunParts) throws {
    try usual.player.reset(parts)
    try usual.feed.notify()
  }

  private func added(_ request: AdminRequest) throws -> AddedStub {
    if let added = try usual.added.first(where: { $0.id == request.parameters[0] }) { return added }
    throw AdminProblem(
      404, "no-such-mapping", "No such mapping", "No mapping has the id \(request.parameters[0]).")
  }

  private func requests(matching request: AdminRequest) throws -> [ServeEvent] {
    let pattern = try WireMockMapping.pattern(of: request.content)
    return try usual.player.run.requests(matching: pattern)
  }

  // MARK: Requests

  /// Clients take ids for UUIDs, so that the number is the end of one.
  private static func id(ofNumber number: Int) -> String {
    let digits = String(number)
    return "00000000-0000-0000-0000-" + String(repeating: "0", count: max(0, 12 - digits.count))
      + digits
  }

  /// The number of an entry, which may represent its id; 0 for other texts.
  private static func number(ofID id: String) -> Int {
    Int(id) ?? Int(id.trimmingPrefix("00000000-0000-0000-0000-")) ?? 0
  }

  private func entry(_ event: ServeEvent) throws -> JSONValue {
    let status: JSONObject = event.status.map { ["status": .number(JSONNumber($0))] } ?? [:]
    var response = status
    if let sent = try usual.player.run.sentResponse(toEntry: event.number) {
      response["headers"] = Self.fields(sent.headers)
      response["body"] = .string(String(decoding: sent.content, as: UTF8.self))
      response["bodyAsBase64"] = .string(sent.content.base64EncodedString())
    }
    return .object([
      "id": .string(Self.id(ofNumber: event.number)), "request": Self.logged(event),
      "wasMatched": .bool(event.isMatched), "responseDefinition": .object(status),
      "response": .object(response),
    ])
  }

  private static func fields(_ fields: HTTPFields) -> JSONValue {
    var object: JSONObject = [:]
    for name in Set(fields.map(\.name)) {
      let values = fields.filter { $0.name == name }.map { JSONValue.string($0.value) }
      object[name.rawName] = values.count == 1 ? values[0] : .array(values)
    }
    return .object(object)
  }

  /// A request as WireMock's journal has it.
  static func logged(_ event: ServeEvent) -> JSONValue {
    let request = event.request
    let target = URLParts(request.url).flatMap { parts in
      parts.host == nil ? nil : request.url.range(of: "://").map { request.url[$0.upperBound...] }
    }.map { $0.drop { $0 != "/" } }
    let content = request.content ?? Data()
    return .object([
      "url": .string(target.map(String.init) ?? request.url), "absoluteUrl": .string(request.url),
      "method": .string(request.method), "headers": fields(request.headers),
      "body": .string(String(decoding: content, as: UTF8.self)),
      "bodyAsBase64": .string(content.base64EncodedString()), "browserProxyRequest": false,
      "loggedDate": .number(JSONNumber(Int(event.arrival.timeIntervalSince1970 * 1_000))),
      "loggedDateString": .string(event.arrival.formatted(.iso8601)),
    ])
  }
}
#endif
