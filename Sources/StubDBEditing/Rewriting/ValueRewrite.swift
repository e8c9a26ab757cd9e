internal import StubDBDocuments
package import StubDBJSON
package import StubDBJobs
internal import StubDBSupport

/// A change of the values that a query selects in JSON.
package enum ValueRewrite: Sendable {
  /// Members get another name; selected values that are no members of the first name stay.
  case rename(from: String, to: String)
  case set(JSONValue)
  case remove
  /// The value takes the place of ``placeholders`` in another one.
  case wrap(JSONValue)
  /// Objects get a member; those that have it stay, and so do other values.
  case add(name: String, JSONValue)

  /// The strings that stand for the value in the template of ``wrap(_:)``.
  package static let placeholders = ["…", "..."]

  /// The change of an argument `OLD=NEW`.
  ///
  /// - Throws: ``ArgumentError``.
  package init(renaming text: String) throws(ArgumentError) {
    guard let (old, new) = Self.pair(text), !old.isEmpty, !new.isEmpty else {
      throw ArgumentError("it has the form OLD=NEW, such as email=mail")
    }
    if old.hasSameBytes(as: new) { throw ArgumentError("both names are the same") }
    self = .rename(from: old, to: new)
  }

  /// The change of an argument `NAME=JSON`.
  ///
  /// - Throws: ``ArgumentError``.
  package init(adding text: String) throws(ArgumentError) {
    guard let (name, value) = Self.pair(text), !name.isEmpty else {
      throw ArgumentError("it has the form NAME=JSON, such as plan='\"free\"'")
    }
    self = .add(name: name, try Self.json(value))
  }

  /// The change of an argument with a JSON value.
  ///
  /// - Throws: ``ArgumentError``.
  package init(setting text: String) throws(ArgumentError) { self = .set(try Self.json(text)) }

  /// The change of an argument such as `{"data": …}`, in which the placeholder may be a string or not.
  ///
  /// - Throws: ``ArgumentError`` for text that is not JSON, or that does not have the placeholder exactly once.
  package init(wrapping text: String) throws(ArgumentError) {
    let quoted = text.replacingScalar("…", with: "\"…\"").replacing("...", with: "\"...\"")
    let value = (try? JSONValue(parsing: text)) ?? (try? JSONValue(parsing: quoted))
    guard let value, Self.placeholderCount(in: value) == 1 else {
      throw ArgumentError("it is JSON with … once where the value belongs, such as {\"data\": …}")
    }
    self = .wrap(value)
  }

  private static func json(_ text: String) throws(ArgumentError) -> JSONValue {
    do throws(JSONSyntaxError) {
      return try JSONValue(parsing: text)
    } catch {
      throw ArgumentError(
        "it is not JSON: \(error.message); a text has quotation marks, as in '\"free\"'")
    }
  }

  private static func pair(_ text: String) -> (String, String)? {
    let scalars = text.unicodeScalars
    guard let place = scalars.firstIndex(of: "=") else { return nil }
    return (
      String(scalars[..<place]), String(scalars[scalars.index(after: place)...])
    )
  }

  private static func placeholderCount(in value: JSONValue) -> Int {
    switch value {
    case .string(let text): placeholders.contains(text) ? 1 : 0
    case .array(let elements): elements.reduce(0) { $0 + placeholderCount(in: $1) }
    case .object(let members): members.values.reduce(0) { $0 + placeholderCount(in: $1) }
    case .null, .bool, .number: 0
    }
  }

  /// The template with the value in place of the placeholder.
  fileprivate static func filled(_ template: JSONValue, with value: JSONValue) -> JSONValue {
    switch template {
    case .string(let text) where placeholders.contains(text): value
    case .array(let elements): .array(elements.map { filled($0, with: value) })
    case .object(let members): .object(members.mapValues { filled($0, with: value) })
    case .null, .bool, .number, .string: template
    }
  }
}

/// Changes values at places of one JSON value; whatever else is in it stays as it is.
struct ValueRewriter {
  private let change: ValueRewrite
  /// The members that cannot be renamed, because another one has the new name.
  private(set) var taken: [JSONPointer] = []
  /// Whether the value as a whole would be removed.
  private(set) var removesAll = false

  init(_ change: ValueRewrite) { self.change = change }

  /// The value with the change at the places.
  mutating func rewritten(_ value: JSONValue, at places: [JSONPointer]) -> JSONValue {
    var tree = PlaceTree()
    for place in places { tree.insert(place.tokens[...]) }
    guard let new = rewritten(value, tree, JSONPointer()) else {
      removesAll = true
      return value
    }
    return new
  }

  /// Nil for a value that is removed; what is inside of a selected value changes first.
  private mutating func rewritten(
    _ value: JSONValue, _ tree: PlaceTree, _ place: JSONPointer
  ) -> JSONValue? {
    if tree.isSelected {
      if case .set(let new) = change { return new }
      if case .remove = change { return nil }
    }
    let inner = rewrittenChildren(of: value, tree, place)
    guard tree.isSelected else { return inner }
    switch (change, inner) {
    case (.wrap(let template), _): return ValueRewrite.filled(template, with: inner)
    case (.add(let name, let added), .object(var members)) where members[name] == nil:
      members[name] = added
      return .object(members)
    default: return inner
    }
  }

  private mutating func rewrittenChildren(
    of value: JSONValue, _ tree: PlaceTree, _ place: JSONPointer
  ) -> JSONValue {
    if tree.children.isEmpty { return value }
    switch value {
    case .array(let elements):
      var trees: [Int: PlaceTree] = [:]
      for (token, child) in tree.children { trees[Int(token.string) ?? -1] = child }
      var result: [JSONValue] = []
      for (index, element) in elements.enumerated() {
        guard let child = trees[index] else {
          result.append(element)
          continue
        }
        if let new = rewritten(element, child, place.appending(index)) { result.append(new) }
      }
      return .array(result)
    case .object(var members):
      for (name, child) in tree.children.sorted(by: { $0.key < $1.key }) {
        guard let member = members[name.string] else { continue }
        let inner = place.appending(name.string)
        members[name.string] = rewritten(member, child, inner)
        if child.isSelected { rename(name.string, in: &members, at: inner) }
      }
      return .object(members)
    case .null, .bool, .number, .string: return value
    }
  }

  private mutating func rename(
    _ name: String, in members: inout JSONObject, at place: JSONPointer
  ) {
    guard case .rename(let old, let new) = change, name.hasSameBytes(as: old) else { return }
    if members[new] != nil { return taken.append(place) }
    members[new] = members.removeValue(forKey: old)
  }
}

/// Places, by their tokens from the outside in.
private struct PlaceTree {
  var isSelected = false
  var children: [ByteText: PlaceTree] = [:]

  mutating func insert(_ tokens: ArraySlice<String>) {
    guard let first = tokens.first else {
      isSelected = true
      return
    }
    children[ByteText(first), default: PlaceTree()].insert(tokens.dropFirst())
  }
}
