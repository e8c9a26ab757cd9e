package import Foundation
internal import HTTPTypes
internal import StubDBDocuments
package import StubDBModel
internal import StubDBSupport

/// A scenario as files: its canonical document, and the bodies that are easier to read in separate files.
package struct MirrorDocument {
  /// One file of a mirror.
  package struct File: Hashable {
    /// The path, relative to the folder of the mirror.
    package var path: String
    /// The content of the file.
    package var bytes: Data
  }

  /// Longer texts, in bytes, get separate files.
  private static let longestText = 2_048
  /// Texts with more lines get separate files too.
  private static let mostLines = 8

  package let document: File
  /// The bodies that the document refers to, in order.
  package let bodies: [File]

  /// The document and the bodies.
  package var files: Set<File> { Set(bodies + [document]) }

  /// Makes the files of a scenario whose document has this path.
  package init(_ scenario: Scenario, path: String) {
    let folder = MirrorLayout.filesFolder(ofDocument: path)
    let folderName = folder.split(separator: "/").last.map(String.init) ?? folder
    var names: BodyNames?
    var bodies: [File] = []
    var references: [ScenarioDocument.BodyPlace: String] = [:]
    for (stubIndex, stub) in scenario.stubs.enumerated() {
      for (index, response) in stub.responses.enumerated() {
        guard let body = response.body, let bytes = Self.bytesOfOwnFile(body) else { continue }
        if names == nil { names = BodyNames(scenario.stubs.map(\.key.rawValue)) }
        let base = names?.name(of: stub.key.rawValue) ?? PortableName.plain(stub.key.rawValue)
        let name = "\(base).\(index + 1).\(Self.fileExtension(of: response))"
        bodies.append(File(path: "\(folder)/\(name)", bytes: bytes))
        references[.init(stub: stubIndex, response: index)] = "\(folderName)/\(name)"
      }
    }
    let text = ScenarioDocument.encode(scenario, files: references)
    document = File(path: path, bytes: Data(text.utf8))
    self.bodies = bodies
  }

  /// The content of a body that gets a separate file; nil if the document contains it.
  ///
  /// A file is possible only if reading it gives the same kind of body: text must be UTF-8 without NUL.
  private static func bytesOfOwnFile(_ body: ResponseBody) -> Data? {
    guard body.kind != .json, case .bytes(let bytes) = body.content, !bytes.isEmpty else {
      return nil
    }
    if body.kind == .text {
      let isLong = bytes.count > longestText || hasManyLines(bytes)
      return isLong && !bytes.contains(0) ? bytes : nil
    }
    let isText = !bytes.contains(0) && String(strictUTF8: bytes) != nil
    return isText ? nil : bytes
  }

  private static func hasManyLines(_ text: Data) -> Bool {
    // The C library looks at many bytes at a time, and every body of the catalog is searched.
    text.withUnsafeBytes { text in
      var (place, rest, count) = (text.baseAddress, text.count, 0)
      while let start = place, rest > 0, let end = memchr(start, 0x0A, rest) {
        count += 1
        if count > mostLines { return true }
        rest -= UnsafeRawPointer(end) - start + 1
        place = UnsafeRawPointer(end) + 1
      }
      return false
    }
  }

  /// The extensions by which editors recognise content types.
  private static func fileExtension(of response: StubResponse) -> String {
    let type = response.headers[.contentType]?.split(separator: ";").first.map {
      $0.trimmingCharacters(in: .whitespaces).lowercased()
    }
    if let type, let known = extensions[type] { return known }
    return response.body?.kind == .text ? "txt" : "bin"
  }

  private static let extensions = [
    "text/html": "html", "text/css": "css", "text/csv": "csv", "text/plain": "txt",
    "text/xml": "xml", "application/xml": "xml", "application/javascript": "js",
    "text/javascript": "js", "text/event-stream": "txt", "image/png": "png", "image/jpeg": "jpg",
    "image/gif": "gif", "image/webp": "webp", "image/svg+xml": "svg", "application/pdf": "pdf",
    "application/zip": "zip", "application/gzip": "gz", "font/woff2": "woff2",
    "audio/mpeg": "mp3", "video/mp4": "mp4", "application/x-ndjson": "ndjson",
  ]
}

/// The file names of stubs' bodies, derived from their keys and distinct even if case is ignored.
private struct BodyNames {
  private var names: [String: String] = [:]

  init(_ keys: [String]) {
    var taken: [String: String] = [:]
    for key in keys.sorted() {
      var name = PortableName.plain(key)
      if let other = taken[name.lowercased()], other != key { name += PortableName.mark(for: key) }
      while let other = taken[name.lowercased()], other != key { name += "~" }
      taken[name.lowercased()] = key
      names[key] = name
    }
  }

  func name(of key: String) -> String? { names[key] }
}
