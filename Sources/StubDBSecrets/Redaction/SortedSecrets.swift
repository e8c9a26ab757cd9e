internal import StubDBModel

/// Secrets sorted by their bytes, so that those with a common prefix are adjacent.
///
/// Reading a text byte by byte narrows the secrets down to a range. So the cost of an offset in the text hardly depends
/// on the number of secrets, or on the number of ways to decode the text that lead to the same range.
struct SortedSecrets {
  /// The secrets that begin with the bytes read so far, the number of these bytes, and the offset where the text
  /// continues.
  private struct State: Hashable {
    var secrets: Range<Int>
    var depth: Int
    var place: Int
  }

  /// The bytes of all secrets, concatenated.
  private var storage: [UInt8] = []
  /// The offset of each secret in the storage, followed by the end.
  private var starts = [0]
  private var placeholders: [[UInt8]] = []
  /// The range of the secrets that begin with each byte.
  private var firsts = [Range<Int>](repeating: 0..<0, count: 256)

  init(_ secrets: [String], placeholder: (String) -> String) {
    // A secret may occur twice.
    let sorted = Set(secrets.map { Array($0.utf8) })
      .sorted { $0.lexicographicallyPrecedes($1) }
    for secret in sorted {
      storage += secret
      starts.append(storage.count)
      placeholders.append(Array(placeholder(String(decoding: secret, as: UTF8.self)).utf8))
    }
    for byte in firsts.indices {
      firsts[byte] = part(of: 0..<sorted.count, at: 0, UInt8(byte))
    }
  }

  func bytes(of secret: Int) -> ArraySlice<UInt8> { storage[starts[secret]..<starts[secret + 1]] }

  func placeholder(of secret: Int) -> [UInt8] { placeholders[secret] }

  /// The longest secret that begins at an offset of a text, in any encoding, and its end in the text.
  func longest(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int
  ) -> (secret: Int, end: Int)? {
    var best: (secret: Int, depth: Int, end: Int)?
    var first: State? = State(secrets: 0..<placeholders.count, depth: 0, place: place)
    // Most texts have one reading, for which nothing is allocated.
    var open: [State] = []
    var seen: Set<State> = []
    while var state = first ?? open.popLast() {
      first = nil
      while !state.secrets.isEmpty {
        // The shortest secret of a range is the first.
        if length(of: state.secrets.lowerBound) == state.depth, state.depth > best?.depth ?? 0 {
          best = (state.secrets.lowerBound, state.depth, state.place)
        }
        guard state.place < bytes.count else { break }
        let byte = bytes[state.place]
        if EncodedByte.marks.contains(byte) {
          guard seen.insert(state).inserted else { break }
          // The first reading is followed first.
          for (value, end) in EncodedByte.readings(bytes, at: state.place).reversed() {
            let next = narrowed(state, by: value, end)
            if !next.secrets.isEmpty { open.append(next) }
          }
          break
        }
        state.secrets = part(of: state.secrets, at: state.depth, byte)
        state.depth += 1
        state.place += 1
      }
    }
    return best.map { ($0.secret, $0.end) }
  }

  private func narrowed(_ state: State, by value: [UInt8], _ end: Int) -> State {
    var state = state
    for byte in value where !state.secrets.isEmpty {
      state.secrets = part(of: state.secrets, at: state.depth, byte)
      state.depth += 1
    }
    state.place = end
    return state
  }

  private func length(of secret: Int) -> Int { starts[secret + 1] - starts[secret] }

  /// A byte of a secret; -1 after its end.
  private func byte(_ secret: Int, _ depth: Int) -> Int {
    let place = starts[secret] + depth
    return place < starts[secret + 1] ? Int(storage[place]) : -1
  }

  /// The secrets of a range, equal up to the depth, whose byte at the depth is the given one.
  private func part(of range: Range<Int>, at depth: Int, _ byte: UInt8) -> Range<Int> {
    guard let last = range.last else { return range }
    if depth == 0, range.count == placeholders.count, !firsts[Int(byte)].isEmpty {
      return firsts[Int(byte)]
    }
    let byte = Int(byte)
    let ends = (self.byte(range.lowerBound, depth), self.byte(last, depth))
    if ends.0 == byte, ends.1 == byte { return range }
    if ends.0 > byte || ends.1 < byte { return range.lowerBound..<range.lowerBound }
    let start = first(in: range) { self.byte($0, depth) >= byte }
    return start..<first(in: start..<range.upperBound) { self.byte($0, depth) > byte }
  }

  /// The first index of a range from which all secrets satisfy a condition.
  private func first(in range: Range<Int>, _ isSatisfied: (Int) -> Bool) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if isSatisfied(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
