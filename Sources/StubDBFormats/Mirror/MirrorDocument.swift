package import Foundation
internal import HTTPTypes
package import StubDBModel

/// A scenario as files: its canonical document, and beside it the bodies that would not read well
/// in one.
package struct MirrorDocument {
  /// One file of a mirror.
  package struct File: Hashable {
    /// The path from the folder of the mirror.
    package var path: String
    /// What the file holds.
    package var bytes: Data
  }

  /// Texts of more bytes than this are files of their own.
  private static let longestText = 2_048
  /// And so are texts of more lines.
  private static let mostLines = 8

  /// The document.
  package let document: File
  /// The bodies that the document refers to, in order.
  package let bodies: [File]

  /// Makes the files of a scenario whose document has the path.
  package init(_ scenario: Scenario, path: String) {
    let folder = MirrorLayout.filesFolder(ofDocument: path)
    let folderName = folder.split(separator: "/").last.map(String.init) ?? folder
    var names: BodyNames?
    var bodies: [File] = []
    var references: [ScenarioDocument.BodyPlace: String] = [:]
    for (stubIndex, stub) in scenario.stubs.enumerated() {
      for (index, response) in stub.responses.enumerated() {
        guard let body = response.body, let bytes = Self.bytesOfOwnFile(body) else { continue }
        if names == nil { names = BodyNames(scenario.stubs.map(\.key)) }
        let base = names?.name(of: stub.key) ?? PortableName.plain(stub.key)
        let name = "\(base).\(index + 1).\(Self.fileExtension(of: response))"
        bodies.append(File(path: "\(folder)/\(name)", bytes: bytes))
        references[.init(stub: stubIndex, response: index)] = "\(folderName)/\(name)"
      }
    }
    let text = ScenarioDocument.encode(scenario, files: references)
    document = File(path: path, bytes: Data(text.utf8))
    self.bodies = bodies
  }

  /// The bytes of a body that is a file of its own; nil for one that stands in the document.
  ///
  /// Only where reading the file gives the same kind back: text where it is UTF-8 without NUL.
  private static func bytesOfOwnFile(_ body: ResponseBody) -> Data? {
    guard body.kind != .json, case .bytes(let bytes) = body.content, !bytes.isEmpty else {
      return nil
    }
    if body.kind == .text {
      let isLong =
        bytes.count > longestText
        // Not on `Data` itself, which checks each byte it hands out.
        || bytes.withUnsafeBytes { text in text.count { $0 == 0x0A } } > mostLines
      return isLong && !bytes.contains(0) ? bytes : nil
    }
    let isText = !bytes.contains(0) && String(strictUTF8: bytes) != nil
    return isText ? nil : bytes
  }

  /// What an editor knows the content by.
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

/// The names that stubs' bodies get from their keys, distinct also where case is folded.
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
