import StubDBModel

/// A scenario as text.
struct ScenarioView {
  let scenario: Scenario
  let style: Style

  /// The scenario on several lines, with a line end.
  var text: String {
    var lines = [style.bold(scenario.name.rawValue)]
    if let summary = scenario.summary { lines.append("  \(Printable.line(summary))") }
    if !scenario.tags.isEmpty {
      lines.append("  tags: \(scenario.tags.map(Printable.line).joined(separator: ", "))")
    }
    if !scenario.includes.isEmpty {
      lines.append("  includes: \(scenario.includes.map(\.rawValue).joined(separator: ", "))")
    }
    if scenario.stubs.isEmpty { lines.append("  no stubs of its own") }
    for stub in scenario.stubs {
      lines.append("")
      lines += StubView(stub: stub, style: style).lines
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
