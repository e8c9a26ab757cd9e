public import StubDBJSON

extension Stub {
  /// What identifies the items of a resource.
  public struct ItemID: Hashable, Sendable {
    let member: String
    let isInteger: Bool

    /// Texts in the member `id`, and a UUID for a new item.
    public static let uuid = ItemID(member: "id", isInteger: false)
    /// Whole numbers in the member `id`, which count up.
    public static let integer = ItemID(member: "id", isInteger: true)
    /// Texts in a member, and a UUID for a new item.
    public static func uuid(member: String) -> ItemID { ItemID(member: member, isInteger: false) }
    /// Whole numbers in a member, which count up.
    public static func integer(member: String) -> ItemID { ItemID(member: member, isInteger: true) }
  }

  /// The query parameters for a part of the list of a resource.
  public struct Pages: Hashable, Sendable {
    let limit: String
    let start: String
    let isNumbered: Bool
    let size: Int?

    /// Pages that begin after some number of items; `size` is the limit of a request without one, nil for all items.
    public static func offset(
      _ offset: String = "offset", limit: String = "limit", size: Int? = nil
    ) -> Pages {
      Pages(limit: limit, start: offset, isNumbered: false, size: size)
    }

    /// Pages that are counted from 1; `size` is the limit of a request without one, nil for all items.
    public static func number(
      _ number: String = "page", limit: String = "limit", size: Int? = nil
    ) -> Pages {
      Pages(limit: limit, start: number, isNumbered: true, size: size)
    }
  }

  /// Makes a stub that keeps items: in each run it lists, creates, reads, replaces, changes and removes its own.
  ///
  /// The URL is that of the list, absolute or from `/` for any host; an item has one more segment, its id. Each item of
  /// `seed`, with which a run begins, has its id. ``request`` may ask for more than the URL. The seed is the content of
  /// the last of ``responses``: those that are inserted before it come first.
  /// - Throws: `DocumentError` for a URL with placeholders, a query or a slash at its end, and for a seed with two items
  /// of one id, an item without one, more than 10,000 items or more than 16 MiB.
  public init(
    key: Key, resourceAt url: String, id: ItemID = .uuid, seed: [JSONObject] = [],
    pages: Pages? = nil
  ) throws(DocumentError) {
    self.init(key: key)
    func line(_ text: String, _ name: String) throws(DocumentError) -> JSONValue {
      .string(try Self.node(text, name).line("\"\(name)\""))
    }
    let parts = try Self.node(url, "at").resourceURL()
    var row: JSONObject = ["at": .string(parts.path)]
    if id.isInteger { row["kind"] = "integer" }
    if id.member != "id" { row["member"] = try line(id.member, "member") }
    if let pages {
      let start = pages.isNumbered ? "number" : "offset"
      row["limit"] = try line(pages.limit, "limit")
      row[start] = try line(pages.start, start)
      guard pages.limit != pages.start, pages.size ?? 1 > 0 else {
        throw Self.node(pages.start, start).failure(
          .invalidValue, "pages need two parameters and a size from 1")
      }
      row["size"] = pages.size.map { .number(JSONNumber($0)) }
    }
    let resource = Resource(row: row)
    let items = seed.map(JSONValue.object)
    try resource.check(items, at: JSONPointer(["seed"]))
    keep(items, of: resource, at: parts)
  }

  private static func node(_ text: String, _ name: String) -> DocumentNode {
    DocumentNode(
      value: .string(text), place: .root(JSONPointer([name])),
      context: DocumentContext(validation: .full, rules: nil))
  }

  /// Has a resource answer in place of the last response, whose content its items become.
  package mutating func keep(_ items: [JSONValue], of resource: Resource, at url: URLParts) {
    if let scheme = url.scheme {
      (request.scheme, request.host) = (scheme, .equalTo(url.host ?? ""))
      request.port = url.port
    }
    request.path = resource.pathPattern
    self.resource = resource
    responses[responses.count - 1].body = .json(.array(items))
  }
}

extension DocumentNode {
  /// The URL of a resource's list.
  package func resourceURL() throws(DocumentError) -> URLParts {
    let parts = try urlParts()
    if !URLParts.isOpen(template: parts.path), parts.query.isEmpty, !parts.path.hasSuffix("/") {
      return parts
    }
    throw failure(
      .invalidValue,
      "a resource has the URL of its list, without placeholders, query and a slash at its end, such as /v1/items; "
        + "this one is \"\(try string())\"")
  }
}
