internal import StubDBJSON
internal import StubDBModel

extension OrderedJSON {
  /// The resource of a stub as a document has it, and the stub without what that says; nil for another stub.
  static func resource(of stub: Stub) -> (tree: OrderedJSON, rest: Stub)? {
    guard let resource = stub.resource, let last = stub.responses.last else { return nil }
    var rest = stub
    var (whole, at) = (stub.request, resource.path)
    whole.path = .template(resource.path)
    if let url = url(of: whole), url != at {
      at = url
      (rest.request.scheme, rest.request.host, rest.request.port) = (nil, nil, nil)
    }
    rest.request.path = nil
    rest.responses[rest.responses.count - 1].body = nil
    var members = [("at", OrderedJSON.string(at))]
    if let id = resource.id { members.append(("id", id)) }
    if let seed = last.body.map(content)?.tree, seed.jsonValue != [] {
      members.append(("seed", seed))
    }
    if let page = resource.page { members.append(("page", page)) }
    return (.object(members), rest)
  }
}

extension Resource {
  /// The id, unless it is the default.
  fileprivate var id: OrderedJSON? {
    let kind = OrderedJSON.string(isInteger ? "integer" : "uuid")
    if member != "id" { return .object([("member", .string(member)), ("kind", kind)]) }
    return isInteger ? kind : nil
  }

  /// The parameters for pages; nil without pages.
  fileprivate var page: OrderedJSON? {
    guard let limit, let start else { return nil }
    var members = [
      ("limit", OrderedJSON.string(limit)),
      (isNumbered ? "number" : "offset", OrderedJSON.string(start)),
    ]
    if let size { members.append(("size", .integer(size))) }
    return .object(members)
  }
}
