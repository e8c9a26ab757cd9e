package import Foundation
package import StubDBCatalogEditing
internal import StubDBDocuments
internal import StubDBFiles
package import StubDBJobs
internal import StubDBModel
internal import StubDBSupport

/// Where a document comes from: a file, or standard input.
package struct DocumentSource {
  /// The name of the source in messages.
  private let name: String
  private let file: URL?

  /// - Parameters:
  ///   - name: The file as it was named.
  ///   - file: The file; nil for standard input.
  package init(_ name: String, at file: URL?) {
    (self.name, self.file) = (file == nil ? "standard input" : name, file)
  }

  /// Reads and decodes all of it.
  ///
  /// Files that a document names are read from its folder, and from elsewhere only if `allowsOutside`.
  /// - Throws: `JobError` if it cannot be read, or has several mistakes, with the first ten of them;
  /// `DocumentError` with file and place if it is not a valid document.
  package func content(allowsOutside: Bool = false) throws -> (CheckedContent, DocumentText) {
    let folder = file?.deletingLastPathComponent() ?? Self.currentFolder
    if let file, PathStatus(file.path)?.isFolder == true {
      throw JobError(
        .inputOutput, "cannot read \(name): it is a folder",
        hints: ["To read a document in it: \(command: ["add", "--file", "\(name)/NAME.json"])"])
    }
    let data = try file.map { try Self.data(at: $0, named: name) } ?? Self.standardInput()
    let readFile = { (path: String) throws -> Data in
      try Self.bytes(of: path, from: folder, allowsOutside: allowsOutside)
    }
    do {
      let content = try CheckedContent(data, file: name, readFile: readFile)
      return (content, DocumentText(data, file: name))
    } catch {
      guard file == nil || Self.beginsAsJSON(data) else {
        throw JobError(
          .unusable, "\(lines: error.description)",
          hints: [
            "A document is JSON. To read a file of another tool: \(command: "import", on: [name])"
          ])
      }
      throw Self.withFurtherMistakes(error, in: data, readFile: readFile)
    }
  }

  /// The folder of the process, in which documents of standard input name files.
  static var currentFolder: URL {
    URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
  }

  /// Whether a text is, or was meant to be, a document or a list of them.
  private static func beginsAsJSON(_ text: Data) -> Bool {
    let spaces = " \t\r\n\u{FEFF}".utf8
    return text.first { !spaces.contains($0) }.map { "{[".utf8.contains($0) } ?? true
  }

  /// The error of a text, with the further mistakes in it, if there are any.
  static func withFurtherMistakes(
    _ error: DocumentError, in text: Data, readFile: @escaping (String) throws -> Data
  ) -> any Error {
    let mistakes = ScenarioDocument.mistakes(in: text, file: error.file, readFile: readFile)
    guard mistakes.count > 1, mistakes.first == error else { return error }
    return JobError(
      .unusable, "\(lines: error.description)",
      hints: mistakes.dropFirst().map { "\(lines: $0.description)" })
  }

  /// All of standard input, which may be limited to a number of bytes.
  package static func standardInput(limit: Int = .max) throws -> Data {
    do {
      return try read(STDIN_FILENO, limit: limit)
    } catch {
      throw JobError(.inputOutput, "cannot read standard input: \(error)")
    }
  }

  /// The content of a file.
  ///
  /// - Throws: `JobError` with the file and the reason.
  package static func data(at url: URL, named name: String) throws -> Data {
    do {
      return try bytes(at: url)
    } catch {
      throw JobError(.inputOutput, "cannot read \(name): \(error)")
    }
  }

  /// The content of a file that a document names, which may be a pipe such as that of `<(command)`.
  ///
  /// - Throws: ``ArgumentError`` with the reason only, because the document's error names the file.
  package static func bytes(at url: URL) throws(ArgumentError) -> Data {
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw reason() }
    defer { close(descriptor) }
    return try read(descriptor)
  }

  private static func read(
    _ descriptor: Int32, limit: Int = .max
  ) throws(ArgumentError) -> Data {
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      // A standard input that the caller closed is empty.
      if count < 0, errno == EBADF, descriptor == STDIN_FILENO { return data }
      guard count >= 0 else { throw reason() }
      guard count > 0 else { return data }
      data.append(contentsOf: buffer[..<count])
      if data.count > limit { throw ArgumentError("it has more than \(limit) bytes") }
    }
  }

  /// The reason for the failure of the last system call.
  private static func reason() -> ArgumentError {
    ArgumentError(FileFailure.reading(number: errno))
  }

  /// The content of a file that a document names.
  ///
  /// A document from an untrusted source must not pull any file of this machine into a catalog that is then shared.
  /// - Throws: ``ArgumentError`` with the reason only.
  package static func bytes(
    of path: String, from folder: URL, allowsOutside: Bool
  ) throws(ArgumentError) -> Data {
    let place = path.hasPrefix("/") ? path : folder.path + "/" + path
    guard let real = realPath(place) else { throw reason() }
    if !allowsOutside {
      let root = realPath(folder.path) ?? folder.path
      guard real.utf8.starts(with: (root.hasSuffix("/") ? root : root + "/").utf8) else {
        throw ArgumentError(
          "it is outside the file's own folder; to read it all the same, add --allow-outside")
      }
    }
    guard let status = PathStatus(real), status.isFile else {
      throw ArgumentError("it is not a file")
    }
    guard status.byteCount <= largestBody else {
      throw ArgumentError(
        "it has \(status.byteCount) bytes, and a catalog holds \(largestBody) at most")
    }
    return try bytes(at: URL(fileURLWithPath: real))
  }

  /// The largest body that SQLite can store.
  private static let largestBody = 1 << 30

  /// The path with symbolic links and `..` resolved; nil if nothing is there.
  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
