package import Foundation

/// The lines of standard input.
package struct LineReader {
  /// A line of the input.
  package enum Line {
    case text(Data)
    /// It has more than ``largest`` bytes, which were skipped.
    case tooLong
  }

  /// The longest line that is kept, in bytes: far more than an assistant writes at once.
  static let largest = 16 << 20

  private var buffer = Data()
  /// The bytes of the buffer in which no line end was found.
  private var searched = 0
  private var isSkipping = false
  private var isAtEnd = false

  package init() {}

  /// The next line without its end; nil at the end of the input.
  ///
  /// - Throws: ``MCPError`` if the input cannot be read.
  package mutating func next() throws -> Line? {
    while true {
      if let line = takeLine() { return line }
      guard !isAtEnd else { return takeRest() }
      try readMore()
      if buffer.count > Self.largest, !buffer.contains(0x0A) {
        buffer = Data()
        searched = 0
        isSkipping = true
      }
    }
  }

  private mutating func takeLine() -> Line? {
    let start = buffer.startIndex
    guard let end = buffer[(start + searched)...].firstIndex(of: 0x0A) else {
      searched = buffer.count
      return nil
    }
    let line = Data(buffer[start..<end])
    buffer = Data(buffer[(end + 1)...])
    searched = 0
    defer { isSkipping = false }
    return isSkipping ? .tooLong : .text(line)
  }

  /// The last line, which may have no end.
  private mutating func takeRest() -> Line? {
    defer { (buffer, searched, isSkipping) = (Data(), 0, false) }
    if isSkipping { return .tooLong }
    return buffer.isEmpty ? nil : .text(buffer)
  }

  private mutating func readMore() throws {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = Foundation.read(STDIN_FILENO, &bytes, bytes.count)
    if count < 0 {
      if errno == EINTR { return }
      throw MCPError("cannot read standard input: \(String(cString: strerror(errno)))")
    }
    if count == 0 { isAtEnd = true }
    buffer.append(contentsOf: bytes[..<count])
  }
}
