package import Foundation
internal import HTTPTypes
internal import StubDBEngine

/// A file that is imported.
package final class ImportInput {
  /// What the bytes are.
  package enum Content {
    case json(SourceTree)
    case yaml(SourceTree)
    case text(String)
    case binary
  }

  /// The largest file that is read: its values and what is made of them take up to three times as much memory.
  package static let maximumByteCount = 1 << 30

  /// The file as it is named in reports.
  package let file: String
  /// The parts of its path below the folder that was named, without its extension.
  package let path: [String]
  /// The name of the folder that was named; nil if the file itself was.
  package let rootName: String?
  /// The bytes, without a byte order mark, in UTF-8 where they are text.
  package let bytes: Data
  /// Reads files beside it.
  package let folder: InputFolder?
  /// The path of the folder below ``folder`` that the file is in; empty if it is that one.
  let directory: String
  package let log: ImportLog
  /// What the bytes are.
  package let content: Content
  /// Why the file was left out; nil if it was not.
  private(set) var leftOut: ImportError?

  /// - Throws: ``ImportError`` for a text that looks like JSON or YAML and is not.
  package init(
    file: String, path: [String], rootName: String? = nil, bytes: Data,
    folder: InputFolder? = nil, directory: String? = nil, log: ImportLog
  ) throws(ImportError) {
    self.directory = directory ?? path.dropLast().joined(separator: "/")
    self.rootName = rootName
    self.file = file
    self.path = path
    self.folder = folder
    self.log = log
    guard !ZipArchive.begins(bytes) else {
      throw ImportError(
        file: file, message: "an archive is only read from a file: give the path of it")
    }
    self.bytes = Self.transcoded(try Self.decompressed(bytes, file: file))
    content = try Self.content(of: self.bytes, file: file, log: log)
  }

  /// The values of JSON or YAML; nil for other content.
  package var tree: SourceTree? {
    switch content {
    case .json(let tree), .yaml(let tree): tree
    case .text, .binary: nil
    }
  }

  /// Whether an import goes on without this file: one of a folder, as long as it does not reach out of it.
  func canBeLeftOut(after error: ImportError) -> Bool {
    rootName != nil && error.file == file && !error.isRefusal && !error.isUsage
  }

  /// Reports the file as lost, in place of what was reported about parts of it.
  func leaveOut(_ error: ImportError, since mark: ImportLog.Mark) {
    log.forget(since: mark)
    log.item = nil
    leftOut = error
    tree?.mark(0, .dropped)
    log.add(
      .dropped, .unreadable, file: file, pointer: error.pointer, line: error.line,
      "The file was left out: \(error.message)")
  }

  /// What gzip or zlib made of the bytes, undone.
  private static func decompressed(_ bytes: Data, file: String) throws(ImportError) -> Data {
    let isGzip = bytes.starts(with: [0x1F, 0x8B])
    let isZlib = [[0x78, 0x01], [0x78, 0x9C], [0x78, 0xDA]].contains { bytes.starts(with: $0) }
    guard isGzip || isZlib else { return bytes }
    var fields = HTTPFields()
    fields[.contentEncoding] = isGzip ? "gzip" : "deflate"
    do {
      return try ContentDecoding.content(bytes, headers: fields)
    } catch {
      throw ImportError(file: file, message: "the file cannot be decompressed: \(error)")
    }
  }

  /// UTF-16 with a byte order mark as UTF-8.
  private static func transcoded(_ bytes: Data) -> Data {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]),
      let text = String(data: bytes, encoding: .utf16)
    {
      return Data(text.utf8)
    }
    return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Data(bytes.dropFirst(3)) : bytes
  }

  private static func content(
    of bytes: Data, file: String, log: ImportLog
  ) throws(ImportError) -> Content {
    let name = file.lowercased()
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let isYAMLName = name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    guard let first else { throw ImportError(file: file, message: "the file is empty") }
    if !isYAMLName,
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || first == UInt8(ascii: "/")
    {
      return .json(try JSONSource.tree(bytes, file: file, log: log))
    }
    guard !bytes.prefix(1024).contains(0), let text = String(data: bytes, encoding: .utf8) else {
      return .binary
    }
    if isYAMLName || text.hasPrefix("---") || text.hasPrefix("%YAML") || looksLikeYAML(text) {
      return .yaml(try YAMLSource.tree(text, file: file, log: log))
    }
    return .text(text)
  }

  /// Whether the first line that says something is `name:` or `name: value` with a name of these formats.
  private static func looksLikeYAML(_ text: String) -> Bool {
    let names = ["openapi:", "swagger:", "interactions:", "http_interactions:", "log:", "version:"]
    let line = text.split(whereSeparator: \.isNewline).first { !$0.hasPrefix("#") } ?? ""
    return names.contains { line.hasPrefix($0) }
  }
}
