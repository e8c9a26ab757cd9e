internal import Foundation

/// The bytes of a file and the values in them.
///
/// It knows nothing of the report, so that files can be parsed on several threads.
struct ParsedInput: Sendable {
  enum Content: Sendable {
    case values(SourceTree.Values)
    case text(String)
    case binary
  }

  /// The bytes, without a byte order mark, in UTF-8 where they are text.
  let bytes: Data
  let content: Content

  /// - Throws: ``FormatError`` for a text that looks like JSON or YAML and is not, and for an archive.
  init(_ bytes: Data, file: String) throws(FormatError) {
    guard !ZipArchive.begins(bytes) else {
      throw FormatError(
        file: file, message: "an archive is only read from a file: give the path of it")
    }
    self.bytes = Self.transcoded(try Self.decompressed(bytes, file: file))
    content = try Self.content(of: self.bytes, file: file)
  }

  /// What gzip or zlib made of the bytes, undone.
  private static func decompressed(_ bytes: Data, file: String) throws(FormatError) -> Data {
    let isGzip = bytes.starts(with: [0x1F, 0x8B])
    let isZlib = [[0x78, 0x01], [0x78, 0x9C], [0x78, 0xDA]].contains { bytes.starts(with: $0) }
    guard isGzip || isZlib else { return bytes }
    do {
      return try ResponseBuilder.decoded(bytes, coding: isGzip ? "gzip" : "deflate")
    } catch {
      throw FormatError(file: file, message: "the file cannot be decompressed: \(error)")
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

  private static func content(of bytes: Data, file: String) throws(FormatError) -> Content {
    let name = file.lowercased()
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let isYAMLName = name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    guard let first else { throw FormatError(file: file, message: "the file is empty") }
    if !isYAMLName, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      return .values(try JSONSource.values(bytes, file: file))
    }
    // JSON may begin with a comment; so does the source of many programs.
    if !isYAMLName, first == UInt8(ascii: "/") {
      do throws(FormatError) {
        return .values(try JSONSource.values(bytes, file: file))
      } catch {
        if name.hasSuffix(".json") || name.hasSuffix(".har") { throw error }
      }
    }
    guard !bytes.prefix(1024).contains(0), let text = String(data: bytes, encoding: .utf8) else {
      return .binary
    }
    if isYAMLName || text.hasPrefix("---") || text.hasPrefix("%YAML") || looksLikeYAML(text) {
      return .values(try YAMLSource.values(text, file: file))
    }
    return .text(text)
  }

  /// Whether the first line that says something is `name:` or `name: value` with a name of these formats.
  private static func looksLikeYAML(_ text: String) -> Bool {
    let names = ["openapi:", "swagger:", "interactions:", "http_interactions:", "log:", "version:"]
    let line = text.firstLines.first { !$0.hasPrefix("#") } ?? ""
    return names.contains { line.hasPrefix($0) }
  }
}
