package import Foundation

/// Finds the files that an import reads.
package struct ImportFiles {
  /// Folders whose files belong to others.
  private static let skippedFolders: Set<String> = ["__files", "node_modules"]

  private let allowed: [URL]
  private let format: (any ImportFormat)?
  private let log: ImportLog

  /// Makes a finder: `allowed` are folders from which inputs may name files, besides their own, `format` is that of all
  /// files, or nil to find out for each.
  package init(allowed: [URL] = [], format: (any ImportFormat)? = nil, log: ImportLog) {
    self.allowed = allowed
    self.format = format
    self.log = log
  }

  /// The input of a file, or the inputs of a folder, by their paths.
  ///
  /// A file that is named must be readable. In a folder, what is no file of a format is left out, with a line in the
  /// report.
  ///
  /// Reports call it `name`.
  /// - Throws: ``ImportError`` for a file that cannot be read.
  package func inputs(at url: URL, named name: String) throws(ImportError) -> [ImportInput] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw ImportError(file: name, message: "there is no such file or folder")
    }
    return isFolder.boolValue ? try folder(url, named: name) : [try file(url, named: name)]
  }

  /// The input of a file with the values of variables.
  ///
  /// - Throws: ``ImportError`` for a file that holds none.
  package func environment(at url: URL, named name: String) throws(ImportError) -> ImportInput {
    guard let input = try inputs(at: url, named: name).first, input.rootName == nil,
      let root = input.tree?.root, PostmanFormat.isEnvironment(root)
    else {
      throw ImportError(
        file: name, message: "this is no environment of Postman; --env takes one", isUsage: true)
    }
    return input
  }

  private func file(_ url: URL, named name: String) throws(ImportError) -> ImportInput {
    try ImportInput(
      file: name, path: [Self.baseName(url.lastPathComponent)],
      bytes: try data(at: url, named: name),
      folder: InputFolder(url.deletingLastPathComponent(), allowed: allowed), log: log)
  }

  private func folder(_ url: URL, named name: String) throws(ImportError) -> [ImportInput] {
    let access = InputFolder(url, allowed: allowed)
    var inputs: [ImportInput] = []
    var byteCount = 0
    var firstError: ImportError?
    for path in Self.files(in: url) {
      let shown = name.hasSuffix("/") ? name + path : "\(name)/\(path)"
      let parts = path.split(separator: "/").map(String.init)
      let names = parts.dropLast() + [Self.baseName(parts.last ?? "")]
      do throws(ImportError) {
        let data = try data(at: url.appendingPathComponent(path), named: shown)
        byteCount += data.count
        // All files of a run are in memory together.
        if byteCount > ImportInput.maximumByteCount {
          var error = ImportError(
            file: name,
            message:
              "its files have more than \(ImportInput.maximumByteCount) bytes; import a folder at a time"
          )
          error.isRefusal = true
          throw error
        }
        let input = try ImportInput(
          file: shown, path: Array(names), rootName: url.lastPathComponent, bytes: data,
          folder: access, log: log)
        if format == nil, !ImportFormats.all.contains(where: { $0.recognizes(input) }) {
          log.add(.ignored, .unknown, file: shown, "The file is in no format that can be imported")
          continue
        }
        inputs.append(input)
      } catch {
        if error.isRefusal { throw error }
        firstError = firstError ?? error
        log.add(
          .dropped, .unreadable, file: shown, line: error.line,
          "The file was left out: \(error.message)")
      }
    }
    if inputs.isEmpty, let firstError { throw firstError }
    return inputs
  }

  /// The regular files below a folder, by their paths, without hidden ones and without following links.
  private static func files(in url: URL) -> [String] {
    var found: [String] = []
    var folders = [""]
    while let folder = folders.popLast() {
      let place = folder.isEmpty ? url : url.appendingPathComponent(folder)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
      for name in names where !name.hasPrefix(".") {
        let path = folder.isEmpty ? name : "\(folder)/\(name)"
        let attributes = try? FileManager.default.attributesOfItem(
          atPath: url.appendingPathComponent(path).path)
        switch attributes?[.type] as? FileAttributeType {
        case .typeDirectory where !skippedFolders.contains(name): folders.append(path)
        case .typeRegular: found.append(path)
        default: break
        }
      }
    }
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// `shop.har`, `list.yml` and `recording.har.yaml` without their endings.
  private static func baseName(_ name: String) -> String {
    var name = name
    for ending in [".yaml", ".yml", ".json", ".har", ".gz", ".tail", ".txt", ".http"]
    where name.lowercased().hasSuffix(ending) && name.count > ending.count {
      name.removeLast(ending.count)
    }
    return name
  }

  private func data(at url: URL, named name: String) throws(ImportError) -> Data {
    let size = (try? FileManager.default.attributesOfItem(atPath: url.path))?[.size] as? Int
    log.progress("reading \(name)")
    if let size, size > ImportInput.maximumByteCount {
      throw ImportError(
        file: name,
        message:
          "the file has \(size) bytes, and at most \(ImportInput.maximumByteCount) can be read; "
          + "export a part of it, such as one page or one host")
    }
    do {
      return try Data(contentsOf: url)
    } catch {
      throw ImportError(file: name, message: "cannot read it: \(error.localizedDescription)")
    }
  }
}
