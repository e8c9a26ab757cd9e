package import Foundation
internal import StubDBFiles
internal import StubDBJobs
internal import StubDBSupport

/// Finds the files that an import reads.
package struct ImportFiles {
  /// Folders whose files belong to others.
  private static let skippedFolders: Set<String> = ["__files", "node_modules"]

  private let allowed: [URL]
  private let format: (any ImportFormat)?
  let log: ReportLog
  private let list: (String) throws -> [String]

  /// Makes a finder: `allowed` are folders from which inputs may name files, besides their own, `format` is that of all
  /// files, or nil to find out for each; `list` gives the names in a folder.
  package init(
    allowed: [URL] = [], format: (any ImportFormat)? = nil, log: ReportLog,
    list: @escaping (String) throws -> [String] = {
      try FileManager.default.contentsOfDirectory(atPath: $0)
    }
  ) {
    self.list = list
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
  /// - Throws: ``FormatError`` for a file that cannot be read.
  package func inputs(at url: URL, named name: String) throws(FormatError) -> [ImportInput] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw FormatError(file: name, message: Self.absence(of: name))
    }
    return isFolder.boolValue ? try folder(url, named: name) : try file(url, named: name)
  }

  private static func absence(of name: String) -> String {
    let isURL = ["http://", "https://"].contains { name.lowercased().hasPrefix($0) }
    return isURL
      ? "an import reads files, not URLs; pass what a download prints: curl -L URL | stubdb import -"
      : "there is no such file or folder"
  }

  /// The input of a file with the values of variables.
  ///
  /// - Throws: ``FormatError`` for a file that holds none.
  package func environment(at url: URL, named name: String) throws(FormatError) -> ImportInput {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw FormatError(file: name, message: "there is no such file")
    }
    // A folder is not even read: it may be a large one.
    guard !isFolder.boolValue, let input = try file(url, named: name).first, input.rootName == nil,
      let root = input.tree?.root, PostmanFormat.isEnvironment(root)
    else {
      throw FormatError(
        file: name, message: "this is no environment of Postman; --env takes one", isUsage: true)
    }
    return input
  }

  private func file(_ url: URL, named name: String) throws(FormatError) -> [ImportInput] {
    log.progress("reading \(name)")
    let bytes = try Self.data(at: url, named: name)
    if ZipArchive.begins(bytes) {
      let archive = try ArchiveInputs(bytes, at: url, named: name, allowed: allowed)
      return try inputs(of: Self.sources(of: archive, below: [], in: archive.rootName), in: name)
    }
    return [
      try ImportInput(
        file: name, path: [Self.baseName(url.lastPathComponent)], bytes: bytes,
        folder: InputFolder(url.deletingLastPathComponent(), allowed: allowed), log: log)
    ]
  }

  private func folder(_ url: URL, named name: String) throws(FormatError) -> [ImportInput] {
    let access = InputFolder(url, allowed: allowed)
    let paths = try files(in: url, named: name)
    try requireSpace(for: paths, in: url, named: name)
    let hasArchive = paths.contains { $0.lowercased().hasSuffix(".har") }
    var sources: [Source] = []
    var firstError: FormatError?
    for path in paths where !(hasArchive && ArchiveInputs.isAttachment(path)) {
      let place = url.appendingPathComponent(path)
      let shown = Self.shown(path, in: name)
      var parts = path.split(separator: "/").map(String.init)
      parts.append(Self.baseName(parts.popLast() ?? ""))
      guard Self.isArchive(place) else {
        sources.append(
          Source(
            file: shown, path: parts, rootName: url.lastPathComponent, folder: access,
            bytes: { () throws(FormatError) in try Self.data(at: place, named: shown) }))
        continue
      }
      do throws(FormatError) {
        let archive = try ArchiveInputs(
          try Self.data(at: place, named: shown), at: place, named: shown, allowed: allowed)
        sources += Self.sources(of: archive, below: parts, in: url.lastPathComponent)
      } catch {
        firstError = firstError ?? error
        leaveOut(shown, error)
      }
    }
    return try inputs(of: sources, in: name, after: firstError)
  }

  /// A file of a folder or of an archive that is not read yet.
  private struct Source: Sendable {
    var file: String
    var path: [String]
    var rootName: String
    var folder: InputFolder
    /// The folder below `folder` that it is in; nil for the one that `path` says.
    var directory: String?
    var bytes: @Sendable () throws(FormatError) -> Data
  }

  /// The files of an archive; in a folder, below the names of its folders and of the archive.
  private static func sources(
    of archive: ArchiveInputs, below parts: [String], in rootName: String
  ) -> [Source] {
    archive.files.map { file in
      let isNamedAfterArchive = file.path.last == parts.last && archive.files.count == 1
      return Source(
        file: file.file, path: isNamedAfterArchive ? parts : parts + file.path,
        rootName: rootName, folder: archive.folder, directory: file.directory,
        bytes: { () throws(FormatError) in file.bytes })
    }
  }

  /// The inputs that are of a format; `firstError` is why a file before them could not be read.
  private func inputs(
    of sources: [Source], in name: String, after firstError: FormatError? = nil
  ) throws(FormatError) -> [ImportInput] {
    var results = ParallelWork.values(sources.count, progress: showProgress(of: sources.count)) {
      index -> Result<ParsedInput, FormatError> in
      let source = sources[index]
      do throws(FormatError) {
        return .success(try ParsedInput(try source.bytes(), file: source.file))
      } catch {
        return .failure(error)
      }
    }
    var inputs: [ImportInput] = []
    var firstError = firstError
    for (place, source) in sources.enumerated() {
      do throws(FormatError) {
        guard let input = try input(source, &results[place]) else { continue }
        if format == nil, let other = FormatDetection.otherProduct(input) {
          throw FormatError(file: input.file, message: other)
        }
        if format == nil, !ImportFormats.all.contains(where: { $0.recognizes(input) }) {
          log.add(
            .ignored, .unknown, file: input.file, "The file is in no format that can be imported")
        } else {
          inputs.append(input)
        }
      } catch {
        firstError = firstError ?? error
        leaveOut(source.file, error)
      }
    }
    guard !inputs.isEmpty || sources.isEmpty else {
      throw Self.emptiness(of: sources.count, in: name, after: firstError)
    }
    return format == nil ? withoutCommands(inputs) : inputs
  }

  private func showProgress(of count: Int) -> (Int) -> Void {
    { [log] done in
      if done.isMultiple(of: 8) { log.progress("\(done) of \(count) files read") }
    }
  }

  /// The input of a file that was parsed; takes the result, so that its values have no other reference.
  private func input(
    _ source: Source, _ result: inout Result<ParsedInput, FormatError>?
  ) throws(FormatError) -> ImportInput? {
    defer { result = nil }
    guard let parsed = try result?.get() else { return nil }
    return ImportInput(
      parsed, file: source.file, path: source.path, rootName: source.rootName,
      folder: source.folder, directory: source.directory, log: log)
  }

  private func leaveOut(_ file: String, _ error: FormatError) {
    log.add(
      .dropped, .unreadable, file: file, line: error.line,
      "The file was left out: \(error.message)")
  }

  private static func isArchive(_ url: URL) -> Bool {
    guard let handle = FileHandle(forReadingAtPath: url.path) else { return false }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: 4)).flatMap { $0 }.map(ZipArchive.begins) ?? false
  }

  /// Whether a path is below a folder whose files belong to others.
  static func isSkipped(_ path: String) -> Bool {
    path.split(separator: "/").dropLast().contains { skippedFolders.contains(String($0)) }
  }

  private static func shown(_ path: String, in folder: String) -> String {
    folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }

  /// - Throws: ``FormatError`` for more files than memory should hold: all of a run are read before any is written.
  private func requireSpace(
    for paths: [String], in url: URL, named name: String
  ) throws(FormatError) {
    let size = paths.reduce(0) { $0 + Self.size(of: url.appendingPathComponent($1)) }
    guard size > ImportInput.maximumByteCount else { return }
    throw FormatError(
      file: name,
      message:
        "its files have \(size) bytes, and at most \(ImportInput.maximumByteCount) can be read; "
        + "import a part of it at a time")
  }

  private static func size(of url: URL) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: url.path))?[.size] as? Int ?? 0
  }

  /// The regular files below a folder, by their paths, without hidden ones and without following links.
  ///
  /// - Throws: ``FormatError`` for the folder itself; the report names others that cannot be read.
  private func files(in url: URL, named name: String) throws(FormatError) -> [String] {
    var found: [String] = []
    var folders = [""]
    while let folder = folders.popLast() {
      let place = folder.isEmpty ? url : url.appendingPathComponent(folder)
      for name in try names(in: place, folder, of: name) where !name.hasPrefix(".") {
        let path = folder.isEmpty ? name : "\(folder)/\(name)"
        let attributes = try? FileManager.default.attributesOfItem(
          atPath: url.appendingPathComponent(path).path)
        switch attributes?[.type] as? FileAttributeType {
        case .typeDirectory where !Self.skippedFolders.contains(name): folders.append(path)
        case .typeRegular: found.append(path)
        default: break
        }
      }
    }
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The names in a folder; none if it cannot be read, which the report says.
  private func names(
    in url: URL, _ path: String, of root: String
  ) throws(FormatError) -> [String] {
    do {
      return try list(url.path)
    } catch {
      let message = "cannot read it: \(FileFailure.reading(error))"
      guard !path.isEmpty else { throw FormatError(file: root, message: message) }
      log.add(
        .dropped, .unreadable, file: Self.shown(path, in: root),
        "The folder was left out: \(message)")
      return []
    }
  }

  /// - Throws: ``FormatError`` for what is no file, which may never end.
  private static func data(at url: URL, named name: String) throws(FormatError) -> Data {
    var status = stat()
    if stat(url.path, &status) == 0, mode_t(status.st_mode) & S_IFMT != S_IFREG {
      let isPipe = mode_t(status.st_mode) & S_IFMT == S_IFIFO
      throw FormatError(
        file: name,
        message: isPipe
          ? "it is a pipe; pass what comes out of it to standard input: stubdb import - < \(name)"
          : "it is neither a file nor a folder")
    }
    let size = Int(status.st_size)
    if size > ImportInput.maximumByteCount {
      throw FormatError(
        file: name,
        message:
          "the file has \(size) bytes, and at most \(ImportInput.maximumByteCount) can be read; "
          + "export a part of it, such as one page or one host")
    }
    do {
      return try Data(contentsOf: url)
    } catch {
      throw FormatError(file: name, message: "cannot read it: \(FileFailure.reading(error))")
    }
  }
}
