internal import Foundation

#if canImport(CryptoKit)
  internal import CryptoKit

  /// The SHA-256 of bytes. https://doi.org/10.6028/NIST.FIPS.180-4
  struct SHA256Digest {
    private var hash = CryptoKit.SHA256()

    mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }
    func finalized() -> Data { Data(hash.finalize()) }
  }
#else
  /// The SHA-256 of bytes. https://doi.org/10.6028/NIST.FIPS.180-4
  ///
  /// Written here because swift-crypto would add 400 C files to every Linux user's test build.
  struct SHA256Digest {
    private var state:
      (
        UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32
      ) = (
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
        0x5be0_cd19
      )
    private var pending: [UInt8] = []
    private var byteCount = 0

    private static let constants: [UInt32] = [
      0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
      0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
      0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
      0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
      0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
      0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
      0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
      0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
      0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
      0xc671_78f2,
    ]

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
      byteCount += bytes.count
      var rest = bytes[...]
      if !pending.isEmpty {
        let taken = rest.prefix(64 - pending.count)
        pending.append(contentsOf: taken)
        rest = rest.dropFirst(taken.count)
        guard pending.count == 64 else { return }
        let block = pending
        block.withUnsafeBytes { compress($0) }
        pending.removeAll(keepingCapacity: true)
      }
      let whole = rest.count / 64 * 64
      if whole > 0 { compress(UnsafeRawBufferPointer(rebasing: rest.prefix(whole))) }
      pending.append(contentsOf: rest.dropFirst(whole))
    }

    func finalized() -> Data {
      var copy = self
      let bits = UInt64(byteCount) * 8
      var padding: [UInt8] = [0x80]
      padding += Array(repeating: 0, count: (119 - byteCount % 64) % 64)
      padding += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
      padding.withUnsafeBytes { copy.update($0) }
      let words = copy.state
      var digest = Data(capacity: 32)
      for word in [
        words.0, words.1, words.2, words.3, words.4, words.5, words.6, words.7,
      ] {
        withUnsafeBytes(of: word.bigEndian) { digest.append(contentsOf: $0) }
      }
      return digest
    }

    /// Takes in whole blocks of 64 bytes.
    ///
    /// The schedule lives on the stack and nothing is bounds-checked: this is what a catalog's load
    /// time is made of.
    private mutating func compress(_ blocks: UnsafeRawBufferPointer) {
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
        Self.constants.withUnsafeBufferPointer { constants in
          for start in stride(from: 0, to: blocks.count, by: 64) {
            for index in 0..<16 {
              schedule[index] = UInt32(
                bigEndian: blocks.loadUnaligned(fromByteOffset: start + index * 4, as: UInt32.self))
            }
            for index in 16..<64 {
              let (early, late) = (schedule[index &- 15], schedule[index &- 2])
              let first = Self.rotate(early, 7) ^ Self.rotate(early, 18) ^ (early &>> 3)
              let second = Self.rotate(late, 17) ^ Self.rotate(late, 19) ^ (late &>> 10)
              schedule[index] = schedule[index &- 16] &+ first &+ schedule[index &- 7] &+ second
            }
            round(schedule, constants)
          }
        }
      }
    }

    private mutating func round(
      _ schedule: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>
    ) {
      var (a, b, c, d, e, f, g, h) = state
      for index in 0..<64 {
        let sum1 = Self.rotate(e, 6) ^ Self.rotate(e, 11) ^ Self.rotate(e, 25)
        let choice = (e & f) ^ (~e & g)
        let first = h &+ sum1 &+ choice &+ constants[index] &+ schedule[index]
        let sum0 = Self.rotate(a, 2) ^ Self.rotate(a, 13) ^ Self.rotate(a, 22)
        let second = sum0 &+ ((a & b) ^ (a & c) ^ (b & c))
        (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
      }
      state = (
        state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e, state.5 &+ f,
        state.6 &+ g, state.7 &+ h
      )
    }

    @inline(__always)
    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
      (word &>> count) | (word &<< (32 &- count))
    }
  }
#endif

extension SHA256Digest {
  mutating func update(_ data: Data) {
    data.withUnsafeBytes { update($0) }
  }

  mutating func update(_ text: String) {
    var text = text
    text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
  }

  /// The digest of bytes; 32 bytes.
  static func digest(of data: Data) -> Data {
    var hash = SHA256Digest()
    hash.update(data)
    return hash.finalized()
  }
}
