extension Array where Element: Equatable {
  /// The number of elements to insert, leave out, replace or swap with a neighbour, so that others result.
  ///
  /// The optimal string alignment distance. Takes the product of both lengths.
  @inlinable
  package func editDistance(to others: [Element]) -> Int {
    guard !isEmpty, !others.isEmpty else { return count + others.count }
    var (beforeLast, last) = ([Int](), [Int](0...others.count))
    var current = last
    for row in 1...count {
      current[0] = row
      for column in 1...others.count {
        let isSame = self[row - 1] == others[column - 1]
        var cost = Swift.min(
          last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, self[row - 1] == others[column - 2],
          self[row - 2] == others[column - 1]
        {
          cost = Swift.min(cost, beforeLast[column - 2] + 1)
        }
        current[column] = cost
      }
      (beforeLast, last, current) = (last, current, row == 1 ? current : beforeLast)
    }
    return last[others.count]
  }
}
