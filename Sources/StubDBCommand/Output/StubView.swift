import StubDBJobs
import StubDBModel
import StubDBSupport

/// A stub as text.
struct StubView {
  let stub: Stub
  let style: Style

  /// The lines; the first is the key.
  var lines: [String] {
    var lines = [style.bold(TerminalText.line(stub.key.rawValue)) + notes]
    let request = RequestView(stub: stub)
    lines.append("  " + style.cyan(request.requestLine))
    lines += request.conditions.map { Excerpt.line("    \($0)") }
    if let flow = stub.flow { lines.append("    " + Self.text(of: flow)) }
    for capture in stub.captures { lines.append(Excerpt.line("    " + Self.text(of: capture))) }
    for (index, response) in stub.responses.enumerated() {
      let (headline, details) = texts(of: response, at: index)
      let number = stub.responses.count > 1 ? "\(index + 1). " : ""
      lines.append("  -> \(number)\(color(response, headline))")
      lines += details.map { Excerpt.line("     \($0)") }
    }
    if let ending { lines.append("  \(ending)") }
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
    if index == stub.responses.count - 1, let view = ResourceView(stub) {
      return (view.headline, view.details)
    }
    let view = ResponseView(response: response)
    return (view.headline, view.details)
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

  private var ending: String? {
    let isSequence = stub.responses.count > 1 || stub.responses.contains { $0.repeatCount > 1 }
    switch stub.then.kind {
    case .repeatLast: return isSequence ? "then repeats the last response" : nil
    case .cycle: return isSequence ? "then begins again with the first" : nil
    case .fail: return "then nothing: the request counts as unmatched"
    case .next: return "then the next stub that matches answers"
    case .passthrough: return "then the real network answers"
    }
  }

  private func color(_ response: StubResponse, _ text: String) -> String {
    let isFailure = response.error != nil || response.fault != nil || response.status >= 400
    return isFailure ? style.yellow(text) : style.green(text)
  }

  private static func text(of capture: Capture) -> String {
    let name = TerminalText.value(capture.name)
    let text = capture.source.text.string
    let line = TerminalText.line(text)
    return switch capture.source.kind {
    case .jsonPath: "keeps what \(line) selects as \(name)"
    case .pathParameter: "keeps path parameter \(line) as \(name)"
    case .query, .header, .cookie: "keeps \(capture.source.kind) \(line) as \(name)"
    case .template: "keeps \(TerminalText.value(text)) as \(name)"
    case .nothing: "forgets \(name)"
    }
  }

  private static func text(of flow: FlowStep) -> String {
    var text = "flow \(TerminalText.line(flow.name))"
    if let state = flow.requires { text += " is in state \(TerminalText.value(state))" }
    if let state = flow.becomes { text += ", becomes \(TerminalText.value(state))" }
    return text
  }
}

/// A scenario as text.
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
