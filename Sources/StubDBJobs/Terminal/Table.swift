/// Rows in aligned columns, two spaces apart.
package struct Table {
  /// The style of a column.
  package enum Alignment {
    case left
    case right
  }

  /// Columns are cut to this first, and to less only so that names are whole.
  private static let leastWidth = 12
  /// A column with less of a text says nothing, and is left out.
  private static let leastText = 4

  private struct Cell {
    let text: String
    /// The number of terminal columns that it occupies.
    let columns: Int

    init(_ text: String) {
      (self.text, columns) = (text, text.columns)
    }
  }

  private let alignments: [Alignment]
  /// How many columns at the beginning hold names, which are cut last, because people type them.
  private let nameCount: Int
  /// The cells of all rows, one row after the other.
  private var cells: [Cell] = []
  /// By row; nil for a row without a style.
  private var styles: [((String) -> String)?] = []

  package init(_ alignments: [Alignment], names: Int = 1) {
    (self.alignments, nameCount) = (alignments, names)
  }

  /// Adds a row of as many cells as there are columns.
  package mutating func add(_ cells: [String], style: ((String) -> String)? = nil) {
    assert(cells.count == alignments.count)
    for cell in cells { self.cells.append(Cell(cell)) }
    styles.append(style)
  }

  /// The rows, each with its line end; whole without a width, else cut to it.
  package func text(fitting columns: Int?) -> String {
    var widths = [Int](repeating: 0, count: alignments.count)
    for index in cells.indices {
      let column = index % alignments.count
      widths[column] = max(widths[column], cells[index].columns)
    }
    if let columns { widths = fitted(widths, to: columns) }
    var text = ""
    for row in styles.indices {
      if columns == nil, styles[row] == nil {
        append(row, widths: widths, to: &text)
      } else {
        var line = ""
        append(row, widths: widths, to: &line)
        if let columns { line = line.beginning(columns: columns) }
        text += styles[row].map { $0(line) } ?? line
      }
      text += "\n"
    }
    return text
  }

  /// The widths, cut from the last column to the first until they fit; zero for columns that are left out.
  private func fitted(_ widths: [Int], to columns: Int) -> [Int] {
    var widths = widths
    var excess = widths.reduce(-2) { $0 + $1 + 2 } - columns
    func cut(_ column: Int) {
      let cut = min(excess, max(0, widths[column] - Self.leastWidth))
      widths[column] -= cut
      excess -= cut
    }
    let others = widths.indices.dropFirst(nameCount).reversed()
    for column in others where excess > 0 { cut(column) }
    for column in others where excess > 0 && widths[column] > 0 {
      let rest = widths[column] - excess
      let isShortened = alignments[column] == .left && rest >= Self.leastText
      excess -= isShortened ? excess : widths[column] + 2
      widths[column] = isShortened ? rest : 0
    }
    for column in widths.indices.prefix(nameCount).reversed() where excess > 0 { cut(column) }
    return widths
  }

  /// Adds a row to the text, which is empty or ends with a line end.
  private func append(_ row: Int, widths: [Int], to text: inout String) {
    // Spaces are written once something follows them: removing them from the end takes longer than all the rest.
    var spaces = 0
    for column in alignments.indices {
      var cell = cells[row * alignments.count + column]
      if cell.columns > widths[column] {
        let width = widths[column]
        cell = Cell(width == 0 ? "" : cell.text.beginning(columns: width))
      }
      let padding = widths[column] - cell.columns
      if column > 0 { spaces += 2 }
      if alignments[column] == .right { spaces += padding }
      if !cell.text.isEmpty {
        if spaces > 0 { text += String(repeating: " ", count: spaces) }
        text += cell.text
        spaces = 0
      }
      if alignments[column] == .left { spaces += padding }
    }
    // Of a cell that ends with some.
    while text.utf8.last == UInt8(ascii: " ") { text.unicodeScalars.removeLast() }
  }
}
