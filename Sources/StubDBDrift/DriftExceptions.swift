package import Foundation
internal import StubDBDocuments
internal import StubDBJSON
package import StubDBModel

/// Where a difference or a problem is, and what it is.
package struct DriftPlace: Hashable, Sendable {
  package var scenario: String
  package var key: String
  /// A JSON pointer, with `*` for any element.
  package var pointer: String
  package var id: String

  package init(scenario: String, key: String, pointer: String, id: String) {
    (self.scenario, self.key, self.pointer, self.id) = (scenario, key, pointer, id)
  }
}

/// Differences that a team has decided to live with, each with the reason; the file `.stubdb-verify.json`.
package struct DriftExceptions: Hashable, Sendable {
  /// A condition; every part that it names must be equal.
  package struct Entry: Hashable, Sendable {
    package var scenario: String?
    package var key: String?
    /// The place; the token `*` matches any token.
    package var pointer: String?
    package var id: String?
    package var reason: String

    /// Whether a difference satisfies the condition.
    package func accepts(_ place: DriftPlace) -> Bool {
      (scenario ?? place.scenario) == place.scenario && (key ?? place.key) == place.key
        && (id ?? place.id) == place.id
        && (pointer.map { Self.matches($0, place.pointer) } ?? true)
    }

    private static func matches(_ pattern: String, _ pointer: String) -> Bool {
      let tokens = pattern.split(separator: "/", omittingEmptySubsequences: false)
      let others = pointer.split(separator: "/", omittingEmptySubsequences: false)
      return tokens.count == others.count
        && zip(tokens, others).allSatisfy { $0 == "*" || $0 == $1 }
    }
  }

  /// A stub, of which there may be thousands with exceptions.
  private struct Owner: Hashable {
    var scenario: String
    var key: String
  }

  /// The entries, in order.
  package private(set) var entries: [Entry] = []
  /// The places of the entries that name a stub, by that stub, and of the others.
  private var placesByOwner: [Owner: [Int]] = [:]
  private var otherPlaces: [Int] = []

  /// The name of the file, which is beside the catalog.
  package static let fileName = ".stubdb-verify.json"

  package init() {}

  /// Parses the file strictly.
  ///
  /// - Parameters:
  ///   - text: JSON text in UTF-8.
  ///   - file: The name of the file in errors.
  /// - Throws: `DocumentError` with the file, the line and the place.
  package init(parsing text: Data, file: String) throws(DocumentError) {
    let read = try DocumentNode.reading(text, file: file) { (root) throws(DocumentError) in
      var entries: [Entry] = []
      let object = try root.object(.driftExceptions)
      for node in try object.required("ignore").list("a list of exceptions") {
        entries.append(try node.driftException())
      }
      return entries
    }
    for entry in read { append(entry) }
  }

  private mutating func append(_ entry: Entry) {
    if let scenario = entry.scenario, let key = entry.key {
      placesByOwner[Owner(scenario: scenario, key: key), default: []].append(entries.count)
    } else {
      otherPlaces.append(entries.count)
    }
    entries.append(entry)
  }

  /// Whether an entry accepts a difference.
  package func accepts(_ place: DriftPlace) -> Bool {
    let own = placesByOwner[Owner(scenario: place.scenario, key: place.key)] ?? []
    return (own + otherPlaces).contains { entries[$0].accepts(place) }
  }

  /// Adds an entry for each difference without one, and returns their number.
  package mutating func accept(_ places: [DriftPlace], reason: String) -> Int {
    let before = entries.count
    for place in places where !accepts(place) {
      append(
        Entry(
          scenario: place.scenario, key: place.key, pointer: place.pointer, id: place.id,
          reason: reason))
    }
    return entries.count - before
  }

  /// The text of the file, which parses as the same value.
  package var text: String {
    let list = entries.map { entry in
      let parts = [
        ("scenario", entry.scenario), ("key", entry.key), ("pointer", entry.pointer),
        ("id", entry.id), ("reason", entry.reason),
      ]
      return OrderedJSON.object(parts.flatMap(OrderedJSON.text))
    }
    return OrderedJSON.object([("ignore", .array(list))]).text
  }
}

extension DocumentObjectKind {
  fileprivate static let driftExceptions = DocumentObjectKind("a file of exceptions", ["ignore"])
  fileprivate static let driftException = DocumentObjectKind(
    "an exception", ["scenario", "key", "pointer", "id", "reason"])
}

extension DocumentNode {
  fileprivate func driftException() throws(DocumentError) -> DriftExceptions.Entry {
    let object = try object(.driftException)
    guard let reason = try object["reason"]?.string(), reason.contains(where: { !$0.isWhitespace })
    else {
      throw failure(.missingKey, "an exception needs a \"reason\"")
    }
    var entry = DriftExceptions.Entry(reason: reason)
    entry.scenario = try object["scenario"]?.string()
    entry.key = try object["key"]?.string()
    entry.pointer = try object["pointer"]?.string()
    entry.id = try object["id"]?.string()
    if entry.scenario == nil, entry.key == nil, entry.pointer == nil, entry.id == nil {
      throw failure(
        .missingKey, "an exception needs a \"scenario\", a \"key\", a \"pointer\" or an \"id\"")
    }
    return entry
  }
}
