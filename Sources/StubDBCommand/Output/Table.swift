import StubDBCatalog
import StubDBModel

/// Rows in aligned columns, two spaces apart.
struct Table {
  /// The style of a column.
  enum Alignment {
    case left
    case right
  }

  /// No column is cut to less.
  private static let leastWidth = 12

  private let alignments: [Alignment]
  private var rows: [(cells: [String], style: (String) -> String)] = []

  init(_ alignments: [Alignment]) {
    self.alignments = alignments
  }

  /// Adds a row of as many cells as there are columns.
  mutating func add(_ cells: [String], style: @escaping (String) -> String = { $0 }) {
    rows.append((cells, style))
  }

  /// The rows, each with its line end; whole without a width, else cut to it.
  func text(fitting columns: Int?) -> String {
    var widths = [Int](repeating: 0, count: alignments.count)
    for row in rows {
      for (column, cell) in row.cells.enumerated() {
        widths[column] = max(widths[column], cell.columns)
      }
    }
    if let columns { widths = Self.fitted(widths, to: columns) }
    var text = ""
    for row in rows {
      let line = line(row.cells, widths: widths)
      text += row.style(columns.map { Excerpt.beginning(line, columns: $0) } ?? line) + "\n"
    }
    return text
  }

  /// The widths, cut from the last column to the first until they fit.
  private static func fitted(_ widths: [Int], to columns: Int) -> [Int] {
    var widths = widths
    var excess = widths.reduce(-2) { $0 + $1 + 2 } - columns
    for column in widths.indices.reversed() where excess > 0 {
      let cut = min(excess, max(0, widths[column] - leastWidth))
      widths[column] -= cut
      excess -= cut
    }
    return widths
  }

  private func line(_ cells: [String], widths: [Int]) -> String {
    // Spaces are written once something follows them: removing them from the end takes longer than all the rest.
    var (line, spaces) = ("", 0)
    for (column, cell) in cells.enumerated() {
      let cell = Excerpt.beginning(cell, columns: widths[column])
      let padding = widths[column] - cell.columns
      if column > 0 { spaces += 2 }
      if alignments[column] == .right { spaces += padding }
      if !cell.isEmpty {
        line += String(repeating: " ", count: spaces) + cell
        spaces = 0
      }
      if alignments[column] == .left { spaces += padding }
    }
    // Of a cell that ends with some.
    while line.unicodeScalars.last == " " { line.unicodeScalars.removeLast() }
    return line
  }
}

/// Scenarios in columns: name, number of stubs, tags, summary.
enum ScenarioTable {
  /// A line for each scenario; on a terminal with a header, and shortened to its width.
  static func text(_ scenarios: [ListedScenario], columns: Int?, style: Style) -> String {
    var table = Table([.left, .right, .left, .left])
    if columns != nil { table.add(["SCENARIO", "STUBS", "TAGS", "SUMMARY"], style: style.dim) }
    for listed in scenarios {
      let scenario = listed.summary
      table.add([
        scenario.name.rawValue,
        listed.stubsText,
        TerminalText.line(scenario.tags.joined(separator: ",")),
        TerminalText.line(scenario.summary ?? ""),
      ])
    }
    return table.text(fitting: columns)
  }
}
