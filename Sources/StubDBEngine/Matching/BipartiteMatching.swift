/// Assigns partners in a bipartite graph.
enum BipartiteMatching {
  /// A maximum matching: for each row its column or nil, no column twice.
  ///
  /// `choices` contains the possible columns of each row. Augmenting paths are searched breadth-first and without
  /// recursion; the cost is at most rows times choices.
  static func assign(_ choices: [[Int]], to columnCount: Int) -> [Int?] {
    var columnOfRow = [Int?](repeating: nil, count: choices.count)
    var rowOfColumn = [Int?](repeating: nil, count: columnCount)
    for row in choices.indices {
      if let free = choices[row].first(where: { rowOfColumn[$0] == nil }) {
        (columnOfRow[row], rowOfColumn[free]) = (free, row)
      } else {
        augment(from: row, choices, &columnOfRow, &rowOfColumn)
      }
    }
    return columnOfRow
  }

  /// Assigns a column to the row, moving other rows if necessary and possible.
  private static func augment(
    from start: Int, _ choices: [[Int]], _ columnOfRow: inout [Int?], _ rowOfColumn: inout [Int?]
  ) {
    var (queue, next) = ([start], 0)
    var reachedFrom: [Int: Int] = [:]
    while next < queue.count {
      let row = queue[next]
      next += 1
      for column in choices[row] where reachedFrom[column] == nil {
        reachedFrom[column] = row
        guard let owner = rowOfColumn[column] else {
          var (free, mover) = (column, row)
          while true {
            let previous = columnOfRow[mover]
            (columnOfRow[mover], rowOfColumn[free]) = (free, mover)
            guard mover != start, let previous, let pusher = reachedFrom[previous] else { return }
            (free, mover) = (previous, pusher)
          }
        }
        queue.append(owner)
      }
    }
  }
}
