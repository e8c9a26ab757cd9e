/// The text in binary content, as the program `strings` finds it.
enum PrintableRuns {
  private static let shortest = 8

  /// The runs of printable ASCII and line ends that can hold a secret.
  static func find(in bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = 0
    for place in bytes.indices {
      let byte = bytes[place]
      if byte &- 0x20 < 0x5F || byte == 0x09 || byte == 0x0A || byte == 0x0D { continue }
      if place - start >= shortest { runs.append(start..<place) }
      start = place + 1
    }
    if bytes.count - start >= shortest { runs.append(start..<bytes.count) }
    return runs
  }

  /// Calls a function with the content, or with each run if the content is not text.
  static func forEach(
    in bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
  ) rethrows {
    if String(validating: bytes, as: UTF8.self) != nil { return try body(bytes) }
    for run in find(in: bytes) { try body(UnsafeBufferPointer(rebasing: bytes[run])) }
  }
}
