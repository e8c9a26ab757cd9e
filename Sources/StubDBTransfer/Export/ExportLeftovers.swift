package import Foundation
import StubDBFiles
package import StubDBFormats

/// What an earlier export left in a folder, of scenarios that are exported again.
package struct ExportLeftovers {
  /// The paths below the folder: files of stubs, and then contents that only such files named.
  package let paths: [String]
  /// The paths of the files of stubs, sorted.
  package let stubPaths: [String]
  private let folder: URL

  /// Finds the files that an export of the format wrote for some scenarios, and that this one does not write.
  ///
  /// A content goes once no file of stubs names it any more. `scenarios` is nil for any scenario.
  package init(
    in folder: URL, besides files: [ExportedFile], of format: any ExportFormat,
    scenarios: Set<String>?
  ) {
    self.folder = folder
    // Names that differ in case may be those of one file.
    let written = Set(files.map { $0.path.lowercased() })
    var contents = Self.contents(in: folder, of: format).filter {
      !written.contains($0.lowercased())
    }
    var stubs: [String] = []
    for path in Self.stubFiles(in: folder, of: format) where !written.contains(path.lowercased()) {
      guard let content = Self.file(at: path, in: folder) else { continue }
      let made = format.scenarios(ofFile: content)
      if !made.isEmpty, scenarios.map(made.isSubset) ?? true {
        stubs.append(path)
      } else {
        contents.removeAll { path in
          let name = path.split(separator: "/").last ?? ""
          return content.range(of: Data(name.utf8)) != nil
        }
      }
    }
    stubPaths = stubs.sorted()
    paths = stubPaths + contents.sorted()
  }

  /// The paths of the files of stubs, and of others beside them.
  private static func stubFiles(in folder: URL, of format: any ExportFormat) -> [String] {
    guard let own = format.stubFolder else { return [] }
    // Folders in the output itself may be anything.
    guard !own.isEmpty else { return names(in: folder).filter { $0.hasSuffix(".json") } }
    let found = FileManager.default.enumerator(atPath: folder.appendingPathComponent(own).path)
    return found?.compactMap { ($0 as? String).map { "\(own)/\($0)" } } ?? []
  }

  /// The paths of the contents that exports wrote.
  private static func contents(in folder: URL, of format: any ExportFormat) -> [String] {
    guard let own = format.contentFolder else { return [] }
    return names(in: folder.appendingPathComponent(own)).compactMap { name in
      let path = "\(own)/\(name)"
      guard let content = file(at: path, in: folder), format.hasWritten(content, as: name) else {
        return nil
      }
      return path
    }
  }

  private static func names(in folder: URL) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  }

  /// The content of a regular file; nil for anything else.
  private static func file(at path: String, in folder: URL) -> Data? {
    let url = folder.appendingPathComponent(path)
    guard PathStatus(url.path, followingLinks: false)?.isFile == true else { return nil }
    return try? Data(contentsOf: url)
  }

  /// Reports a file that cannot be removed.
  package struct Failure: Error {
    package let path: String
    /// Why, as the end of a sentence.
    package let reason: String
  }

  /// - Throws: ``Failure`` for the first file that cannot be removed.
  package func remove() throws(Failure) {
    for path in paths {
      do {
        try FileManager.default.removeItem(at: folder.appendingPathComponent(path))
      } catch {
        throw Failure(path: path, reason: error.localizedDescription)
      }
    }
  }
}
