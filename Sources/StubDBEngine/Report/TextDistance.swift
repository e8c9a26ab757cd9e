import StubDBSupport

/// The distance between two texts, from 0 (equal) to 1.
enum TextDistance {
  /// How many bytes of each text are compared letter by letter.
  private static let limit = 128

  /// The number of edits between the texts, relative to the length; at least 0.05 for different texts.
  static func between(_ left: String, _ right: String) -> Double {
    if ByteText.isEqual(left, right) { return 0 }
    let first = Array(left.utf8.prefix(limit))
    let second = Array(right.utf8.prefix(limit))
    let length = max(first.count, second.count)
    guard length > 0 else { return 1 }
    return max(0.05, Double(first.editDistance(to: second)) / Double(length))
  }

  /// A cheap estimate: the share of the longer text outside the common prefix and suffix.
  static func guess(_ left: String, _ right: String) -> Double {
    ByteText.withBytes(of: left) { left in
      ByteText.withBytes(of: right) { right in
        let (shorter, longer) = (min(left.count, right.count), max(left.count, right.count))
        guard longer > 0 else { return 0 }
        var beginning = 0
        while beginning < shorter, left[beginning] == right[beginning] { beginning += 1 }
        var end = 0
        while end < shorter - beginning,
          left[left.count - 1 - end] == right[right.count - 1 - end]
        {
          end += 1
        }
        return Double(longer - beginning - end) / Double(longer)
      }
    }
  }
}
