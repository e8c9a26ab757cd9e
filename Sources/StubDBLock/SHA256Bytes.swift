package import Foundation

#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import CStubDBSHA256
  internal import StubDBSupport
#endif

/// SHA-256 of bytes in memory, or mapped into it.
package enum SHA256Bytes {
  /// The 32 bytes of the digest. https://doi.org/10.6028/NIST.FIPS.180-4
  package static func digest(of data: Data) -> [UInt8] {
    #if canImport(CryptoKit)
      Array(SHA256.hash(data: data))
    #else
      data.withUnsafeBytes { bytes in
        var state = SHA256Blocks.initialState
        let blocks = bytes.count / SHA256Blocks.size
        if let start = bytes.baseAddress {
          stubdb_sha256_compress(&state, start.assumingMemoryBound(to: UInt8.self), blocks)
        }
        let end = SHA256Blocks.end(
          Array(bytes[(blocks * SHA256Blocks.size)...]), byteCount: bytes.count)
        stubdb_sha256_compress(&state, end, end.count / SHA256Blocks.size)
        return state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
      }
    #endif
  }

  /// The digest in hexadecimal digits.
  package static func hexadecimal(of data: Data) -> String {
    hexadecimal(digest(of: data))
  }

  /// Bytes in hexadecimal digits.
  package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// The keyed digest of a message. https://www.rfc-editor.org/rfc/rfc2104#section-2
  package static func hmac(key: [UInt8], _ message: Data) -> [UInt8] {
    let blockSize = 64
    var block = key.count > blockSize ? digest(of: Data(key)) : key
    block += [UInt8](repeating: 0, count: blockSize - block.count)
    let inner = digest(of: Data(block.map { $0 ^ 0x36 }) + message)
    return digest(of: Data(block.map { $0 ^ 0x5C }) + Data(inner))
  }
}
