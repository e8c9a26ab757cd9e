import Foundation

/// Prints the rows as they come in, and keeps them for the JSON file.
struct Report {
  private(set) var rows: [Row] = []

  /// Whether every budget is kept.
  var isKept: Bool { rows.allSatisfy(\.isKept) }

  mutating func add(_ row: Row) {
    rows.append(row)
    let mark = row.isKept ? "ok  " : "OVER"
    let name = row.name.padding(toLength: 56, withPad: " ", startingAt: 0)
    print("\(mark) \(name) \(format(row.figure)) (\(row.budget)): \(row.detail)")
  }

  /// The rows as JSON, sorted keys, one trailing newline.
  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try (encoder.encode(rows) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path))
  }
}
