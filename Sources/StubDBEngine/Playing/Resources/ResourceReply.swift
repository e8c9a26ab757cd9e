import Foundation
import HTTPTypes
import StubDBJSON
import StubDBModel

/// What a resource answers, decided in the same step as the turn of its stub.
struct ResourceReply: Error {
  enum Content {
    case nothing
    case item(JSONObject)
    case list(ResourceItems, ResourceSlice)
    case problem(String)
  }

  let status: Int
  let content: Content
  /// What was done, for the journal.
  let remark: String
  /// The id of an item that was created.
  private(set) var createdID: String?
  /// The methods that the URL allows, for a request with another one.
  private(set) var allowed: [String] = []

  private init(_ status: Int, _ content: Content, _ remark: String) {
    (self.status, self.content, self.remark) = (status, content, remark)
  }

  /// Makes an answer that says why nothing is done.
  init(_ status: Int, _ problem: String) { self.init(status, .problem(problem), problem) }

  /// Carries out a request; `makeID` gives the next text for an id.
  init(
    to request: PreparedRequest, of resource: Resource, _ stub: RequestPattern,
    _ items: inout ResourceItems, makeID: () -> String
  ) {
    do throws(ResourceReply) {
      if request.segments.count == PlaceholderPath.segmentCount(resource.path) {
        self = try Self.list(request, resource, stub, &items, makeID)
      } else {
        guard let id = request.segments.last?.removingPercentEncoding, !id.isEmpty else {
          throw ResourceReply(404, "the id in the URL is no text in UTF-8")
        }
        self = try Self.item(id, request, resource, stub, &items)
      }
    } catch {
      self = error
    }
  }

  private static func list(
    _ request: PreparedRequest, _ resource: Resource, _ stub: RequestPattern,
    _ items: inout ResourceItems, _ makeID: () -> String
  ) throws(ResourceReply) -> ResourceReply {
    switch request.request.method {
    case "GET", "HEAD":
      return ResourceReply(200, .list(items, try ResourceSlice(request, resource, stub)), "listed")
    case "POST":
      var item = try object(in: request)
      var id = resource.id(item[resource.member])
      if let id, items[id] != nil {
        throw ResourceReply(409, "there is an item \(TextExcerpt.quoted(id)) already")
      }
      // Encoders write null for an id that is not given yet.
      if id == nil, item[resource.member] ?? .null != .null {
        let kind = resource.isInteger ? "a whole number" : "a text that is not empty"
        throw ResourceReply(400, "\"\(resource.member)\" of an item is \(kind)")
      }
      while id == nil {
        guard !resource.isInteger || items.largestID < .max else {
          throw ResourceReply(507, "no whole number comes after the largest id")
        }
        let new = resource.isInteger ? String(items.largestID + 1) : makeID()
        if items[new] == nil { id = new }
      }
      item[resource.member] = id.flatMap(resource.member)
      return try created(item, id ?? "", &items)
    default: throw notAllowed(["GET", "HEAD", "POST"], stub)
    }
  }

  private static func item(
    _ id: String, _ request: PreparedRequest, _ resource: Resource, _ stub: RequestPattern,
    _ items: inout ResourceItems
  ) throws(ResourceReply) -> ResourceReply {
    let (known, name) = (items[id], TextExcerpt.plain(id))
    let missing = ResourceReply(404, "there is no item \(TextExcerpt.quoted(id))")
    switch request.request.method {
    case "GET", "HEAD":
      guard let known else { throw missing }
      return ResourceReply(200, .item(known), "read \(name)")
    case "PUT", "PATCH":
      let isPatch = request.request.method == "PATCH"
      guard let value = resource.member(id), known != nil || !isPatch else { throw missing }
      var item: JSONObject = isPatch ? known ?? [:] : [resource.member: value]
      item.merge(try object(in: request), isPatch: isPatch)
      // Encoders write null for an id that is in the URL; a patch has removed it then.
      if item[resource.member] ?? .null == .null { item[resource.member] = value }
      guard item[resource.member] == value else {
        throw ResourceReply(409, "\"\(resource.member)\" of an item is that of its URL")
      }
      guard known != nil else { return try created(item, id, &items) }
      try items.keep(item, as: id)
      return ResourceReply(200, .item(item), "\(isPatch ? "changed" : "replaced") \(name)")
    case "DELETE":
      guard known != nil else { throw missing }
      items.remove(id)
      return ResourceReply(204, .nothing, "removed \(name)")
    default: throw notAllowed(["GET", "HEAD", "PUT", "PATCH", "DELETE"], stub)
    }
  }

  private static func created(
    _ item: JSONObject, _ id: String, _ items: inout ResourceItems
  ) throws(ResourceReply) -> ResourceReply {
    try items.keep(item, as: id)
    var reply = ResourceReply(201, .item(item), "created \(TextExcerpt.plain(id))")
    reply.createdID = id
    return reply
  }

  private static func notAllowed(_ methods: [String], _ stub: RequestPattern) -> ResourceReply {
    var reply = ResourceReply(405, "the URL has other methods")
    reply.allowed = methods.filter { method in
      stub.methods.isEmpty
        || stub.methods.contains { $0.rawValue == method || $0 == .get && method == "HEAD" }
    }
    return reply
  }

  /// The object in the content of a request.
  private static func object(in request: PreparedRequest) throws(ResourceReply) -> JSONObject {
    switch request.body.json {
    case .value(.object(let item)) where !request.body.isDeep(in: .json): return item
    case .malformed(let reason):
      // https://www.rfc-editor.org/rfc/rfc9110#section-15.5.16
      let type = request.request.headers[.contentType] ?? "json"
      if type.lowercased().contains("json") { throw ResourceReply(400, reason) }
      throw ResourceReply(415, "an item is JSON; this is \(TextExcerpt.plain(type))")
    case .unknown(let reason): throw ResourceReply(400, reason)
    case .value, .empty:
      throw ResourceReply(
        400, "an item is a JSON object of at most \(JSONValue.shallowDepth) levels")
    }
  }

  /// The response, with the header fields of the one in whose place the resource answers.
  func response(
    insteadOf other: StubResponse, to request: PreparedRequest, of resource: Resource
  ) -> StubResponse {
    var response = other
    response.status = status
    let url = (request.baseURL ?? "") + resource.path
    if let createdID {
      response.headers[.location] = url + "/" + URLParts.encodedQuery(createdID)
    }
    switch content {
    case .nothing: response.body = nil
    case .item(let item): response.body = .json(.object(item))
    case .problem(let detail):
      // https://www.rfc-editor.org/rfc/rfc9457
      response.headers[.contentType] = "application/problem+json"
      response.body = .json(["detail": .string(detail), "status": .number(JSONNumber(status))])
      if status == 405 { response.headers[.allow] = allowed.joined(separator: ", ") }
    case .list(let items, let slice):
      let (found, total, others) = slice.page(of: items)
      response.body = .json(.array(found.map(JSONValue.object)))
      if resource.limit == nil { break }
      // https://www.rfc-editor.org/rfc/rfc8288
      let links = others.map {
        "<\(url)?\(slice.query($0.offset, request, resource))>; rel=\"\($0.relation)\""
      }
      let fields = [("X-Total-Count", String(total)), ("Link", links.joined(separator: ", "))]
      for (name, value) in fields where value != "" {
        if let name = HTTPField.Name(name) { response.headers[name] = value }
      }
    }
    return response
  }
}

extension JSONObject {
  /// Takes over members; as a JSON merge patch, `null` removes one, and an object changes one.
  ///
  /// https://www.rfc-editor.org/rfc/rfc7396#section-2
  fileprivate mutating func merge(_ others: JSONObject, isPatch: Bool) {
    for (name, value) in others {
      switch value {
      case .null where isPatch: removeValue(forKey: name)
      case .object(let inner) where isPatch:
        var target = self[name]?.members ?? [:]
        target.merge(inner, isPatch: true)
        self[name] = .object(target)
      default: self[name] = value
      }
    }
  }
}
