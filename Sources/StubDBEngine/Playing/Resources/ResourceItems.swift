import Foundation
import StubDBJSON
import StubDBModel

/// The items of a resource, in the order in which they came.
struct ResourceItems: Sendable {
  private var items = CapturedValues()
  private var byteCount = 0
  /// The largest whole number that was an id.
  private(set) var largestID = 0

  /// Takes the items of a JSON list; none from an empty text, as of a content that is left in its catalog.
  init(_ text: Data, of resource: Resource) throws(CompileError) {
    if text.isEmpty { return }
    guard case .array(let values)? = try? JSONValue(parsing: text) else {
      throw CompileError(
        code: .invalidPattern, reason: "the content that a resource begins with is a JSON list")
    }
    do throws(DocumentError) {
      try resource.check(values, at: JSONPointer(["seed"]))
    } catch {
      throw CompileError(
        code: .invalidPattern, reason: "\(error.pointer): \(error.message)", path: ["resource"])
    }
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
    guard total <= Resource.largestSize, items.count < Resource.largestCount || self[id] != nil
    else { throw ResourceReply(507, Resource.largest) }
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
