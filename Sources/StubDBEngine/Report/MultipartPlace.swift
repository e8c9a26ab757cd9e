/// A named part of multipart content within a text, found without the `Content-Type` that gives its boundary.
///
/// The end of its header fields and that of its content may each be far, so who asks for them remembers them.
struct MultipartPlace {
  /// The name in its `Content-Disposition`.
  let name: String
  /// The offsets of that header field.
  private let line: Range<Int>

  private static let field = Array("content-disposition".utf8)
  /// How many bytes before the field are searched for the boundary.
  private static let farthest = 4_096

  /// Nil unless the colon ends the name of a `Content-Disposition` at the beginning of a line, and that names a part.
  init?(in bytes: [UInt8], at colon: Int) {
    let start = colon - Self.field.count
    guard bytes[colon] == UInt8(ascii: ":"), start >= 0,
      zip(bytes[start..<colon], Self.field).allSatisfy({ $0 | 0x20 == $1 | 0x20 }),
      start == 0 || bytes[start - 1] == 0x0A
    else { return nil }
    line = Self.line(from: start, in: bytes)
    guard let name = ParameterizedValue(String(decoding: bytes[line], as: UTF8.self))["name"]
    else { return nil }
    self.name = name
  }

  /// The offset after the empty line that ends the header fields; the end of the text if none does.
  func startOfContent(in bytes: [UInt8]) -> Int {
    var place = Self.next(after: line, in: bytes)
    while place < bytes.count {
      let line = Self.line(from: place, in: bytes)
      place = Self.next(after: line, in: bytes)
      if line.isEmpty { break }
    }
    return place
  }

  /// The offset of the line end before the next line with the boundary; the end of the text if there is no other.
  func endOfContent(from start: Int, in bytes: [UInt8]) -> Int {
    Self.end(of: Self.delimiter(before: line.lowerBound, in: bytes), from: start, in: bytes)
  }

  /// The line with the boundary above the field; empty if it is missing, as in an excerpt.
  private static func delimiter(before start: Int, in bytes: [UInt8]) -> ArraySlice<UInt8> {
    var end = start
    while end > 0, start - end < farthest {
      // The line end before the line that was looked at last.
      end -= 1
      var first = end
      while first > 0, bytes[first - 1] != 0x0A { first -= 1 }
      let line = bytes[line(from: first, in: bytes)]
      if line.starts(with: "--".utf8) {
        return line.dropLast(line.reversed().prefix { $0 == 0x20 || $0 == 0x09 }.count)
      }
      end = first
    }
    return []
  }

  /// The offset of the line end before the next line with the boundary.
  private static func end(
    of delimiter: ArraySlice<UInt8>, from start: Int, in bytes: [UInt8]
  ) -> Int {
    guard !delimiter.isEmpty else { return bytes.count }
    var place = start
    while place < bytes.count {
      let line = line(from: place, in: bytes)
      if bytes[line].starts(with: delimiter) {
        let rest = bytes[line].dropFirst(delimiter.count)
        if (rest.starts(with: "--".utf8) ? rest.dropFirst(2) : rest)
          .allSatisfy({ $0 == 0x20 || $0 == 0x09 })
        {
          let end = place > start ? place - 1 : place
          return end > start && bytes[end - 1] == 0x0D ? end - 1 : end
        }
      }
      place = next(after: line, in: bytes)
    }
    return bytes.count
  }

  /// The line without its end.
  private static func line(from start: Int, in bytes: [UInt8]) -> Range<Int> {
    let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
    return start..<(end > start && bytes[end - 1] == 0x0D ? end - 1 : end)
  }

  /// The offset of the line after one.
  private static func next(after line: Range<Int>, in bytes: [UInt8]) -> Int {
    let end = bytes[line.upperBound...].firstIndex(of: 0x0A) ?? bytes.count
    return min(bytes.count, end + 1)
  }
}
