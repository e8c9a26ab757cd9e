/// The number of answers of each stub that has answered, by rank.
///
/// In pages, so that counting neither hashes nor moves what was counted, and a run of many stubs takes no memory for
/// those that do not answer.
struct AnswerCounts {
  private static let pageSize = 64

  /// A page is empty as long as none of its stubs has answered.
  private var pages: [[Int]] = []

  /// Whether no stub has answered.
  var isEmpty: Bool { pages.isEmpty }

  /// The number of a stub's answers; nil if it has none.
  subscript(rank: Int) -> Int? {
    get {
      let (page, place) = rank.quotientAndRemainder(dividingBy: Self.pageSize)
      guard page < pages.count, !pages[page].isEmpty, pages[page][place] > 0 else { return nil }
      return pages[page][place]
    }
    set {
      let (page, place) = rank.quotientAndRemainder(dividingBy: Self.pageSize)
      while page >= pages.count { pages.append([]) }
      if pages[page].isEmpty { pages[page] = [Int](repeating: 0, count: Self.pageSize) }
      pages[page][place] = newValue ?? 0
    }
  }

  /// The ranks of the stubs that have answered, ascending.
  var ranks: [Int] {
    pages.enumerated().flatMap { page, counts in
      counts.indices.lazy.filter { counts[$0] > 0 }.map { page * Self.pageSize + $0 }
    }
  }
}
