internal import StubDBJSON

extension DocumentNode {
  package func flowStep() throws(DocumentError) -> FlowStep {
    let object = try object(.flow)
    return FlowStep(
      name: try object.required("name").line("the name of the flow"),
      requires: try object["requires"]?.line("the state"),
      becomes: try object["becomes"]?.line("the state"))
  }

  package func recording() throws(DocumentError) -> Stub.Recording {
    let object = try object(.recorded)
    let at = try object.required("at")
    let text = try at.string()
    guard let recording = Stub.Recording(at: text, from: try object["from"]?.line("the source"))
    else {
      throw at.failure(
        .invalidValue,
        "\"\(text)\" is not a date or a date-time, such as 2026-11-21 or 2026-11-21T09:30:00Z")
    }
    return recording
  }

  /// The captures of a stub, sorted by name.
  package func captures() throws(DocumentError) -> [Capture] {
    var captures: [Capture] = []
    for (name, node) in try members("an object of captures") {
      _ = try DocumentNode(value: .string(name), place: node.place, context: context)
        .line("the name of the capture")
      captures.append(Capture(name, try node.captureSource()))
    }
    return Capture.sorted(captures)
  }

  private func captureSource() throws(DocumentError) -> Capture.Source {
    if case .null = value { return .nothing }
    guard case .object = value else {
      throw wrongType("a source such as {\"jsonPath\": \"$\"}, or null to forget the value")
    }
    let object = try object(.capture)
    let given = object.kind.keys.filter(object.has)
    guard given.count == 1, let source = object[given[0]],
      let kind = Capture.Source.Kind(rawValue: given[0])
    else {
      throw failure(
        given.isEmpty ? .missingKey : .conflict,
        "a capture has one source: " + object.kind.summary)
    }
    return Capture.Source(kind, try source.filledString("the source"))
  }

  /// The conditions on kept values: a pattern, true for any value, false for none.
  func capturedPatterns() throws(DocumentError) -> [NamedPattern] {
    var patterns: [NamedPattern] = []
    for (name, node) in try members("an object of names and patterns") {
      _ = try DocumentNode(value: .string(name), place: node.place, context: context)
        .line("the name of the captured value")
      if case .bool(let isKept) = node.value {
        patterns.append(NamedPattern(name, isKept ? .not(.absent) : .absent))
      } else {
        patterns.append(NamedPattern(name, try node.valuePattern()))
      }
    }
    return NamedPattern.sorted(patterns)
  }
}
