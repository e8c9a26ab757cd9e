package import Foundation
internal import StubDBEngine
internal import StubDBFiles
internal import StubDBJobs
internal import StubDBSupport

/// The set-up that lets git show and merge catalogs: a line in `.gitattributes`, which is committed, and the
/// configuration of this clone, which is not.
package struct GitSetup {
  /// The line; `-text` keeps git from changing line ends.
  package static let attribute = "*.stubdb -text diff=stubdb merge=stubdb"

  package let repository: GitRepository
  /// The absolute path of the stubdb that git calls.
  package let program: String

  package init(repository: GitRepository, program: String) {
    (self.repository, self.program) = (repository, program)
  }

  /// The settings, in order.
  ///
  /// They leave out `cachetextconv`: the cache would keep the output of an older stubdb, and reading a catalog takes
  /// git less time than starting the program.
  package var settings: [(key: String, value: String)] {
    let command = ShellWord.quoted(program)
    return [
      ("diff.stubdb.textconv", "\(command) git textconv"),
      ("diff.stubdb.binary", "true"),
      ("merge.stubdb.name", "merge of stub catalogs by meaning"),
      ("merge.stubdb.driver", "\(command) git merge-driver %O %A %B %P %L"),
    ]
  }

  /// The `.gitattributes` in the top folder.
  package var attributesFile: URL { repository.root.appendingPathComponent(".gitattributes") }

  /// Whether that file sets the attributes of catalogs, and no later line or other file overrides them.
  ///
  /// The index is ignored: it still has a file that was removed, which the next commit drops.
  package func hasAttribute() throws -> Bool {
    guard try attributeLines().contains(where: Self.isAttribute) else { return false }
    let output = try repository.git.withoutIndex.run(
      "check-attr", "diff", "merge", "--", repository.root.path + "/any.stubdb")
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    return lines.count == 2 && lines.allSatisfy { $0.hasSuffix(": stubdb") }
  }

  /// The value of a setting of this clone; nil if it is not set.
  package func value(of key: String) throws -> String? {
    let result = try repository.git.outcome(of: ["config", "--local", "--get", key])
    guard result.code == 0 else { return nil }
    return String(decoding: result.output, as: UTF8.self)
      .trimmingCharacters(in: .newlines)
  }

  /// Writes the line and the settings that are missing.
  ///
  /// - Returns: Whether the line was written.
  package func install() throws -> Bool {
    try writeSettings()
    if try hasAttribute() { return false }
    // If there are several lines, the last one counts.
    var lines = try attributeLines().filter { $0 != Self.attribute }
    lines.append(Self.attribute)
    try write(lines)
    return true
  }

  private func writeSettings() throws {
    if try settings.allSatisfy({ try value(of: $0.key) == $0.value }) { return }
    try GitConfigFile(of: repository).set(settings)
  }

  /// Removes the settings, and the line if it is not shared yet; lines that others wrote stay.
  ///
  /// - Returns: Whether anything was removed.
  package func uninstall(sharedLine: Bool) throws -> Bool {
    var isChanged = false
    let config = try GitConfigFile(of: repository)
    for section in ["diff.stubdb", "merge.stubdb"] {
      isChanged = try config.remove(section: section) || isChanged
    }
    if try !sharedLine && hasSharedLine() { return isChanged }
    let lines = try attributeLines()
    let kept = lines.filter { $0 != Self.attribute }
    if kept.count != lines.count {
      try write(kept)
      isChanged = true
    }
    return isChanged
  }

  /// Whether the line is there, and the last commit has it for other clones.
  package func hasSharedLine() throws -> Bool {
    guard try attributeLines().contains(Self.attribute) else { return false }
    let committed = try repository.git.outcome(of: ["cat-file", "blob", "HEAD:.gitattributes"])
    return committed.code == 0
      && String(decoding: committed.output, as: UTF8.self)
        .components(separatedBy: "\n").contains(Self.attribute)
  }

  /// Whether a line sets for some catalogs what ``attribute`` sets for all; it can be written in several ways.
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
      throw JobError(
        .inputOutput, "cannot read \(attributesFile.path): \(FileFailure.reading(error))")
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
      throw JobError(
        .inputOutput, "cannot write \(attributesFile.path): \(FileFailure.writing(error))",
        hints: ["Put this line into it: \(Self.attribute)"])
    }
  }
}
