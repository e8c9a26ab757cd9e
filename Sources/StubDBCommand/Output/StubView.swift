import StubDBDocuments
import StubDBJobs
import StubDBModel
import StubDBSupport

struct StubView {
  let stub: Stub
  let style: Style

  /// The lines; the first is the key.
  var lines: [String] {
    var lines = [style.bold(TerminalText.line(stub.key.rawValue)) + notes]
    let request = stub.requestPhrase
    lines.append("  " + style.cyan(request.line))
    lines += request.conditions.map { Excerpt.line("    \($0)") }
    if let flow = stub.flow { lines.append("    " + flow.phrase(.view)) }
    for capture in stub.captures { lines.append(Excerpt.line("    " + capture.phrase(.view))) }
    for (index, response) in stub.responses.enumerated() {
      let (headline, details) = texts(of: response, at: index)
      let number = stub.responses.count > 1 ? "\(index + 1). " : ""
      lines.append("  -> \(number)\(color(response, headline))")
      lines += details.map { Excerpt.line("     \($0)") }
    }
    if let ending = stub.endPhrase { lines.append("  \(ending)") }
    return lines
  }

  /// What the stub answers first, and how many responses follow.
  static func headline(of stub: Stub) -> String {
    guard let first = stub.responses.first else { return "" }
    return StubView(stub: stub, style: Style(isColored: false)).texts(of: first, at: 0).headline
      + Plural.more(stub.responses.count - 1)
  }

  private func texts(
    of response: StubResponse, at index: Int
  ) -> (headline: String, details: [String]) {
    let view = ResponseView(response: response)
    guard index == stub.responses.count - 1, let resource = stub.resourcePhrase(.view) else {
      return (view.headline, view.details)
    }
    return (resource.headline, resource.details + view.fields)
  }

  private var notes: String {
    var notes: [String] = []
    if let summary = stub.summary { notes.append(TerminalText.line(summary)) }
    if stub.priority != Stub.defaultPriority { notes.append("priority \(stub.priority)") }
    if stub.isRequired { notes.append("required") }
    if let recorded = stub.recorded {
      let source = recorded.from.map { " from \(TerminalText.line($0))" } ?? ""
      notes.append("recorded \(recorded.at)" + source)
    }
    return notes.isEmpty ? "" : "  " + style.dim(notes.joined(separator: "; "))
  }

  private func color(_ response: StubResponse, _ text: String) -> String {
    let isFailure = response.error != nil || response.fault != nil || response.status >= 400
    return isFailure ? style.yellow(text) : style.green(text)
  }
}

extension PhraseStyle {
  /// Patterns in words as views show them: whole, and safe to print.
  static let view = PhraseStyle(
    quoted: { TerminalText.value($0) }, plain: { TerminalText.line($0) }, isPredicate: true)
}

extension RequestPattern {
  /// The pattern as views show it.
  var phrase: RequestPhrase { RequestPhrase(self, .view) }
}

extension Stub {
  /// The request as views show it; of a resource, that for its list.
  var requestPhrase: RequestPhrase { shownRequest.phrase }
}

struct ScenarioView {
  let scenario: Scenario
  let style: Style

  /// The scenario on several lines, with a line end.
  var text: String {
    var lines = [style.bold(scenario.name.rawValue)]
    if let summary = scenario.summary { lines.append("  \(TerminalText.line(summary))") }
    if !scenario.tags.isEmpty {
      lines.append("  tags: \(scenario.tags.map(TerminalText.line).joined(separator: ", "))")
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
