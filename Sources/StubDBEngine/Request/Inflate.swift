package import Foundation

/// Decompresses gzip, zlib and raw deflate.
///
/// Written here rather than taken from zlib, which would be a second system library whose headers every user on Linux
/// must install, for requests that are seldom compressed.
package enum Inflate {
  /// The content of all members of a gzip file; checksums are verified.
  ///
  /// https://www.rfc-editor.org/rfc/rfc1952
  static func gzip(
    _ data: Data, limit: Int, _ context: MatchContext? = nil
  ) throws(InflateError) -> Data {
    try reading(data) { (bytes) throws(InflateError) in
      let output = InflateOutput(limit: limit, context)
      var place = 0
      repeat {
        place = try skipGzipHeader(bytes, from: place)
        let start = output.count
        var stream = InflateStream(bytes, from: place, to: output)
        try stream.run()
        place = stream.endOfBytes
        guard place + 8 <= bytes.count else { throw InflateError("it ends too early") }
        let checksum = CRC32.checksum(output.suffix(from: start))
        let size = UInt32(truncatingIfNeeded: output.count - start)
        guard littleEndian(bytes, place) == checksum, littleEndian(bytes, place + 4) == size else {
          throw InflateError("its checksum is wrong")
        }
        place += 8
      } while place < bytes.count
      return output.take()
    }
  }

  /// The content of a zlib stream, or of a raw deflate stream, which some clients send under the same name.
  ///
  /// https://www.rfc-editor.org/rfc/rfc1950
  static func deflate(
    _ data: Data, limit: Int, _ context: MatchContext? = nil
  ) throws(InflateError) -> Data {
    try reading(data) { (bytes) throws(InflateError) in
      let hasHeader =
        bytes.count >= 2 && bytes[0] & 0x0F == 8
        && (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0 && bytes[1] & 0x20 == 0
      let output = InflateOutput(limit: limit, context)
      var stream = InflateStream(bytes, from: hasHeader ? 2 : 0, to: output)
      try stream.run()
      return output.take()
    }
  }

  /// The content of one raw deflate stream that ends where the data does.
  ///
  /// https://www.rfc-editor.org/rfc/rfc1951
  package static func raw(_ data: Data, limit: Int) throws(InflateError) -> Data {
    try reading(data) { (bytes) throws(InflateError) in
      let output = InflateOutput(limit: limit)
      var stream = InflateStream(bytes, from: 0, to: output)
      try stream.run()
      guard stream.endOfBytes == bytes.count else { throw InflateError("it ends too late") }
      return output.take()
    }
  }

  private static func reading(
    _ data: Data,
    _ body: (UnsafeBufferPointer<UInt8>) throws(InflateError) -> Data
  ) throws(InflateError) -> Data {
    let result = data.withUnsafeBytes { bytes -> Result<Data, InflateError> in
      do throws(InflateError) {
        return .success(try body(bytes.bindMemory(to: UInt8.self)))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private static func skipGzipHeader(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) throws(InflateError) -> Int {
    guard bytes.count >= start + 18, bytes[start] == 0x1F, bytes[start + 1] == 0x8B,
      bytes[start + 2] == 8
    else { throw InflateError("it is not gzip") }
    let flags = bytes[start + 3]
    var place = start + 10
    if flags & 0x04 != 0 { place += 2 + (Int(bytes[place]) | Int(bytes[place + 1]) << 8) }
    for flag: UInt8 in [0x08, 0x10] where flags & flag != 0 {
      while place < bytes.count, bytes[place] != 0 { place += 1 }
      place += 1
    }
    if flags & 0x02 != 0 { place += 2 }
    guard place < bytes.count else { throw InflateError("it ends too early") }
    return place
  }

  private static func littleEndian(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) }
  }
}

/// The checksum of gzip. https://www.rfc-editor.org/rfc/rfc1952#section-8
package enum CRC32 {
  package static func checksum(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    table.withUnsafeBufferPointer { table in
      var (sum, place): (UInt32, Int) = (0xFFFF_FFFF, 0)
      while place < bytes.count {
        sum = table[Int((sum ^ UInt32(bytes[place])) & 0xFF)] ^ (sum &>> 8)
        place &+= 1
      }
      return ~sum
    }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
    }
  }
}

/// Reports why compressed bytes cannot be decompressed.
package struct InflateError: Error, Equatable {
  /// The reason as a phrase.
  package let reason: String

  init(_ reason: String) { self.reason = reason }

  /// More bytes than allowed.
  package static let tooLarge = InflateError("it contains too many bytes")
}
