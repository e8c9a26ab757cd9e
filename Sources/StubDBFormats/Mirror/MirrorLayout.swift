package import StubDBModel

/// The paths of documents in a mirror: `checkout/paid` is at `checkout/paid.json`.
///
/// A path depends only on the name, except for names that differ only in case: those with capitals get a mark. A
/// document contains its scenario's name, so paths are never parsed.
package struct MirrorLayout {
  /// The suffix of documents.
  static let documentExtension = ".json"
  /// The suffix of the folder with a document's bodies.
  static let filesExtension = ".files"

  private var paths: [ScenarioName: String] = [:]

  /// Makes the layout for a set of names, in any order.
  package init(_ names: some Sequence<ScenarioName>) {
    let names = names.sorted()
    let clashes = Self.clashes(among: names)
    var taken: Set<String> = []
    for name in names {
      var path = Self.path(of: name, clashes)
      // Two marks with the same hash.
      while !taken.insert(path.lowercased()).inserted { path += "~" }
      paths[name] = path + Self.documentExtension
    }
  }

  /// The path of a scenario's document, relative to the folder of the mirror.
  package func path(of name: ScenarioName) -> String {
    paths[name] ?? MirrorLayout([name]).path(of: name)
  }

  /// The folder of the bodies that a document refers to.
  static func filesFolder(ofDocument path: String) -> String {
    path.dropLast(documentExtension.count) + filesExtension
  }

  private static func path(of name: ScenarioName, _ clashes: Set<String>) -> String {
    var path = ""
    forEachSegment(of: name) { segment, place, isLast in
      let hasMark = clashes.contains(place.lowercased()) && segment != segment.lowercased()
      path += path.isEmpty ? "" : "/"
      path += isLast ? PortableName.unreserved(segment) : PortableName.folder(segment)
      if hasMark { path += PortableName.mark(for: segment) }
    }
    return path
  }

  /// The places, in lower case, that several segments would take.
  private static func clashes(among names: [ScenarioName]) -> Set<String> {
    var spellings: [String: String] = [:]
    var clashes: Set<String> = []
    for name in names {
      forEachSegment(of: name) { segment, place, _ in
        let folded = place.lowercased()
        if let other = spellings[folded], other != segment { clashes.insert(folded) }
        spellings[folded] = segment
      }
    }
    return clashes
  }

  /// Calls the closure with each segment and a text for its place; those of folders end in `/`.
  private static func forEachSegment(
    of name: ScenarioName, _ body: (_ segment: String, _ place: String, _ isLast: Bool) -> Void
  ) {
    let segments = name.rawValue.split(separator: "/")
    var place = ""
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      place += segment + (isLast ? "" : "/")
      body(String(segment), place, isLast)
    }
  }
}
