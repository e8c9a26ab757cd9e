/// The runs of bytes in a text that tokens are made of, each of which is measured once.
///
/// A token may begin at every few bytes of a long run, such as `sk-sk-sk-…`. To look at the rest of the run for each of
/// them takes quadratic time. For one text, which is searched from left to right.
package struct TokenRuns {
  /// A run of bytes of a set.
  struct Run {
    let set: ByteSet
    var start: Int
    var end: Int
    /// The places of the last letter and the last digit; negative if it is missing.
    var lastLetter = -1
    var lastDigit = -1

    /// Whether letters and digits are from a place of the run on.
    func isMixed(from place: Int) -> Bool { lastLetter >= place && lastDigit >= place }
  }

  /// The number of bytes in all that were looked at to find where something ends.
  package private(set) var examined = 0
  private var runs: [Run] = []

  package init() {}

  /// The rest of the run of a set from a place on; empty if the byte there is not in the set.
  mutating func run(of set: ByteSet, in bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Run {
    let index = runs.firstIndex { $0.set == set }
    if let index, runs[index].start <= place, place <= runs[index].end { return runs[index] }
    var run = Run(set: set, start: place, end: place)
    while run.end < bytes.count, set.contains(bytes[run.end]) {
      if bytes[run.end].isASCIILetter { run.lastLetter = run.end }
      if bytes[run.end].isASCIIDigit { run.lastDigit = run.end }
      run.end += 1
    }
    examined += run.end - place
    if let index { runs[index] = run } else { runs.append(run) }
    return run
  }

  /// The end of the run of a set from a place on.
  package mutating func end(
    of set: ByteSet, in bytes: UnsafeBufferPointer<UInt8>, at place: Int
  ) -> Int {
    run(of: set, in: bytes, at: place).end
  }
}
