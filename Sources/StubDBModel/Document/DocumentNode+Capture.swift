internal import StubDBJSON

extension DocumentNode {
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
