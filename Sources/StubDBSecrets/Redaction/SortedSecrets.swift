/// Secrets in the order of their bytes, so that those with one beginning stand together.
///
/// What is read of a text narrows the secrets down to a range, byte by byte. So the cost of a place in a text
/// hardly depends on how many secrets there are, nor on how many ways of reading the text lead to the same range.
struct SortedSecrets {
  /// The secrets that begin with what was read so far, how many bytes that were, and where the text goes on.
  private struct State: Hashable {
    var secrets: Range<Int>
    var depth: Int
    var place: Int
  }

  /// The bytes of all secrets, one after the other.
  private var storage: [UInt8] = []
  /// Where each secret begins in the storage; last where the storage ends.
  private var starts = [0]
  private var placeholders: [[UInt8]] = []
  /// The range of the secrets that begin with a byte.
  private var firsts = [Range<Int>](repeating: 0..<0, count: 256)

  init(_ secrets: [String], placeholder: (String) -> String) {
    // A secret may come twice.
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

  /// The longest secret that begins at a place of a text, in any way of writing it, and where it ends there.
  func longest(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int
  ) -> (secret: Int, end: Int)? {
    var best: (secret: Int, depth: Int, end: Int)?
    var open = [State(secrets: 0..<placeholders.count, depth: 0, place: place)]
    var seen: Set<State> = []
    while var state = open.popLast() {
      while !state.secrets.isEmpty {
        // The shortest of a range is its first.
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

  /// A byte of a secret; -1 behind its end.
  private func byte(_ secret: Int, _ depth: Int) -> Int {
    let place = starts[secret] + depth
    return place < starts[secret + 1] ? Int(storage[place]) : -1
  }

  /// The secrets of a range, which have the bytes before the depth in common, that have a byte there.
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

  /// The first of a range from which on all satisfy a condition.
  private func first(in range: Range<Int>, _ isSatisfied: (Int) -> Bool) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if isSatisfied(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
