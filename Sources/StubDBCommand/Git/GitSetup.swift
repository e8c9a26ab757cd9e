import Foundation

/// What lets git show and merge catalogs: a line in `.gitattributes`, which is committed, and this
/// clone's configuration, which is not.
struct GitSetup {
  /// The line; `-text` keeps git from changing line ends in what it may take for text.
  static let attribute = "*.stubdb -text diff=stubdb merge=stubdb"

  let repository: GitRepository

  /// The settings, in order, with the path of the program that is running.
  ///
  /// Without `cachetextconv`: the cache would keep what an older stubdb said of a newer catalog, and
  /// reading a catalog costs git less than starting the program.
  static func settings(program: String) -> [(key: String, value: String)] {
    let command = ShellQuoting.quote(program)
    return [
      ("diff.stubdb.textconv", "\(command) git textconv"),
      ("diff.stubdb.binary", "true"),
      ("merge.stubdb.name", "merge of stub catalogs by meaning"),
      ("merge.stubdb.driver", "\(command) git merge-driver %O %A %B %P"),
    ]
  }

  /// The program that is running, by the absolute path it was called by.
  ///
  /// Not the file that a link leads to: with the next version the link leads elsewhere.
  static var program: String {
    let name = CommandLine.arguments.first ?? "stubdb"
    if name.contains("/") { return CatalogLocator().resolve(name).path }
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    let paths = folders.map { CatalogLocator().resolve("\($0)/\(name)").path }
    return paths.first(where: FileManager.default.isExecutableFile)
      ?? Bundle.main.executablePath ?? name
  }

  /// The file in the top folder that the line is in, or would be in.
  var attributesFile: URL { repository.root.appendingPathComponent(".gitattributes") }

  /// Whether the file in the top folder says what a catalog is, and no later line or other file denies it.
  ///
  /// The index does not count: a file that was removed is still in it, and is gone with the next commit.
  func hasAttribute() throws -> Bool {
    guard try attributeLines().contains(where: Self.isAttribute) else { return false }
    let output = try repository.git.withoutIndex.run(
      "check-attr", "diff", "merge", "--", repository.root.path + "/any.stubdb")
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    return lines.count == 2 && lines.allSatisfy { $0.hasSuffix(": stubdb") }
  }

  /// The value of a setting of this clone; nil where there is none.
  func value(of key: String) throws -> String? {
    let result = try repository.git.outcome(of: ["config", "--local", "--get", key])
    guard result.code == 0 else { return nil }
    return String(decoding: result.output, as: UTF8.self)
      .trimmingCharacters(in: .newlines)
  }

  /// Writes the line and the settings; what is there already stays.
  ///
  /// - Returns: Whether the line was written.
  func install() throws -> Bool {
    for (key, value) in Self.settings(program: Self.program) {
      _ = try repository.git.run("config", "--local", key, value)
    }
    if try hasAttribute() { return false }
    // Of several lines the last one counts.
    var lines = try attributeLines().filter { $0 != Self.attribute }
    lines.append(Self.attribute)
    try write(lines)
    return true
  }

  /// Takes the line and the settings away; lines that somebody else wrote stay.
  ///
  /// - Returns: Whether there was anything to take away.
  func uninstall() throws -> Bool {
    var isChanged = false
    for section in ["diff.stubdb", "merge.stubdb"] {
      let result = try repository.git.outcome(
        of: ["config", "--local", "--remove-section", section])
      isChanged = isChanged || result.code == 0
    }
    let lines = try attributeLines()
    let kept = lines.filter { $0 != Self.attribute }
    if kept.count != lines.count {
      try write(kept)
      isChanged = true
    }
    return isChanged
  }

  /// Whether a line says of some catalogs what ``attribute`` says of all; people write it in other ways too.
  private static func isAttribute(_ line: String) -> Bool {
    let words = line.split(whereSeparator: \.isWhitespace)
    return words.first?.hasPrefix("#") == false
      && words.contains("diff=stubdb") && words.contains("merge=stubdb")
  }

  private func attributeLines() throws -> [String] {
    guard FileManager.default.fileExists(atPath: attributesFile.path) else { return [] }
    do {
      let text = try String(contentsOf: attributesFile, encoding: .utf8)
      var lines = text.components(separatedBy: "\n")
      if lines.last == "" { lines.removeLast() }
      return lines
    } catch {
      throw CommandFailure(
        "cannot read \(attributesFile.path): \(error.localizedDescription)")
    }
  }

  private func write(_ lines: [String]) throws {
    do {
      if lines.isEmpty {
        try FileManager.default.removeItem(at: attributesFile)
      } else {
        try Data((lines.joined(separator: "\n") + "\n").utf8)
          .write(to: attributesFile, options: .atomic)
      }
    } catch {
      throw CommandFailure(
        "cannot write \(attributesFile.path): \(error.localizedDescription)",
        hints: ["Put this line into it: \(Self.attribute)"])
    }
  }
}
