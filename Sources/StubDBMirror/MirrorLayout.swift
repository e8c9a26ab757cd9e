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

/// Makes names of files and folders that every file system preserves.
///
/// A mirror written on Linux is checked out on macOS, which ignores case, and on Windows, which reserves names and
/// drops trailing dots. No scenario name contains `~`, so a name marked with it never collides with another one.
/// https://learn.microsoft.com/windows/win32/fileio/naming-a-file
enum PortableName {
  private static let reservedNames: Set<String> = Set(
    ["con", "prn", "aux", "nul", "conin", "conout"]
      + (0...9).flatMap { ["com\($0)", "lpt\($0)"] })

  /// The name, with a mark in front if Windows reserves it or it would be hidden.
  static func unreserved(_ name: String) -> String {
    let base = name.prefix { $0 != "." }.lowercased()
    return name.hasPrefix(".") || reservedNames.contains(base) ? "~" + name : name
  }

  /// A segment of a scenario name as the name of a folder, distinct from documents and from the folders of their
  /// bodies.
  static func folder(_ segment: String) -> String {
    let folded = segment.lowercased()
    let isTaken = [".", MirrorLayout.documentExtension, MirrorLayout.filesExtension]
      .contains { folded.hasSuffix($0) }
    return unreserved(segment) + (isTaken ? "~" : "")
  }

  /// Any text as part of a file name: at most 60 characters, with a hash of the text if anything was lost.
  static func plain(_ text: String) -> String {
    var name = ""
    for scalar in text.unicodeScalars.prefix(60) {
      let isPlain =
        scalar.isASCII
        && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_"
          || scalar == "-" || (scalar == "." && !name.isEmpty))
      name.unicodeScalars.append(isPlain ? scalar : "-")
    }
    return unreserved(name) + (name == text ? "" : mark(for: text))
  }

  /// A mark that distinguishes two names that differ only in case.
  static func mark(for text: String) -> String {
    // FNV-1a gives the same hash on every platform and in every process; `Hasher` does not.
    // https://www.rfc-editor.org/rfc/rfc9923
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    let digits = String(hash, radix: 16)
    let padding = String(repeating: "0", count: 16 - digits.count)
    return "~" + (padding + digits).suffix(8)
  }
}
