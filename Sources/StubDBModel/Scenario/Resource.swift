package import StubDBJSON

/// The rules of a collection of items that a stub lists, creates, changes and removes, in each run by itself.
///
/// The items that a run begins with are the JSON content of the stub's last response.
package struct Resource: Hashable, Sendable {
  /// The rules as a catalog keeps them, with those parts of a document that the other properties name.
  package let row: JSONObject

  package init(row: JSONObject) {
    self.row = row
  }

  /// The path of the list, in canonical percent-encoding; an item has one more segment, its id.
  package var path: String { self["at"] ?? "" }
  /// The member that has the id of an item.
  package var member: String { self["member"] ?? "id" }
  /// Whether ids are whole numbers, which count up; otherwise they are texts, and new ones are UUIDs.
  package var isInteger: Bool { self["kind"] == "integer" }
  /// The query parameter for how many items a page has; nil if a list has no pages.
  package var limit: String? { self["limit"] }
  /// The query parameter for where a page begins.
  package var start: String? { self["offset"] ?? self["number"] }
  /// Whether that is the number of the page, from 1, and not the number of items before it.
  package var isNumbered: Bool { row["number"] != nil }
  /// How many items a page has if the request does not say it; nil for all.
  package var size: Int? {
    if case .number(let number)? = row["size"] { number.integerValue } else { nil }
  }

  /// The pattern for the path of the list and those of its items.
  package var pathPattern: PathPattern {
    let special = "\\^$.|?*+()[]{}".unicodeScalars
    let literal = path.unicodeScalars.map { special.contains($0) ? "\\\($0)" : "\($0)" }
    return .value(.matches(literal.joined() + "(/[^/]+)?"))
  }

  /// An id as URLs have it, decoded; nil for a value that is no id.
  package func id(_ value: JSONValue?) -> String? {
    switch value {
    case .string(let text)? where !isInteger && !text.isEmpty: text
    case .number(let number)? where isInteger: number.integerValue.map(String.init)
    default: nil
    }
  }

  private subscript(name: String) -> String? {
    if case .string(let text)? = row[name] { text } else { nil }
  }
}
