import StubDBModel

/// A stub for people.
struct StubView {
  let stub: Stub
  let style: Style

  /// Lines, the first the key.
  var lines: [String] {
    var lines = [style.bold(Printable.line(stub.key)) + notes]
    let request = RequestView(pattern: stub.request)
    lines.append("  " + style.cyan(request.requestLine))
    lines += request.conditions.map { "    \($0)" }
    if let flow = stub.flow { lines.append("    " + Self.text(of: flow)) }
    for (index, response) in stub.responses.enumerated() {
      let view = ResponseView(response: response)
      let number = stub.responses.count > 1 ? "\(index + 1). " : ""
      lines.append("  -> \(number)\(color(response, view.headline))")
      lines += view.details.map { "     \($0)" }
    }
    if let ending { lines.append("  \(ending)") }
    return lines
  }

  private var notes: String {
    var notes: [String] = []
    if let summary = stub.summary { notes.append(Printable.line(summary)) }
    if stub.priority != Stub.defaultPriority { notes.append("priority \(stub.priority)") }
    if stub.isRequired { notes.append("required") }
    return notes.isEmpty ? "" : "  " + style.dim(notes.joined(separator: "; "))
  }

  private var ending: String? {
    let isSequence = stub.responses.count > 1 || stub.responses.contains { $0.repeatCount > 1 }
    switch stub.then {
    case .repeatLast: return isSequence ? "then the last one again and again" : nil
    case .cycle: return isSequence ? "then again from the first" : nil
    case .fail: return "then nothing: the request counts as unmatched"
    case .next: return "then the next stub that matches answers"
    case .passthrough: return "then the real network answers"
    }
  }

  private func color(_ response: StubResponse, _ text: String) -> String {
    let isFailure = response.error != nil || response.fault != nil || response.status >= 400
    return isFailure ? style.yellow(text) : style.green(text)
  }

  private static func text(of flow: FlowStep) -> String {
    var text = "flow \(Printable.line(flow.name))"
    if let state = flow.requires { text += " is in state \(Printable.quoted(state))" }
    if let state = flow.becomes { text += ", becomes \(Printable.quoted(state))" }
    return text
  }
}
