import Foundation

/// Reads the blocks of one deflate stream. https://www.rfc-editor.org/rfc/rfc1951
struct InflateStream {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var place: Int
  private var bits: UInt64 = 0
  private var bitCount = 0
  private let output: InflateOutput
  private let start: Int

  /// Reads from an offset, and appends to the output.
  init(_ bytes: UnsafeBufferPointer<UInt8>, from place: Int, to output: InflateOutput) {
    self.bytes = bytes
    self.place = place
    self.output = output
    start = output.count
  }

  /// The offset after the stream.
  var endOfBytes: Int { place - bitCount / 8 }

  /// Reads every block.
  ///
  /// - Throws: An ``InflateError`` for bytes that are not deflate, and for an output beyond the limit.
  mutating func run() throws(InflateError) {
    var isLast = false
    while !isLast {
      isLast = try take(1) == 1
      switch try take(2) {
      case 0: try readStored()
      case 1: try readCompressed(try Self.fixedLiterals(), try Self.fixedDistances())
      case 2:
        let (literals, distances) = try readCodes()
        try readCompressed(literals, distances)
      default: throw InflateError("it contains a block of an unknown kind")
      }
    }
  }

  private mutating func refill() {
    while bitCount <= 48, place < bytes.count {
      bits |= UInt64(bytes[place]) &<< UInt64(bitCount)
      place &+= 1
      bitCount &+= 8
    }
  }

  private mutating func take(_ count: Int) throws(InflateError) -> Int {
    if bitCount < count { refill() }
    guard bitCount >= count else { throw InflateError("it ends too early") }
    return drop(count)
  }

  /// Consumes bits that are present.
  private mutating func drop(_ count: Int) -> Int {
    let value = Int(bits & ((1 &<< UInt64(count)) &- 1))
    bits &>>= UInt64(count)
    bitCount &-= count
    return value
  }

  private mutating func readStored() throws(InflateError) {
    place = endOfBytes
    (bits, bitCount) = (0, 0)
    guard place + 4 <= bytes.count else { throw InflateError("it ends too early") }
    let count = Int(bytes[place]) | Int(bytes[place + 1]) << 8
    let check = Int(bytes[place + 2]) | Int(bytes[place + 3]) << 8
    guard count == ~check & 0xFFFF else { throw InflateError("it contains a wrong length") }
    place += 4
    guard place + count <= bytes.count else { throw InflateError("it ends too early") }
    if count > 0, let source = bytes.baseAddress {
      guard output.append(source + place, count: count) else { throw .tooLarge }
    }
    place += count
  }

  private mutating func symbol(_ table: HuffmanTable) throws(InflateError) -> Int {
    refill()
    let entry = Int(table.entries[Int(bits & UInt64((1 << table.width) - 1))])
    guard entry > 0, entry & 15 <= bitCount else {
      throw InflateError(entry > 0 ? "it ends too early" : "it contains an invalid code")
    }
    _ = drop(entry & 15)
    return entry >> 4
  }

  private mutating func readCompressed(
    _ literals: HuffmanTable, _ distances: HuffmanTable
  ) throws(InflateError) {
    let problem = literals.entries.withUnsafeBufferPointer { literals in
      distances.entries.withUnsafeBufferPointer { distances in
        readSymbols(literals, distances)
      }
    }
    if let problem { throw problem }
  }

  /// Reads literals and copies up to the end of the block; nil on success.
  private mutating func readSymbols(
    _ literals: UnsafeBufferPointer<UInt16>, _ distances: UnsafeBufferPointer<UInt16>
  ) -> InflateError? {
    let (literalMask, distanceMask) = (
      UInt64(literals.count &- 1), UInt64(distances.count &- 1)
    )
    while true {
      // One iteration takes at most 48 bits.
      refill()
      let entry = Int(literals[Int(bits & literalMask)])
      guard entry > 0, entry & 15 <= bitCount else { return Self.problem(entry) }
      _ = drop(entry & 15)
      if entry < 256 << 4 {
        guard output.append(UInt8(truncatingIfNeeded: entry &>> 4)) else { return .tooLarge }
        continue
      }
      let index = entry &>> 4 &- 257
      if index < 0 { return nil }
      guard index < Self.lengthBases.count else {
        return InflateError("it contains an invalid length")
      }
      let length = Self.lengthBases[index] &+ drop(Self.lengthExtraBits[index])
      let other = Int(distances[Int(bits & distanceMask)])
      guard other > 0, other & 15 <= bitCount else { return Self.problem(other) }
      _ = drop(other & 15)
      guard other &>> 4 < Self.distanceBases.count else {
        return InflateError("it contains an invalid distance")
      }
      let distance = Self.distanceBases[other &>> 4] &+ drop(Self.distanceExtraBits[other &>> 4])
      guard bitCount >= 0 else { return InflateError("it ends too early") }
      guard distance <= output.count - start else {
        return InflateError("it contains a distance that is too large")
      }
      guard output.repeatBytes(distance: distance, count: length) else { return .tooLarge }
    }
  }

  private static func problem(_ entry: Int) -> InflateError {
    InflateError(entry > 0 ? "it ends too early" : "it contains an invalid code")
  }

  private mutating func readCodes() throws(InflateError) -> (HuffmanTable, HuffmanTable) {
    let literalCount = try take(5) + 257
    let distanceCount = try take(5) + 1
    let lengthCount = try take(4) + 4
    var lengths = [Int](repeating: 0, count: 19)
    for index in 0..<lengthCount { lengths[Self.lengthOrder[index]] = try take(3) }
    let table = try HuffmanTable(lengths[...])
    lengths = []
    while lengths.count < literalCount + distanceCount {
      let symbol = try symbol(table)
      if symbol < 16 {
        lengths.append(symbol)
        continue
      }
      let (value, count): (Int, Int)
      switch symbol {
      case 16:
        guard let last = lengths.last else { throw InflateError("it repeats what is not there") }
        (value, count) = (last, 3 + (try take(2)))
      case 17: (value, count) = (0, 3 + (try take(3)))
      default: (value, count) = (0, 11 + (try take(7)))
      }
      guard lengths.count + count <= literalCount + distanceCount else {
        throw InflateError("it contains too many codes")
      }
      lengths.append(contentsOf: repeatElement(value, count: count))
    }
    return (
      try HuffmanTable(lengths[..<literalCount]), try HuffmanTable(lengths[literalCount...])
    )
  }

  private static func fixedLiterals() throws(InflateError) -> HuffmanTable {
    let lengths = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
    return try HuffmanTable(lengths[...])
  }

  private static func fixedDistances() throws(InflateError) -> HuffmanTable {
    try HuffmanTable([Int](repeating: 5, count: 30)[...])
  }

  private static let lengthOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]
  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let lengthExtraBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
    3073, 4097, 6145, 8193, 12_289, 16_385, 24_577,
  ]
  private static let distanceExtraBits = [
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13,
    13,
  ]
}

/// A growing buffer of bytes.
///
/// Raw memory rather than an array, because debug builds, which tests are, spend most of their time in the checks of
/// arrays.
final class InflateOutput {
  private(set) var bytes: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  /// At most the limit, so that single bytes need no other check.
  private var capacity: Int
  private let limit: Int
  /// Where the memory is counted; nil if it is not.
  private let context: MatchContext?
  private var isTaken = false

  init(limit: Int, _ context: MatchContext? = nil) {
    self.limit = limit
    self.context = context
    capacity = min(4096, limit)
    bytes = .allocate(capacity: capacity)
  }

  deinit { if !isTaken { bytes.deallocate() } }

  /// The bytes from an offset on, valid until more are added.
  func suffix(from start: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes + start, count: count - start)
  }

  /// Hands the bytes over, without a copy; nothing may be added any more.
  func take() -> Data {
    isTaken = true
    return Data(
      bytesNoCopy: bytes, count: count, deallocator: .custom { bytes, _ in bytes.deallocate() })
  }

  /// Adds a byte; false if the limit is reached.
  func append(_ byte: UInt8) -> Bool {
    guard count < capacity || makeRoom(for: 1) else { return false }
    bytes[count] = byte
    count &+= 1
    return true
  }

  /// Adds bytes; false if the limit is reached.
  func append(_ source: UnsafePointer<UInt8>, count added: Int) -> Bool {
    guard makeRoom(for: added) else { return false }
    memcpy(bytes + count, source, added)
    count += added
    return true
  }

  /// Copies earlier bytes from a distance back; false if the limit is reached.
  ///
  /// The range may overlap with the copy.
  func repeatBytes(distance: Int, count added: Int) -> Bool {
    guard makeRoom(for: added) else { return false }
    let (target, source) = (bytes + count, bytes + (count &- distance))
    if distance == 1 {
      memset(target, Int32(source[0]), added)
    } else if distance >= added {
      memcpy(target, source, added)
    } else {
      var place = 0
      while place < added {
        target[place] = source[place]
        place &+= 1
      }
    }
    count &+= added
    return true
  }

  private func makeRoom(for added: Int) -> Bool {
    guard count + added <= limit else { return false }
    guard count + added > capacity else { return true }
    let larger = min(max(capacity * 2, count + added), limit)
    if let context, !context.take(byteCount: larger - capacity) { return false }
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    memcpy(moved, bytes, count)
    bytes.deallocate()
    (bytes, capacity) = (moved, larger)
    return true
  }
}
