internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// Makes the stubs of a route.
struct MockoonRouteReader {
  let input: ImportInput
  let options: ImportOptions
  let environment: MockoonEnvironment

  /// How responses of a route are chosen.
  private enum Mode { case rules, sequence, random, usualOnly, fallback }

  func stubs(of route: SourceValue) throws(FormatError) -> [ImportedStub] {
    guard route.isObject else { throw route.failure("a route must be an object") }
    guard route["enabled"]?.peekedText != "false" else {
      route.ignore()
      return []
    }
    let source = ReportSource(route, item: input.log.beginItem())
    route.ignore("uuid", "enabled", "streamingMode", "streamingInterval")
    switch route.text("type") {
    case "ws":
      source.drop(.websocket, "A WebSocket; its messages are not taken over")
      return []
    case "crud": return try MockoonBuckets(reader: self).stubs(of: route, source)
    default: break
    }
    let paths = try StubTranslation.attempt(
      source, conditions: [route["endpoint"], route["method"]], isLenient: options.isLenient
    ) {
      _ = route.text("method")
      return try MockoonPath.paths(endpoint(of: route))
    }
    guard let paths else { return [] }
    var stubs: [ImportedStub] = []
    for path in paths { stubs += try self.stubs(of: route, path) }
    route.ignore("documentation")
    route["responses"]?.ignoreUnread()
    route["responses"]?.keep()
    return stubs
  }

  /// The whole path of a route, in Express's form.
  func endpoint(of route: SourceValue) -> String {
    let parts = [environment.prefix, route.text("endpoint") ?? ""].map {
      $0.hasPrefix("/") ? String($0.dropFirst()) : $0
    }
    return "/" + parts.filter { !$0.isEmpty }.joined(separator: "/")
  }

  private func stubs(
    of route: SourceValue, _ path: MockoonPath
  ) throws(FormatError) -> [ImportedStub] {
    let responses = (route["responses"]?.elements ?? []).filter(\.isObject)
    let usual = responses.first { $0["default"]?.peekedText == "true" } ?? responses.first
    guard let usual else { return [] }
    switch Self.mode(of: route) {
    case .sequence:
      return try stub(usual, route, path) { stub in
        stub.responses = try responses.map(response)
        if responses.count > 1 { stub.then = .cycle }
      }
    case .random:
      route.note(.dropped, .random, "Answers were chosen at random; the stub gives the first one")
      return try stub(responses[0], route, path)
    case .usualOnly: return try stub(usual, route, path)
    case .rules, .fallback:
      let ruled = responses.filter { !($0["rules"]?.elements ?? []).isEmpty }
      let isFallback = Self.mode(of: route) == .fallback
      if let counted = MockoonSequence.positions(of: ruled) {
        return try sequence(counted, usual: isFallback ? nil : usual, route, path)
      }
      var stubs: [ImportedStub] = []
      for response in ruled { stubs += try ruledStubs(response, route, path) }
      return isFallback ? stubs : stubs + (try stub(usual, route, path))
    }
  }

  private static func mode(of route: SourceValue) -> Mode {
    let isOldRandom = route.flag("randomResponse")
    let isOldSequence = route.flag("sequentialResponse")
    switch route.text("responseMode") {
    case "SEQUENTIAL": return .sequence
    case "RANDOM": return .random
    case "DISABLE_RULES": return .usualOnly
    case "FALLBACK": return .fallback
    default:
      route["responseMode"]?.ignore()
      return isOldSequence ? .sequence : isOldRandom ? .random : .rules
    }
  }

  /// A stub of a response, without its rules.
  private func stub(
    _ value: SourceValue, _ route: SourceValue, _ path: MockoonPath,
    _ change: (inout Stub) throws -> Void = { _ in }
  ) throws(FormatError) -> [ImportedStub] {
    try StubTranslation.stubs(of: value, conditions: [], isLenient: options.isLenient) { _ in
      var stub = Stub(
        key: .unset, summary: summary(value, route), request: try request(of: route, path),
        responses: [try response(value)])
      try change(&stub)
      return [ImportedStub(stub: stub)]
    }
  }

  /// The stubs of a response with rules: one for all of them, or one for each.
  private func ruledStubs(
    _ value: SourceValue, _ route: SourceValue, _ path: MockoonPath
  ) throws(FormatError) -> [ImportedStub] {
    let rules = value.list("rules")
    let needsAll = value.text("rulesOperator")?.uppercased() == "AND"
    let groups = needsAll ? [rules] : rules.map { [$0] }
    var stubs: [ImportedStub] = []
    for group in groups {
      stubs += try StubTranslation.stubs(
        of: value, conditions: [], isLenient: options.isLenient
      ) { source in
        try ruledStubs(value, group, route, path, source)
      }
    }
    return stubs
  }

  /// A stub where all rules hold, or one for each kind of content if a rule looks into it.
  private func ruledStubs(
    _ value: SourceValue, _ group: [SourceValue], _ route: SourceValue, _ path: MockoonPath,
    _ source: ReportSource
  ) throws -> [ImportedStub] {
    let rules = try group.map { try MockoonRule($0, environment: environment) }
    let readsContent = rules.contains(where: \.readsContent)
    let contents: [MockoonContent?] = readsContent ? MockoonContent.allCases : [nil]
    let response = try response(value)
    let stubs: [ImportedStub] = try contents.compactMap { content in
      var request = MockoonRequest(pattern: try request(of: route, path), path: path)
      if let content { try request.pattern.setHeader("Content-Type", content.typePattern) }
      for rule in rules {
        guard try rule.apply(to: &request, in: content) else { return nil }
      }
      return ImportedStub(
        stub: Stub(
          key: .unset, summary: summary(value, route), request: request.pattern,
          responses: [response]))
    }
    if readsContent {
      source.add(
        .changed, .matcher,
        "Mockoon looks for members of the content in multipart forms and XML, too; the stubs look in JSON and forms"
      )
    }
    return stubs
  }

  /// Responses by the number of the request; others get the usual one.
  private func sequence(
    _ positions: [Int: SourceValue], usual: SourceValue?, _ route: SourceValue,
    _ path: MockoonPath
  ) throws(FormatError) -> [ImportedStub] {
    let last = positions.keys.max() ?? 0
    guard let first = usual ?? positions[1] else { return [] }
    return try stub(first, route, path) { stub in
      var list: [StubResponse] = []
      for number in 1...max(1, last) {
        guard let value = positions[number] ?? usual else {
          throw Untranslatable("request_number", "no answer has the number \(number)")
        }
        list.append(try response(value))
      }
      if let usual { list.append(try response(usual)) } else { stub.then = .next }
      stub.responses = list
      for value in positions.values { value["rules"]?.keep() }
    }
  }

  private func request(of route: SourceValue, _ path: MockoonPath) throws -> RequestPattern {
    var request = path.pattern
    let method = (route.text("method") ?? "").uppercased()
    if !["", "ALL"].contains(method) {
      request.methods = try RequestPattern.reading(.method, .string(method)).methods
    }
    return request
  }

  private func summary(_ value: SourceValue, _ route: SourceValue) -> String? {
    [value["label"]?.peekedText, route["documentation"]?.peekedText].compactMap(\.self).first {
      !$0.isEmpty
    }.flatMap(StubNaming.summary)
  }
}

/// Responses that are chosen by the number of the request.
enum MockoonSequence {
  /// The responses by number; nil if any is chosen in another way.
  static func positions(of responses: [SourceValue]) -> [Int: SourceValue]? {
    var positions: [Int: SourceValue] = [:]
    for response in responses {
      let rules = response["rules"]?.elements ?? []
      // A request has one number.
      if rules.count > 1, response["rulesOperator"]?.peekedText?.uppercased() == "AND" {
        return nil
      }
      for rule in rules {
        guard rule["target"]?.peekedText == "request_number",
          rule["invert"]?.peekedText != "true",
          [nil, "equals"].contains(rule["operator"]?.peekedText),
          let number = rule["value"]?.peekedText.flatMap({ Int($0) }), (1...1000).contains(number)
        else { return nil }
        if positions[number] == nil { positions[number] = response }
      }
    }
    return positions.isEmpty ? nil : positions
  }
}
