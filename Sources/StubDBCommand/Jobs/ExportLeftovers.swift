import Foundation
import StubDBCatalog
import StubDBFormats
import StubDBSupport

/// What an earlier export left in a folder, of scenarios that are exported again: an import would read it, too.
struct ExportLeftovers {
  /// The paths below the folder, sorted.
  let paths: [String]
  private let folder: URL

  /// Finds the files that an export of the format wrote for some scenarios, and that this one does not write.
  ///
  /// `scenarios` is nil for any scenario.
  init(
    in folder: URL, besides files: [ExportedFile], of format: any ExportFormat,
    scenarios: Set<String>?
  ) {
    self.folder = folder
    guard let own = format.stubFolder,
      let found = FileManager.default.enumerator(
        atPath: folder.appendingPathComponent(own).path)
    else {
      paths = []
      return
    }
    // Names that differ in case may be those of one file.
    let written = Set(files.map { $0.path.lowercased() })
    paths = found.compactMap { ($0 as? String).map { "\(own)/\($0)" } }.filter { path in
      let url = folder.appendingPathComponent(path)
      guard !written.contains(path.lowercased()),
        PathStatus(url.path, followingLinks: false)?.isFile == true,
        let content = try? Data(contentsOf: url), let scenario = format.scenario(ofFile: content)
      else { return false }
      return scenarios?.contains(scenario) ?? true
    }.sorted()
  }

  /// The first names, in a sentence.
  var list: String {
    let names = paths.prefix(3).map { TerminalText.quoted($0) }.joined(separator: ", ")
    return paths.count > 3 ? "\(names) and \(paths.count - 3) more" : names
  }

  /// - Throws: `CommandError` for the first file that cannot be removed.
  func remove() throws {
    for path in paths {
      do {
        try FileManager.default.removeItem(at: folder.appendingPathComponent(path))
      } catch {
        throw CommandError(
          "cannot remove \(TerminalText.quoted(path)): \(error.localizedDescription)")
      }
    }
  }
}
