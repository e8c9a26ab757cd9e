import StubDBCatalog
import StubDBModel

/// Scenarios in columns: name, number of stubs, tags, summary.
enum ScenarioTable {
  /// A line a scenario; the header is for people, not for pipes.
  static func text(_ scenarios: [ScenarioSummary], header: Bool, style: Style) -> String {
    var table = Table([.left, .right, .left, .left])
    if header { table.add(["SCENARIO", "STUBS", "TAGS", "SUMMARY"], style: style.dim) }
    for scenario in scenarios {
      table.add([
        scenario.name.rawValue,
        String(scenario.stubCount),
        Printable.line(scenario.tags.joined(separator: ",")),
        Printable.line(scenario.summary ?? ""),
      ])
    }
    return table.text
  }
}
