internal import Foundation

/// The files of an archive that are imported, as if it were the folder that it was made of.
struct ArchiveInputs {
  /// A file on its way to an input.
  struct File {
    /// The name in reports, `recordings.zip/checkout.har`.
    var file: String
    var path: [String]
    var directory: String
    var bytes: Data
  }

  /// The name of the folder that holds everything, or of the archive.
  let rootName: String
  let files: [File]
  /// Gives the files that others name.
  let folder: InputFolder

  /// Reads the archive at `url`, which reports call `name`.
  ///
  /// - Throws: ``FormatError`` for an archive that is not sound, for one in it, and for sessions of applications.
  init(
    _ bytes: Data, at url: URL, named name: String, allowed: [URL]
  ) throws(FormatError) {
    if let advice = FormatDetection.advice(forFile: name) {
      throw FormatError(file: name, message: advice)
    }
    let contents = try ZipArchive(bytes, named: name).files.filter { !Self.isHidden($0.key) }
    if contents.keys.contains(where: { $0.hasSuffix("-meta.json") && !$0.contains("/") }),
      let advice = FormatDetection.advice(forFile: "session.chlz")
    {
      throw FormatError(file: name, message: advice)
    }
    let baseName = ImportFiles.baseName(url.lastPathComponent)
    let root = Self.commonFolder(of: contents.keys)
    rootName = root ?? baseName
    var own: [String: Data] = [:]
    for (path, content) in contents {
      own[root.map { String(path.dropFirst($0.count + 1)) } ?? path] = content
    }
    folder = InputFolder(
      archive: own, at: url.deletingLastPathComponent(), allowed: allowed)
    let hasArchive = own.keys.contains { $0.lowercased().hasSuffix(".har") }
    let paths = own.keys.filter {
      !ImportFiles.isSkipped($0) && !(hasArchive && Self.isAttachment($0))
    }
    .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    files = try Self.files(at: paths, in: own, of: name) { path, last, parts in
      // The name that Playwright gives every recording.
      File(
        file: root.map { "\(name)/\($0)/\(path)" } ?? "\(name)/\(path)",
        path: paths == ["har.har"] ? [baseName] : parts + [ImportFiles.baseName(last)],
        directory: parts.joined(separator: "/"), bytes: own[path] ?? Data())
    }
  }

  /// - Throws: ``FormatError`` for an archive in the archive.
  private static func files(
    at paths: [String], in contents: [String: Data], of name: String,
    _ file: (_ path: String, _ last: String, _ folders: [String]) -> File
  ) throws(FormatError) -> [File] {
    var files: [File] = []
    for path in paths {
      guard let content = contents[path] else { continue }
      if ZipArchive.begins(content) {
        throw FormatError(
          file: name,
          message:
            "the entry \(path.debugDescription) is an archive itself, which is not read; unpack it")
      }
      var parts = path.split(separator: "/").map(String.init)
      let last = parts.popLast() ?? ""
      files.append(file(path, last, parts))
    }
    return files
  }

  /// The one folder that holds everything, or nil.
  private static func commonFolder(of paths: some Collection<String>) -> String? {
    guard let first = paths.first, let slash = first.firstIndex(of: "/") else { return nil }
    let folder = first[...slash]
    return paths.allSatisfy { $0.hasPrefix(folder) } ? String(folder.dropLast()) : nil
  }

  /// Whether a file is one that systems add to archives.
  private static func isHidden(_ path: String) -> Bool {
    path.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "__MACOSX" }
  }

  /// Whether a file has the name of a content that Playwright puts beside its archive: a checksum.
  static func isAttachment(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    let stem = name.prefix { $0 != "." }
    return stem.utf8.count == 40 && stem.allSatisfy(\.isHexDigit)
  }
}
