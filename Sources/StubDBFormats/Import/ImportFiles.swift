package import Foundation
internal import StubDBSupport

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
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw ImportError(file: name, message: "there is no such file")
    }
    // A folder is not even read: it may be a large one.
    guard !isFolder.boolValue, case let input = try file(url, named: name),
      let root = input.tree?.root, PostmanFormat.isEnvironment(root)
    else {
      throw ImportError(
        file: name, message: "this is no environment of Postman; --env takes one", isUsage: true)
    }
    return input
  }

  private func file(_ url: URL, named name: String) throws(ImportError) -> ImportInput {
    log.progress("reading \(name)")
    return try ImportInput(
      file: name, path: [Self.baseName(url.lastPathComponent)],
      bytes: try Self.data(at: url, named: name),
      folder: InputFolder(url.deletingLastPathComponent(), allowed: allowed), log: log)
  }

  private func folder(_ url: URL, named name: String) throws(ImportError) -> [ImportInput] {
    let access = InputFolder(url, allowed: allowed)
    let paths = Self.files(in: url)
    try requireSpace(for: paths, in: url, named: name)
    let results = ParallelInputs.make(paths.count, log: log) { index in
      let path = paths[index]
      let parts = path.split(separator: "/").map(String.init)
      do throws(ImportError) {
        let shown = Self.shown(path, in: name)
        return .success(
          try ImportInput(
            file: shown, path: parts.dropLast() + [Self.baseName(parts.last ?? "")],
            rootName: url.lastPathComponent,
            bytes: try Self.data(at: url.appendingPathComponent(path), named: shown),
            folder: access, log: log))
      } catch {
        return .failure(error)
      }
    }
    var inputs: [ImportInput] = []
    var firstError: ImportError?
    for (path, result) in zip(paths, results) {
      switch result {
      case .success(let input):
        if format == nil, !ImportFormats.all.contains(where: { $0.recognizes(input) }) {
          log.add(
            .ignored, .unknown, file: input.file, "The file is in no format that can be imported")
        } else {
          inputs.append(input)
        }
      case .failure(let error):
        firstError = firstError ?? error
        log.add(
          .dropped, .unreadable, file: Self.shown(path, in: name), line: error.line,
          "The file was left out: \(error.message)")
      }
    }
    if inputs.isEmpty, let firstError { throw firstError }
    return inputs
  }

  private static func shown(_ path: String, in folder: String) -> String {
    folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }

  /// - Throws: ``ImportError`` for more files than memory should hold: all of a run are read before any is written.
  private func requireSpace(
    for paths: [String], in url: URL, named name: String
  ) throws(ImportError) {
    let size = paths.reduce(0) { $0 + Self.size(of: url.appendingPathComponent($1)) }
    guard size > ImportInput.maximumByteCount else { return }
    throw ImportError(
      file: name,
      message:
        "its files have \(size) bytes, and at most \(ImportInput.maximumByteCount) can be read; "
        + "import a part of it at a time")
  }

  private static func size(of url: URL) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: url.path))?[.size] as? Int ?? 0
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

  /// `shop.har`, `calls.sh` and `recording.har.yaml` without their endings.
  private static func baseName(_ name: String) -> String {
    var name = name
    for ending in [
      ".yaml", ".yml", ".json", ".har", ".gz", ".tail", ".txt", ".http", ".sh", ".cmd", ".bat",
      ".curl",
    ] where name.lowercased().hasSuffix(ending) && name.count > ending.count {
      name.removeLast(ending.count)
    }
    return name
  }

  private static func data(at url: URL, named name: String) throws(ImportError) -> Data {
    let size = size(of: url)
    if size > ImportInput.maximumByteCount {
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

/// Makes inputs of several files at once: most of an import of many files is parsing them.
private enum ParallelInputs {
  typealias Made = Result<ImportInput, ImportError>

  /// What `make` gives for each index, in their order.
  ///
  /// `make` is called on several threads, each with a large stack.
  static func make(_ count: Int, log: ImportLog, _ make: (Int) -> Made) -> [Made] {
    let workers = min(ProcessInfo.processInfo.activeProcessorCount, 8, count / 8)
    guard workers > 1 else { return (0..<count).map(make) }
    return withoutActuallyEscaping(make) { make in
      let work = Work(count: count, log: log, make: make)
      DispatchQueue.concurrentPerform(iterations: workers) { worker in
        LargeStack.run { work.run(from: worker, by: workers) }
      }
      return work.finished()
    }
  }

  /// What the threads share.
  ///
  /// Unchecked because each thread writes elements of its own, nobody reads one before all threads have ended, and the
  /// log is used by one of them only, while the thread that it belongs to waits.
  private final class Work: @unchecked Sendable {
    private let count: Int
    private let log: ImportLog
    private var make: ((Int) -> Made)?
    private let results: UnsafeMutablePointer<Made?>

    init(count: Int, log: ImportLog, make: @escaping (Int) -> Made) {
      self.count = count
      self.log = log
      self.make = make
      results = .allocate(capacity: count)
      results.initialize(repeating: nil, count: count)
    }

    deinit {
      results.deinitialize(count: count)
      results.deallocate()
    }

    func run(from first: Int, by step: Int) {
      for index in stride(from: first, to: count, by: step) {
        if first == 0 { log.progress("\(index) of \(count) files read") }
        results[index] = make?(index)
      }
    }

    /// The results; releases the closure, which must not outlive the call that it was passed to.
    func finished() -> [Made] {
      make = nil
      return (0..<count).compactMap { results[$0] }
    }
  }
}
