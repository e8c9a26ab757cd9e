/// The checksum of gzip. https://www.rfc-editor.org/rfc/rfc1952#section-8
enum CRC32 {
  static func checksum(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
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
