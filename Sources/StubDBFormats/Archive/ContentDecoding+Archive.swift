package import Foundation
package import StubDBEngine

extension ContentDecoding {
  /// The content of a raw deflate stream, as archives have it, of at most `limit` bytes.
  ///
  /// - Throws: An error with a message if it is damaged, ends before the data does, or is larger.
  package static func rawDeflate(
    _ data: Data, limit: Int
  ) throws(ContentDecodingError) -> Data {
    do {
      return try Inflate.raw(data, limit: limit)
    } catch {
      throw ContentDecodingError(description: error.reason, isTooLarge: error == .tooLarge)
    }
  }

  /// The checksum of gzip and of archives, CRC-32.
  package static func checksum(of data: Data) -> UInt32 {
    data.withUnsafeBytes { CRC32.checksum($0.bindMemory(to: UInt8.self)) }
  }
}
