internal import Foundation

#if canImport(CryptoKit)
  internal import CryptoKit

  /// The SHA-256 of bytes. https://doi.org/10.6028/NIST.FIPS.180-4
  struct SHA256Digest {
    private var hash = CryptoKit.SHA256()

    mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }
    func finalized() -> Data { Data(hash.finalize()) }

    /// Whether the bytes have the digest, 32 bytes.
    static func isDigest(_ digest: UnsafeRawBufferPointer, of bytes: UnsafeRawBufferPointer) -> Bool
    {
      CryptoKit.SHA256.hash(data: bytes).elementsEqual(digest)
    }
  }
#else
  internal import CStubDBSHA256

  /// The SHA-256 of bytes. https://doi.org/10.6028/NIST.FIPS.180-4
  ///
  /// Our own because swift-crypto would add 400 C files to every Linux user's test build.
  struct SHA256Digest {
    private static let blockSize = 64

    private static let initialState: [UInt32] = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
      0x5be0_cd19,
    ]
    private var state = initialState
    /// What does not fill a block yet.
    private var pending: [UInt8] = []
    private var byteCount = 0

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
      byteCount += bytes.count
      var rest = bytes[...]
      if !pending.isEmpty {
        let taken = rest.prefix(Self.blockSize - pending.count)
        pending.append(contentsOf: taken)
        rest = rest.dropFirst(taken.count)
        guard pending.count == Self.blockSize else { return }
        pending.withUnsafeBytes { Self.compress($0, into: &state) }
        pending.removeAll(keepingCapacity: true)
      }
      let whole = rest.count / Self.blockSize * Self.blockSize
      if whole > 0 {
        Self.compress(UnsafeRawBufferPointer(rebasing: rest.prefix(whole)), into: &state)
      }
      pending.append(contentsOf: rest.dropFirst(whole))
    }

    /// The digest; 32 bytes.
    func finalized() -> Data {
      var state = state
      var tail = pending
      tail.append(0x80)
      tail.append(contentsOf: repeatElement(0, count: (119 - byteCount % Self.blockSize) % 64))
      withUnsafeBytes(of: UInt64(byteCount * 8).bigEndian) { tail.append(contentsOf: $0) }
      tail.withUnsafeBytes { Self.compress($0, into: &state) }
      for index in state.indices { state[index] = state[index].bigEndian }
      return state.withUnsafeBytes { Data($0) }
    }

    /// Whether the bytes have the digest, 32 bytes.
    ///
    /// Allocates nothing: it is done for every body of a scenario that is loaded.
    static func isDigest(_ digest: UnsafeRawBufferPointer, of bytes: UnsafeRawBufferPointer) -> Bool
    {
      guard digest.count == 32 else { return false }
      let whole = bytes.count / blockSize
      let rest = UnsafeRawBufferPointer(rebasing: bytes[(whole * blockSize)...])
      let tailBlocks = rest.count < 56 ? 1 : 2
      return withUnsafeTemporaryAllocation(byteCount: 160 + 32, alignment: 8) { memory in
        let state = memory.baseAddress?.bindMemory(to: UInt32.self, capacity: 8)
        guard let state else { return false }
        for index in 0..<8 { state[index] = initialState[index] }
        if whole > 0, let base = bytes.baseAddress {
          stubdb_sha256_compress(state, base.assumingMemoryBound(to: UInt8.self), whole)
        }
        let tail = UnsafeMutableRawBufferPointer(rebasing: memory[32..<32 + tailBlocks * blockSize])
        tail.initializeMemory(as: UInt8.self, repeating: 0)
        tail.copyMemory(from: rest)
        tail[rest.count] = 0x80
        tail.storeBytes(
          of: UInt64(bytes.count * 8).bigEndian, toByteOffset: tail.count - 8, as: UInt64.self)
        if let base = tail.baseAddress {
          stubdb_sha256_compress(state, base.assumingMemoryBound(to: UInt8.self), tailBlocks)
        }
        for index in 0..<8 { state[index] = state[index].bigEndian }
        return memory[..<32].elementsEqual(digest)
      }
    }

    /// Takes whole blocks into the state.
    private static func compress(_ blocks: UnsafeRawBufferPointer, into state: inout [UInt32]) {
      guard let base = blocks.baseAddress else { return }
      stubdb_sha256_compress(
        &state, base.assumingMemoryBound(to: UInt8.self), blocks.count / blockSize)
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
