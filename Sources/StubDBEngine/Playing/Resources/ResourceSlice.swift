import StubDBJSON
import StubDBModel
import StubDBSupport

/// The part of a list that a query asks for.
struct ResourceSlice: Sendable {
  /// The texts that members may have, by name.
  private var wanted: [ByteText: Set<ByteText>] = [:]
  /// How many items there are before the page.
  private var offset = 0
  /// How many items the page has; nil for all.
  private var limit: Int?

  /// Reads the query; the parameters that the stub asks for, and those for pages, select no items.
  ///
  /// - Throws: The answer if a number of the page is not one.
  init(
    _ request: PreparedRequest, _ resource: Resource, _ stub: RequestPattern
  ) throws(ResourceReply) {
    let others = stub.query.map(\.name) + [resource.limit, resource.start].compactMap(\.self)
    for item in request.query where !others.contains(item.name) {
      wanted[ByteText(item.name), default: []].insert(ByteText(item.value))
    }
    func number(_ name: String?, from least: Int) throws(ResourceReply) -> Int? {
      guard let name, let text = request.values(ofQuery: name).values.first else { return nil }
      if let number = Int(text), number >= least { return number }
      throw ResourceReply(400, "\"\(name)\" is a whole number from \(least)")
    }
    limit = try number(resource.limit, from: 1) ?? resource.size
    let least = resource.isNumbered ? 1 : 0
    offset = try number(resource.start, from: least) ?? least
    if resource.isNumbered {
      let product = (offset - 1).multipliedReportingOverflow(by: limit ?? .max)
      offset = product.overflow ? .max : product.partialValue
    }
  }

  /// The items of the page, how many all pages have, and where other pages begin, by their relation to this one.
  func page(
    of items: ResourceItems
  ) -> (items: [JSONObject], total: Int, others: [(relation: String, offset: Int)]) {
    let all = items.all
    // Parameters that are no members, such as a key of the API, are left to the rest of the stub.
    let filters = wanted.filter { name, _ in all.contains { $0[name.string] != nil } }
    let found = all.filter { item in
      filters.allSatisfy { name, texts in
        item[name.string].map { !texts.isDisjoint(with: $0.elementTexts) } ?? false
      }
    }
    let rest = found.dropFirst(offset)
    guard let limit, !found.isEmpty else { return (Array(rest), found.count, []) }
    var others = [("first", 0), ("last", (found.count - 1) / limit * limit)]
    if offset > 0 { others.append(("prev", max(0, min(offset, found.count) - limit))) }
    if rest.count > limit { others.append(("next", offset + limit)) }
    return (Array(rest.prefix(limit)), found.count, others)
  }

  /// The query of another page.
  func query(_ offset: Int, _ request: PreparedRequest, _ resource: Resource) -> String {
    let (names, size) = ([resource.limit ?? "", resource.start ?? ""], limit ?? 1)
    let values = [size, resource.isNumbered ? offset / size + 1 : offset].map(String.init)
    let query =
      request.query.filter { !names.contains($0.name) }
      + zip(names, values).map { URLParts.QueryItem(name: $0, value: $1) }
    return query.map(\.description).joined(separator: "&")
  }
}

extension JSONValue {
  /// The texts by which a query selects the value: its own, or those of its elements.
  fileprivate var elementTexts: [ByteText] {
    guard case .array(let elements) = self else { return [ByteText(selectedText)] }
    return elements.map { ByteText($0.selectedText) }
  }
}
