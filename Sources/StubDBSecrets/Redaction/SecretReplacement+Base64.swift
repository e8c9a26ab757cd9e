internal import Foundation
internal import StubDBModel

// Secrets in runs of base64.
extension SecretReplacement {
  /// A run of base64, with the encoding of each of its characters.
  private struct Run {
    var characters: [UInt8] = []
    var ends: [Int] = []
    /// The encodings of `+`, `/` and `=` in the run.
    var spellings: [UInt8: [UInt8]] = [:]
  }

  /// Replaces secrets in the content of base64 runs.
  func replacedInBase64(_ bytes: Bytes, depth: Int) -> [UInt8]? {
    var result: [UInt8] = []
    var copied = 0
    var place = 0
    let (base64, marks) = (ByteSet.base64, EncodedByte.marks)
    while place < bytes.count {
      // Nearly all words are too short.
      var end = place
      while end < bytes.count, base64.contains(bytes[end]) { end += 1 }
      if end - place < shortestBase64, end == bytes.count || !marks.contains(bytes[end]) {
        place = end + 1
        continue
      }
      let run = Self.run(in: bytes, at: place)
      if run.characters.count >= shortestBase64,
        let (start, text, end) = replaced(run, at: place, depth)
      {
        result += bytes[copied..<start]
        result += text
        copied = end
      }
      place = max(place + 1, run.ends.last ?? 0)
    }
    return copied == 0 ? nil : result + bytes[copied...]
  }

  /// The run that begins at the offset.
  private static func run(in bytes: Bytes, at place: Int) -> Run {
    var run = Run()
    var next = place
    while next < bytes.count, let (character, end) = character(in: bytes, at: next) {
      run.characters.append(character)
      run.ends.append(end)
      if end - next > 1 { run.spellings[character] = Array(bytes[next..<end]) }
      next = end
    }
    return run
  }

  private static func character(in bytes: Bytes, at place: Int) -> (UInt8, Int)? {
    let byte = bytes[place]
    if ByteSet.base64.contains(byte) || byte == UInt8(ascii: "=") { return (byte, place + 1) }
    guard EncodedByte.marks.contains(byte) else { return nil }
    for (value, end) in EncodedByte.readings(bytes, at: place) {
      guard value.count == 1, ByteSet("+/=-_").contains(value[0]) else { continue }
      return (value[0], end)
    }
    return nil
  }

  /// The first alignment at which a run contains a secret: its start, the decoded content, and its end.
  private func replaced(
    _ run: Run, at place: Int, _ depth: Int
  ) -> (start: Int, text: [UInt8], end: Int)? {
    var length = run.characters.count
    while length > 0, run.characters[length - 1] == UInt8(ascii: "=") { length -= 1 }
    for shift in 0..<4 where length - shift >= shortestBase64 {
      let tail = (length - shift) % 4 == 1 ? 1 : 0
      let characters = run.characters[shift..<(length - tail)]
      guard let decoded = Base64.decoded(characters),
        let changed = decoded.withUnsafeBytes({
          replaced($0.bindMemory(to: UInt8.self), depth: depth - 1)
        })
      else { continue }
      let isPadded = length < run.characters.count || (length - shift) % 4 == 0
      let encoded = Self.encoded(changed, like: characters, isPadded, run.spellings)
      let start = shift == 0 ? place : run.ends[shift - 1]
      let end = tail == 0 ? run.ends.last ?? place : run.ends[length - 2]
      return (start, encoded, end)
    }
    return nil
  }

  /// Encodes in the alphabet and the spelling of the original, with padding if that had some or needed none.
  private static func encoded(
    _ bytes: [UInt8], like original: ArraySlice<UInt8>, _ isPadded: Bool,
    _ spellings: [UInt8: [UInt8]]
  ) -> [UInt8] {
    let isURLSafe = original.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    let percent = spellings.values.first { $0.first == UInt8(ascii: "%") }
    var result: [UInt8] = []
    for byte in Data(bytes).base64EncodedData() {
      switch byte {
      case UInt8(ascii: "=") where !isPadded: continue
      case UInt8(ascii: "+") where isURLSafe: result.append(UInt8(ascii: "-"))
      case UInt8(ascii: "/") where isURLSafe: result.append(UInt8(ascii: "_"))
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
        if let spelling = spellings[byte] {
          result += spelling
        } else if let percent {
          let mark = percent.count > 3 ? "%25" : "%"
          result += Array((mark + String(byte, radix: 16, uppercase: true)).utf8)
        } else {
          result.append(byte)
        }
      default: result.append(byte)
      }
    }
    return result
  }
}
