/// What an input of SHA-256 begins with and ends in, where no library has it.
///
/// Written here because swift-crypto would add 400 C files to every Linux user's test build; the blocks themselves are
/// compressed in C. https://doi.org/10.6028/NIST.FIPS.180-4
package enum SHA256Blocks {
  /// The number of bytes of a block.
  package static let size = 64

  /// The state before the first block (section 5.3.3).
  package static let initialState: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]

  /// The blocks at the end of an input: the rest that fills no block, a bit, zeros, and the length in bits
  /// (section 5.1.1).
  package static func end(_ rest: [UInt8], byteCount: Int) -> [UInt8] {
    var end = rest
    end.append(0x80)
    end.append(contentsOf: repeatElement(0, count: (119 - byteCount % size) % size))
    withUnsafeBytes(of: UInt64(byteCount * 8).bigEndian) { end.append(contentsOf: $0) }
    return end
  }
}
