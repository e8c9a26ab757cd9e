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
