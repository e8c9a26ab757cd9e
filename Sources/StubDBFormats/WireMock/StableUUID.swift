internal import Foundation
internal import StubDBSupport

/// Ids of what is exported that are always the same.
enum StableUUID {
  /// A UUID of version 8, whose bits are those of a text's digest. https://www.rfc-editor.org/rfc/rfc9562#section-5.8
  static func text(of text: String) -> String {
    var bytes = Array(SHA256Digest.digest(of: Data(text.utf8)).prefix(16))
    bytes[6] = 0x80 | bytes[6] & 0x0F
    bytes[8] = 0x80 | bytes[8] & 0x3F
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { bytes[$0].hexadecimal }
      .joined(separator: "-")
  }
}
