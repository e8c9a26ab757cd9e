package import StubDBJSON
internal import StubDBSupport

/// The rules of a collection of items that a stub lists, creates, changes and removes, in each run by itself.
///
/// The items that a run begins with are the JSON content of the stub's last response.
package struct Resource: Hashable, Sendable {
  /// The largest number of items, and of the bytes of their JSON; only a loop would need more, not a test.
  package static let (largestCount, largestSize) = (10_000, 16 << 20)

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

  /// What the path of an item has after that of the list, as a regular expression.
  fileprivate static let item = "(/[^/]+)?"

  /// The pattern for the path of the list and those of its items.
  package var pathPattern: PathPattern {
    let special = "\\^$.|?*+()[]{}".unicodeScalars
    let literal = path.unicodeScalars.map { special.contains($0) ? "\\\($0)" : "\($0)" }
    return .value(.matches(literal.joined() + Self.item))
  }

  /// An id as URLs have it, decoded; nil for a value that is no id.
  package func id(_ value: JSONValue?) -> String? {
    switch value {
    case .string(let text)? where !isInteger && !text.isEmpty: text
    case .number(let number)? where isInteger: number.integerValue.map(String.init)
    default: nil
    }
  }

  /// Throws for a seed with an item that is no object, or has no id or that of another, and for one that is too large.
  package func check(_ items: [JSONValue], at pointer: JSONPointer) throws(DocumentError) {
    var (places, size) = ([ByteText: JSONPointer](), 0)
    for (index, value) in items.enumerated() {
      let place = pointer.appending(index)
      func failure(_ code: DocumentError.Code, _ message: String) -> DocumentError {
        DocumentError(code, pointer: place, message: message)
      }
      guard case .object(let item) = value else {
        throw failure(.wrongType, "expected an object, found \(value.typeName)")
      }
      guard let id = id(item[member]) else {
        let kind = isInteger ? "a whole number" : "a text that is not empty"
        throw failure(
          item[member] == nil ? .missingKey : .wrongType,
          "an item needs its id: a member \"\(member)\" that is \(kind)")
      }
      if let first = places.updateValue(place, forKey: ByteText(id)) {
        throw failure(
          .duplicate, "the item \(first) has the id \"\(id)\" too; each needs its own")
      }
      size += value.canonicalText.utf8.count
      if index >= Self.largestCount || size > Self.largestSize {
        throw failure(.invalidValue, Self.largest)
      }
    }
  }

  /// The sentence that says how much a resource can keep.
  package static var largest: String {
    "a resource has at most \(largestCount) items and \(largestSize) bytes"
  }

  private subscript(name: String) -> String? {
    if case .string(let text)? = row[name] { text } else { nil }
  }
}

extension ValuePattern {
  /// The paths of the list and of the items, if this is the pattern of a resource; empty otherwise.
  package var resourcePaths: [String] {
    guard case .matches(let text) = storage else { return [] }
    let path = String(text.string.dropLast(Resource.item.count).filter { $0 != "\\" })
    let resource = Resource(row: ["at": .string(path)])
    return resource.pathPattern == .value(self) ? [path, path + "/{id}"] : []
  }
}
