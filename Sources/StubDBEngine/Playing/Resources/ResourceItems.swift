import Foundation
import StubDBJSON
import StubDBModel

/// The items of a resource, in the order in which they came.
struct ResourceItems: Sendable {
  /// The largest number of items, and of the bytes of their JSON; only a loop would need more, not a test.
  static let (largestCount, largestSize) = (10_000, 16 << 20)

  private var items = CapturedValues()
  private var byteCount = 0
  /// The largest whole number that was an id.
  private(set) var largestID = 0

  /// The objects of a JSON list that have an id; none for another text, which no document has as a seed.
  init(_ text: Data, of resource: Resource) {
    guard case .array(let values)? = try? JSONValue(parsing: text) else { return }
    for case .object(let item) in values {
      if let id = resource.id(item[resource.member]) { try? keep(item, as: id) }
    }
  }

  subscript(id: String) -> JSONObject? { items[id]?.members }

  /// All items, in order.
  var all: [JSONObject] { items.values(beginningWith: "").compactMap(\.members) }

  /// Keeps an item; one that replaces another takes its place in the order.
  ///
  /// - Throws: The answer if there is no room for it.
  mutating func keep(_ item: JSONObject, as id: String) throws(ResourceReply) {
    let total = byteCount - size(id) + JSONValue.object(item).canonicalText.utf8.count
    guard total <= Self.largestSize, items.count < Self.largestCount || self[id] != nil else {
      throw ResourceReply(
        507, "a resource has at most \(Self.largestCount) items and \(Self.largestSize) bytes")
    }
    byteCount = total
    items.keep(.object(item), as: id)
    largestID = max(largestID, Int(id) ?? 0)
  }

  /// Removes the item with an id.
  mutating func remove(_ id: String) {
    byteCount -= size(id)
    items.forget(id)
  }

  private func size(_ id: String) -> Int { items[id]?.canonicalText.utf8.count ?? 0 }
}

extension JSONValue {
  /// The members of an object; nil for other values.
  var members: JSONObject? { if case .object(let members) = self { members } else { nil } }
}

extension Resource {
  /// The member that has an id of a URL; nil if ids are of another kind.
  func member(_ id: String) -> JSONValue? {
    guard isInteger else { return .string(id) }
    return Int(id).flatMap { String($0) == id ? .number(JSONNumber($0)) : nil }
  }
}
