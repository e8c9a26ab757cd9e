internal import Foundation
internal import StubDBSupport

#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import CStubDBSHA256
#endif

/// The SHA-256 of what is exported, for names and ids that are always the same.
enum StableDigest {
  static func hexadecimal(of data: Data) -> String {
    digest(of: data).hexadecimal
  }

  /// A UUID of version 8, whose bits are those of the digest. https://www.rfc-editor.org/rfc/rfc9562#section-5.8
  static func uuid(of text: String) -> String {
    var bytes = Array(digest(of: Data(text.utf8)).prefix(16))
    bytes[6] = 0x80 | bytes[6] & 0x0F
    bytes[8] = 0x80 | bytes[8] & 0x3F
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { bytes[$0].hexadecimal }
      .joined(separator: "-")
  }

  private static func digest(of data: Data) -> [UInt8] {
    #if canImport(CryptoKit)
      Array(SHA256.hash(data: data))
    #else
      var state = SHA256Blocks.initialState
      let blocks = SHA256Blocks.end(Array(data), byteCount: data.count)
      stubdb_sha256_compress(&state, blocks, blocks.count / SHA256Blocks.size)
      return state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    #endif
  }
}
