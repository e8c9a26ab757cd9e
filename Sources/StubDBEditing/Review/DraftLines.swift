internal import Foundation

/// The lines of a file, read one after another, so that only one of them is in memory.
struct DraftLines {
  /// A line without its line break.
  struct Line {
    package let bytes: Data
    /// The number of bytes before it in the file.
    package let offset: UInt64
    /// Whether it has a line break; a process that is killed leaves a line without one.
    package let isWhole: Bool

    /// Tells it from another line that is at its place later.
    package var digest: Int {
      var hasher = Hasher()
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
      return hasher.finalize()
    }
  }

  /// The longest line that is read, in bytes; contents that would make a line long are in files of their own.
  package static let longest = 32 << 20
  private static let blockSize = 1 << 20

  package let file: URL

  /// Calls the closure with each line that is not empty, the last one also if it has no line break.
  ///
  /// Returns how many lines were left out because they are longer than any that a draft has.
  @discardableResult package func read(_ body: (Line) throws -> Void) throws -> Int {
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }  // Nothing was written to it.
    var (line, isTooLong, skippedCount) = (Data(), false, 0)
    var (offset, position): (UInt64, UInt64) = (0, 0)
    while let block = try handle.read(upToCount: Self.blockSize), !block.isEmpty {
      var rest = block[...]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        if !isTooLong { line += rest[..<end] }
        position += UInt64(end - rest.startIndex + 1)
        rest = rest[(end + 1)...]
        if isTooLong {
          skippedCount += 1
        } else if !line.isEmpty {
          try body(Line(bytes: line, offset: offset, isWhole: true))
        }
        (line, isTooLong, offset) = (Data(), false, position)
      }
      position += UInt64(rest.count)
      if !isTooLong { line += rest }
      if line.count > Self.longest { (line, isTooLong) = (Data(), true) }
    }
    if isTooLong {
      skippedCount += 1
    } else if !line.isEmpty {
      try body(Line(bytes: line, offset: offset, isWhole: false))
    }
    return skippedCount
  }
}
