internal import Foundation
internal import HTTPTypes
internal import StubDBJSON
package import StubDBModel
internal import StubDBSupport

/// An answer of a server that is one page of a longer list.
package struct ListPage: Hashable, Sendable {
  /// What shows it, as a clause such as `its field Link leads to another page`.
  package let sign: String

  /// Nil for an answer that is no list, and for one that nothing shows to be a part; a total that the list reaches shows that it
  /// is the whole.
  ///
  /// - Parameters:
  ///   - answer: The answer with JSON content.
  ///   - url: The URL that was asked.
  ///   - resource: The rules of the resource whose list it is.
  package init?(_ answer: SampledAnswer, to url: String, of resource: Resource) {
    guard let content = try? JSONValue(parsing: answer.content),
      let count = Self.itemCount(of: content)
    else { return nil }
    let members = Self.members(of: content, depth: 0)
    if let sign = Self.signOfAnotherPage(answer.headers, members) {
      self.sign = sign
    } else if let total = Self.total(answer.headers, members) {
      guard total.number > count else { return nil }
      sign = "it has \(count) of \(Plural.of(total.number, "item")) by its \(total.name)"
    } else if let sign = Self.signOfQuery(url, count, resource) {
      self.sign = sign
    } else {
      return nil
    }
  }

  /// How many items a list has, or the longest one in an object; nil if there is none.
  private static func itemCount(of content: JSONValue) -> Int? {
    switch content {
    case .array(let items): items.count
    case .object(let members): members.compactMap { itemCount(ofMember: $0.1) }.max()
    default: nil
    }
  }

  private static func itemCount(ofMember value: JSONValue) -> Int? {
    if case .array(let items) = value { items.count } else { nil }
  }

  /// The members of an object and of the objects in it, such as `paging`, in the order of their names.
  private static func members(
    of value: JSONValue, depth: Int
  ) -> [(name: String, value: JSONValue)] {
    guard case .object(let object) = value, depth < 3 else { return [] }
    return object.sorted { $0.0 < $1.0 }.flatMap { name, value in
      [(name, value)] + members(of: value, depth: depth + 1)
    }
  }

  // MARK: Other pages

  private static let nextNames: Set<String> = [
    "continuationtoken", "hasmore", "hasnext", "hasnextpage", "next", "nextcursor", "nextlink",
    "nextoffset", "nextpage", "nextpagetoken", "nexttoken", "nexturl", "odatanextlink",
  ]

  private static func signOfAnotherPage(
    _ headers: HTTPFields, _ members: [(name: String, value: JSONValue)]
  ) -> String? {
    for field in headers {
      switch field.name.canonicalName {
      case "link" where leadsToAnotherPage(field.value), "x-next-page" where !field.value.isEmpty:
        return "its field \(field.name.rawName) leads to another page"
      default: continue
      }
    }
    let next = members.first { nextNames.contains(letters(of: $0.name)) && says($0.value) }
    return next.map { "its member \"\($0.name)\" leads to another page" }
  }

  /// Whether a link has the relation `next` or `prev`. https://www.rfc-editor.org/rfc/rfc8288#section-3.3
  private static func leadsToAnotherPage(_ links: String) -> Bool {
    links.replacing(/<[^>]*>/, with: "").matches(
      of: /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/.ignoresCase()
    ).contains { match in
      (match.1 ?? match.2 ?? "").lowercased().split(separator: " ").contains {
        ["next", "prev", "previous"].contains($0)
      }
    }
  }

  /// Whether the value of such a member names a page.
  private static func says(_ value: JSONValue) -> Bool {
    switch value {
    case .null, .bool(false), .array: false
    case .string(let text): !text.isEmpty
    case .object(let members): !members.isEmpty
    case .bool, .number: true
    }
  }

  // MARK: Totals

  private static let totalFields: Set<String> = [
    "total-count", "x-pagination-total-count", "x-total", "x-total-count", "x-wp-total",
  ]
  private static let totalMembers: Set<String> = [
    "total", "totalcount", "totalelements", "totalitems", "totalresults",
  ]

  private static func total(
    _ headers: HTTPFields, _ members: [(name: String, value: JSONValue)]
  ) -> (number: Int, name: String)? {
    for field in headers {
      let name = field.name.canonicalName
      // https://www.rfc-editor.org/rfc/rfc9110#section-14.4: what follows the slash is the whole length.
      let range = name == "content-range" && !field.value.lowercased().hasPrefix("bytes")
      let text = range ? field.value.split(separator: "/").last.map(String.init) : field.value
      if range || totalFields.contains(name), let number = text.flatMap({ Int($0) }) {
        return (number, "field \(field.name.rawName)")
      }
    }
    for (name, value) in members where totalMembers.contains(letters(of: name)) {
      if case .number(let number) = value, let number = number.integerValue {
        return (number, "member \"\(name)\"")
      }
    }
    return nil
  }

  // MARK: The query

  private static let pageNames: Set<String> = [
    "continuationtoken", "cursor", "limit", "maxresults", "nexttoken", "offset", "page",
    "pagecursor", "pagelimit", "pageno", "pagenumber", "pageoffset", "pagesize", "pagetoken",
    "perpage", "skip", "startingafter",
  ]

  /// A list that is shorter than its limit may still be a page, where the server has a lower one.
  private static func signOfQuery(_ url: String, _ count: Int, _ resource: Resource) -> String? {
    let names = (URLParts(url)?.query ?? []).map(\.name)
    let asked = names.first {
      [resource.limit, resource.start].contains($0) || pageNames.contains(letters(of: $0))
    }
    if let asked { return "the request asks for a page with \"\(asked)\"" }
    guard let size = resource.size, count >= size else { return nil }
    return "a page of the resource has \(Plural.of(size, "item"))"
  }

  /// A name without what sets words apart: `per_page`, `perPage` and `page[size]` are written everywhere.
  private static func letters(of name: String) -> String {
    name.filter(\.isLetter).lowercased()
  }
}
