internal import HTTPTypes
package import StubDBModel

/// A method and a URL that a resource has, and its answers.
package struct StubRoute: Sendable {
  /// What a request must satisfy, with a template for the path.
  package let request: RequestPattern
  /// The answers in a few words, such as `200 with the item, 404 if it is missing`.
  package let answers: String

  /// The routes of a stub; empty if it has no resource.
  package static func all(of stub: Stub) -> [StubRoute] {
    guard let resource = stub.resource else { return [] }
    var selection = "200 with the items that the query selects"
    if let limit = resource.limit, let start = resource.start {
      selection += ", in pages by \(limit) and \(start)"
    }
    let id = resource.isInteger ? "the next whole number" : "a UUID"
    let missing = "404 if it is missing"
    let list: [(HTTPRequest.Method, String)] = [
      (.get, selection),
      (.post, "201 with the item, whose \(resource.member) is \(id) or its own; 409 if it exists"),
    ]
    let item: [(HTTPRequest.Method, String)] = [
      (.get, "200 with the item, \(missing)"),
      (.put, "200 with the item, 201 if it is new, 409 for another \(resource.member)"),
      (.patch, "200 with the item, merged (RFC 7396), \(missing)"),
      (.delete, "204, \(missing)"),
    ]
    let placeholder = resource.path + "/{" + placeholder(of: resource.member) + "}"
    return routes(list, at: resource.path, of: stub) + routes(item, at: placeholder, of: stub)
  }

  private static func routes(
    _ routes: [(method: HTTPRequest.Method, answers: String)], at path: String, of stub: Stub
  ) -> [StubRoute] {
    var request = stub.request
    request.path = .template(path)
    var result = routes.filter {
      stub.request.methods.isEmpty || stub.request.methods.contains($0.method)
    }.map { route in
      request.methods = [route.method]
      return StubRoute(request: request, answers: route.answers)
    }
    let others = stub.request.methods.filter { method in
      method != .head && !routes.contains { $0.method == method }
    }
    if stub.request.methods.isEmpty || !others.isEmpty {
      request.methods = others
      result.append(StubRoute(request: request, answers: "other methods: 405 with Allow"))
    }
    return result
  }

  /// A name that documents allow in braces.
  private static func placeholder(of member: String) -> String {
    member.allSatisfy { $0.isLetter || $0.isNumber || "_-. ".contains($0) } ? member : "id"
  }
}
