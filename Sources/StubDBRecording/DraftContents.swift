package import Foundation
import StubDBDocuments
import StubDBFiles
import StubDBJSON
import StubDBSupport

/// Large contents of exchanges, which are in files of their own beside the lines.
///
/// A file belongs to one line, and has the bytes of a text or of binary content, or JSON.
package enum DraftContents {
  /// A line that would have more bytes leaves its contents to files.
  static let longestLine = 1 << 20
  /// Contents with fewer bytes than this stay in any line.
  private static let smallest = 64 << 10
  /// How the names of the files end.
  package static let fileEnding = ".body"

  /// Where the stub of a draft can have content.
  private static let places = [
    ["request", "body", "equalToJson"], ["request", "body", "equalTo"],
    ["request", "body", "binaryEqualTo"], ["responses", "0", "json"], ["responses", "0", "text"],
    ["responses", "0", "base64"],
  ].map { JSONPointer($0) }

  /// Where a long content of an answer belongs.
  static func place(isText: Bool) -> String {
    JSONPointer(["responses", "0", isText ? "text" : "base64"]).description
  }

  /// The stub without its large contents, and what they are.
  static func separated(_ stub: JSONValue) -> (JSONValue, [(pointer: JSONPointer, bytes: Data)]) {
    var (rest, contents) = (stub, [(pointer: JSONPointer, bytes: Data)]())
    for pointer in places {
      guard let value = stub.value(at: pointer), let bytes = bytes(of: value, pointer),
        bytes.count >= smallest
      else { continue }
      contents.append((pointer, bytes))
      rest = rest.replacing(nil, at: pointer)
    }
    return (rest, contents)
  }

  private static func bytes(of value: JSONValue, _ pointer: JSONPointer) -> Data? {
    switch (value, isBinary(pointer)) {
    case (.string(let text), true): Data(base64Encoded: text)
    case (.string(let text), false) where !isJSON(pointer): Data(text.utf8)
    default: Data(value.canonicalText.utf8)
    }
  }

  private static func isBinary(_ pointer: JSONPointer) -> Bool {
    ["base64", "binaryEqualTo"].contains(pointer.tokens.last)
  }

  private static func isJSON(_ pointer: JSONPointer) -> Bool {
    ["json", "equalToJson"].contains(pointer.tokens.last)
  }

  /// The exchange with the contents that are in files of a folder; nil if one cannot be read, or is a link.
  package static func restored(_ exchange: DraftExchange, from folder: URL) -> DraftExchange? {
    var restored = exchange
    restored.files = [:]
    for (place, name) in exchange.files {
      guard let pointer = JSONPointer(parsing: place), places.contains(pointer),
        let bytes = bytes(ofFile: folder.appendingPathComponent(name)),
        let value = value(of: bytes, pointer)
      else { return nil }
      restored.stub = restored.stub.replacing(value, at: pointer)
    }
    return restored
  }

  private static func bytes(ofFile file: URL) -> Data? {
    guard PathStatus(file.path, followingLinks: false)?.isFile == true else { return nil }
    return try? Data(contentsOf: file)
  }

  private static func value(of bytes: Data, _ pointer: JSONPointer) -> JSONValue? {
    if isBinary(pointer) { return .string(bytes.base64EncodedString()) }
    if isJSON(pointer) { return try? JSONValue(parsing: bytes) }
    return String(strictUTF8: bytes).map(JSONValue.string)
  }
}
