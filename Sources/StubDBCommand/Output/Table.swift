/// Rows in aligned columns, two spaces apart; the last column is as long as it is.
struct Table {
  /// How a column is set.
  enum Alignment {
    case left
    case right
  }

  private let alignments: [Alignment]
  private var rows: [(cells: [String], style: (String) -> String)] = []

  init(_ alignments: [Alignment]) {
    self.alignments = alignments
  }

  /// Adds a row of as many cells as there are columns.
  mutating func add(_ cells: [String], style: @escaping (String) -> String = { $0 }) {
    rows.append((cells, style))
  }

  /// The rows, each with its line end.
  var text: String {
    var widths = [Int](repeating: 0, count: alignments.count)
    for row in rows {
      for (column, cell) in row.cells.enumerated() {
        widths[column] = max(widths[column], cell.count)
      }
    }
    var text = ""
    for row in rows {
      text += row.style(line(row.cells, widths: widths)) + "\n"
    }
    return text
  }

  private func line(_ cells: [String], widths: [Int]) -> String {
    var line = ""
    for (column, cell) in cells.enumerated() {
      if column > 0 { line += "  " }
      let padding = String(repeating: " ", count: widths[column] - cell.count)
      line += alignments[column] == .left ? cell + padding : padding + cell
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
