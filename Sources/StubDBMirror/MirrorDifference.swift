package import StubDBDocuments
internal import StubDBJSON
package import StubDBModel
internal import StubDBSupport

/// A difference between a mirror and its catalog.
package struct MirrorDifference: Hashable {
  /// The kinds of differences.
  package enum Kind: String {
    /// A scenario of the catalog has no document.
    case missing
    /// A document belongs to a scenario that the catalog does not have.
    case surplus
    /// The document has another content.
    case changed
    /// The document cannot be read.
    case unreadable
  }

  /// The kind of the difference.
  package var kind: Kind
  /// The scenario; nil for a document that cannot be read.
  package var scenario: ScenarioName?
  /// The path of the document, relative to the folder.
  package var path: String
  /// Where the content differs, or why the document cannot be read; contains no values.
  package var details: [String]

  /// The difference as `{scenario, path, difference, details}`.
  package var json: OrderedJSON {
    .object([
      ("scenario", .string(scenario?.rawValue)), ("path", .string(path)),
      ("difference", .string(kind.rawValue)), ("details", .strings(details)),
    ])
  }
}

extension MirrorDifference {
  /// The most pointers of a stub that are named.
  private static let mostPointers = 4

  /// The differences between two versions of a scenario, in words and pointers.
  static func details(catalog: Scenario, folder: Scenario) -> [String] {
    var details: [String] = []
    if !catalog.summary.hasSameBytes(as: folder.summary) { details.append("summary") }
    if !catalog.tags.hasSameBytes(as: folder.tags) { details.append("tags") }
    if catalog.includes != folder.includes { details.append("includes") }
    let ours = Dictionary(catalog.stubs.map { ($0.key, $0) }) { first, _ in first }
    let theirs = Dictionary(folder.stubs.map { ($0.key, $0) }) { first, _ in first }
    for stub in folder.stubs where ours[stub.key] == nil {
      details.append("stub \(stub.key): only in the folder")
    }
    for stub in catalog.stubs {
      guard let other = theirs[stub.key] else {
        details.append("stub \(stub.key): only in the catalog")
        continue
      }
      if stub == other { continue }
      let shown = pointers(stub, other).lazy.map(\.description).listed(upTo: mostPointers)
      details.append("stub \(stub.key): \(shown)")
    }
    return details.isEmpty ? ["the order of the stubs"] : details
  }

  private static func pointers(_ left: Stub, _ right: Stub) -> [JSONPointer] {
    guard let first = try? JSONValue(parsing: ScenarioDocument.encode(left).utf8Data),
      let second = try? JSONValue(parsing: ScenarioDocument.encode(right).utf8Data)
    else { return [JSONPointer()] }
    var pointers: [JSONPointer] = []
    compare(first, second, at: JSONPointer(), &pointers)
    return pointers
  }

  private static func compare(
    _ left: JSONValue, _ right: JSONValue, at place: JSONPointer, _ pointers: inout [JSONPointer]
  ) {
    switch (left, right) {
    case (.object(let first), .object(let second)):
      for name in Set(first.names).union(second.names).sorted().map(\.string) {
        let place = place.appending(name)
        if let old = first[name], let new = second[name] {
          compare(old, new, at: place, &pointers)
        } else {
          pointers.append(place)
        }
      }
    case (.array(let first), .array(let second)) where first.count == second.count:
      for (index, pair) in zip(first, second).enumerated() {
        compare(pair.0, pair.1, at: place.appending(index), &pointers)
      }
    default:
      if left != right { pointers.append(place) }
    }
  }
}
