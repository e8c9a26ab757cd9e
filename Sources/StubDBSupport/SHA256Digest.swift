package import Foundation

#if canImport(CryptoKit)
  internal import CryptoKit

  /// The SHA-256 of bytes. https://doi.org/10.6028/NIST.FIPS.180-4
  package struct SHA256Digest {
    private var hash = CryptoKit.SHA256()

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
      hash.update(bufferPointer: bytes)
    }

    /// The digest.
    package func finalizedValue() -> Value {
      hash.finalize().withUnsafeBytes { $0.loadUnaligned(as: Value.self) }
    }

    /// The digests of two inputs, as 64 bytes.
    package static func values(
      of one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer
    ) -> (Value, Value) {
      (value(of: one), value(of: other))
    }

    /// The digest of bytes that are there at once.
    package static func value(of bytes: UnsafeRawBufferPointer) -> Value {
      CryptoKit.SHA256.hash(data: bytes).withUnsafeBytes { $0.loadUnaligned(as: Value.self) }
    }
  }
#else
  internal import CStubDBSHA256

  /// The SHA-256 of bytes. https://doi.org/10.6028/NIST.FIPS.180-4
  ///
  /// Written here because swift-crypto would add 400 C files to every Linux user's test build; the blocks themselves are
  /// compressed in C.
  package struct SHA256Digest {
    /// The state before the first block (section 5.3.3).
    private static let initialState: [UInt32] = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
      0x5be0_cd19,
    ]

    private var state = initialState
    /// The bytes that do not fill a block yet.
    private var pending: [UInt8] = []
    private var byteCount = 0

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
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

    /// The digest.
    package func finalizedValue() -> Value {
      var state = state
      lastBlocks.withUnsafeBytes { Self.compress($0, into: &state) }
      for index in state.indices { state[index] = state[index].bigEndian }
      return state.withUnsafeBytes { $0.loadUnaligned(as: Value.self) }
    }

    /// The rest that fills no block, a bit, zeros, and the length in bits (section 5.1.1).
    private var lastBlocks: [UInt8] {
      var end = pending
      end.append(0x80)
      let size = Self.blockSize
      end.append(contentsOf: repeatElement(0, count: (119 - byteCount % size) % size))
      withUnsafeBytes(of: UInt64(byteCount * 8).bigEndian) { end.append(contentsOf: $0) }
      return end
    }

    /// The digest of bytes that are there at once; it allocates nothing.
    package static func value(of bytes: UnsafeRawBufferPointer) -> Value {
      withUnsafeTemporaryAllocation(byteCount: Padded.byteCount, alignment: 8) { memory in
        guard let start = memory.baseAddress else { return .zero }
        let input = Padded(bytes, at: start)
        compress(input.whole, into: input.state)
        compress(input.tail, into: input.state)
        return input.value
      }
    }

    /// The digests of two inputs of any lengths, as 64 bytes.
    ///
    /// It allocates nothing, because it runs for all bodies of a scenario that is loaded.
    package static func values(
      of one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer
    ) -> (Value, Value) {
      withUnsafeTemporaryAllocation(byteCount: 2 * Padded.byteCount, alignment: 8) { memory in
        guard let start = memory.baseAddress else { return (.zero, .zero) }
        let (one, other) = (Padded(one, at: start), Padded(other, at: start + Padded.byteCount))
        compress(one.whole, into: one.state, other.whole, into: other.state)
        compress(one.tail, into: one.state, other.tail, into: other.state)
        return (one.value, other.value)
      }
    }

    /// Compresses blocks into two states, side by side as long as both have blocks.
    private static func compress(
      _ blocks: UnsafeBufferPointer<UInt8>, into state: UnsafeMutablePointer<UInt32>,
      _ otherBlocks: UnsafeBufferPointer<UInt8>, into otherState: UnsafeMutablePointer<UInt32>
    ) {
      let shared = min(blocks.count, otherBlocks.count)
      if let one = blocks.baseAddress, let other = otherBlocks.baseAddress {
        stubdb_sha256_compress_pair(state, one, otherState, other, shared / blockSize)
      }
      compress(UnsafeBufferPointer(rebasing: blocks[shared...]), into: state)
      compress(UnsafeBufferPointer(rebasing: otherBlocks[shared...]), into: otherState)
    }

    /// Compresses blocks into a state.
    private static func compress(
      _ blocks: UnsafeBufferPointer<UInt8>, into state: UnsafeMutablePointer<UInt32>
    ) {
      guard let start = blocks.baseAddress else { return }
      stubdb_sha256_compress(state, start, blocks.count / blockSize)
    }

    /// An input that is hashed at once: its whole blocks in place, and the rest with its padding.
    private struct Padded {
      private static let stateSize = 32
      /// The memory that it needs, in bytes.
      static let byteCount = stateSize + 2 * blockSize

      let state: UnsafeMutablePointer<UInt32>
      let whole: UnsafeBufferPointer<UInt8>
      let tail: UnsafeBufferPointer<UInt8>

      init(_ bytes: UnsafeRawBufferPointer, at memory: UnsafeMutableRawPointer) {
        state = memory.bindMemory(to: UInt32.self, capacity: 8)
        state.initialize(from: initialState, count: 8)
        let wholeCount = bytes.count / blockSize * blockSize
        whole = UnsafeBufferPointer(
          start: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count: wholeCount)
        let rest = bytes[wholeCount...]
        let end = UnsafeMutableRawBufferPointer(
          start: memory + Self.stateSize, count: rest.count < 56 ? blockSize : 2 * blockSize)
        end.initializeMemory(as: UInt8.self, repeating: 0)
        end.copyBytes(from: rest)
        end[rest.count] = 0x80
        end.storeBytes(
          of: UInt64(bytes.count * 8).bigEndian, toByteOffset: end.count - 8, as: UInt64.self)
        tail = UnsafeBufferPointer(end.assumingMemoryBound(to: UInt8.self))
      }

      /// The digest, after all input was added.
      var value: Value {
        for index in 0..<8 { state[index] = state[index].bigEndian }
        return UnsafeRawPointer(state).loadUnaligned(as: Value.self)
      }
    }

    /// Compresses whole blocks into the state.
    private static func compress(_ blocks: UnsafeRawBufferPointer, into state: inout [UInt32]) {
      guard let base = blocks.baseAddress else { return }
      stubdb_sha256_compress(
        &state, base.assumingMemoryBound(to: UInt8.self), blocks.count / blockSize)
    }
  }
#endif

extension SHA256Digest {
  /// The 32 bytes of a digest.
  package typealias Value = SIMD4<UInt64>

  /// The number of bytes of a block.
  private static let blockSize = 64

  package mutating func update(_ data: Data) {
    data.withUnsafeBytes { update($0) }
  }

  package mutating func update(_ text: String) {
    var text = text
    text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
  }

  /// The digest; 32 bytes.
  package func finalized() -> Data { Self.data(finalizedValue()) }

  /// A digest as 32 bytes.
  package static func data(_ value: Value) -> Data { withUnsafeBytes(of: value) { Data($0) } }

  /// The digest of bytes; 32 bytes.
  package static func digest(of data: Data) -> Data {
    Self.data(data.withUnsafeBytes { value(of: $0) })
  }

  /// The digest of bytes, as 64 hexadecimal digits.
  package static func hexadecimal(of data: Data) -> String {
    digest(of: data).hexadecimal
  }

  /// The keyed digest of a message. https://www.rfc-editor.org/rfc/rfc2104#section-2
  package static func hmac(key: Data, _ message: Data) -> Data {
    var block = key.count > blockSize ? digest(of: key) : key
    block.append(contentsOf: repeatElement(0, count: blockSize - block.count))
    let inner = digest(of: Data(block.map { $0 ^ 0x36 }) + message)
    return digest(of: Data(block.map { $0 ^ 0x5C }) + inner)
  }
}
