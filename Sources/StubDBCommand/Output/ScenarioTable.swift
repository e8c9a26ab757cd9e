import StubDBCatalog
import StubDBModel

/// Scenarios in columns: name, number of stubs, tags, summary.
enum ScenarioTable {
  /// A line for each scenario; on a terminal with a header, and shortened to its width.
  static func text(_ scenarios: [ScenarioSummary], columns: Int?, style: Style) -> String {
    var table = Table([.left, .right, .left, .left])
    if columns != nil { table.add(["SCENARIO", "STUBS", "TAGS", "SUMMARY"], style: style.dim) }
    for scenario in scenarios {
      table.add([
        scenario.name.rawValue,
        String(scenario.stubCount),
        Printable.line(scenario.tags.joined(separator: ",")),
        Printable.line(scenario.summary ?? ""),
      ])
    }
    return table.text(fitting: columns)
  }
}
