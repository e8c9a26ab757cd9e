internal import StubDBSupport

extension TemplateExpressionParser {
  mutating func path() throws(TemplateError) -> TemplateExpression {
    let start = position
    if bytes[position...].starts(with: "../".utf8) {
      throw error(
        "\"../\" is not known here; give the element around a name: {{#each list as |item|}}")
    }
    let first = takeWord()
    guard !first.isEmpty else { throw error("a value is missing before \"\(rest)\"") }
    switch first {
    case "true": return TemplateExpression(kind: .literal(.bool(true)), offset: start)
    case "false": return TemplateExpression(kind: .literal(.bool(false)), offset: start)
    case "null": return TemplateExpression(kind: .literal(.null), offset: start)
    default: break
    }
    let kind = try root(first, try segments(), at: start)
    return TemplateExpression(kind: kind, offset: start)
  }

  /// Parses the rest of a path after its first name: `.name`, `.0` or `.[any text]`.
  private mutating func segments() throws(TemplateError) -> [String] {
    var segments: [String] = []
    while take(".") {
      if take("[") {
        let start = position
        while position < end, bytes[position] != UInt8(ascii: "]") { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard take("]") else { throw error("\"]\" is missing", at: start) }
        segments.append(text)
      } else {
        let word = takeWord()
        guard !word.isEmpty else { throw error("a name is missing after \".\"") }
        segments.append(word)
      }
    }
    return segments
  }

  private func root(
    _ first: String, _ segments: [String], at start: Int
  ) throws(TemplateError) -> TemplateExpression.Kind {
    if names.isLocal(first) { return .local(first, segments) }
    switch first {
    case "request": return .root([first] + (try requestPath(segments, at: start)))
    case "answer":
      guard segments == ["number"] else {
        throw error("an answer has one part: answer.number", at: start)
      }
      return .root([first] + segments)
    case "baseURL":
      guard segments.isEmpty else { throw error("baseURL has no parts", at: start) }
      return .root([first])
    case "captured":
      guard !segments.isEmpty else {
        throw error("which captured value? Write captured.name or captured \"name\"", at: start)
      }
      return .captured(segments)
    default:
      return try loopName(first, segments, at: start)
    }
  }

  private func requestPath(
    _ segments: [String], at start: Int
  ) throws(TemplateError) -> [String] {
    // WireMock's older name for these parts.
    let segments = segments.first == "requestLine" ? Array(segments.dropFirst()) : segments
    guard let part = segments.first else {
      throw error("what of the request? Write one part, such as request.path", at: start)
    }
    guard TemplateNames.requestParts.contains(part) else {
      let advice =
        TemplateNames.leftOut[part].map { "; " + $0 }
        ?? Self.advice(part, TemplateNames.requestParts)
      throw error("a request has no \"\(part)\"\(advice)", at: start)
    }
    return segments
  }

  private func loopName(
    _ first: String, _ segments: [String], at start: Int
  ) throws(TemplateError) -> TemplateExpression.Kind {
    guard names.isInLoop else {
      let known = TemplateNames.roots + TemplateHelper.all.keys.sorted()
      let reason =
        TemplateNames.loopNames.contains(first)
        ? "\"\(first)\" is for the inside of {{#each}}"
        : TemplateHelper.all[first] != nil
          ? "\"\(first)\" is a function; put the call in parentheses"
          : "\"\(first)\" is not known here"
            + (TemplateNames.leftOut[first].map { ": " + $0 } ?? Self.advice(first, known))
      throw error(reason, at: start)
    }
    if TemplateNames.loopNames.contains(first) { return .local(first, segments) }
    if first.hasPrefix("@") {
      throw error(
        "\"\(first)\" is not known here\(Self.advice(first, TemplateNames.loopNames))", at: start)
    }
    // As in Handlebars, a single name refers to a member of the element.
    return .local("this", [first] + segments)
  }

  /// Returns `; did you mean "x"?` with the nearest words, or else the whole list if it is short.
  static func advice<Words: Collection<String>>(_ word: String, _ words: Words) -> String {
    let letters = Array(word.lowercased().utf8.prefix(64))
    let near = words.map { (Array($0.lowercased().utf8).editDistance(to: letters), $0) }
      .filter { $0.0 <= max(1, word.count / 3) }.sorted { $0 < $1 }.prefix(3).map { "\"\($0.1)\"" }
    if let last = near.last {
      let others = near.dropLast().joined(separator: ", ")
      return "; did you mean \(others.isEmpty ? last : others + " or " + last)?"
    }
    return words.count <= 16
      ? "; there is " + words.map { "\"\($0)\"" }.joined(separator: ", ") : ""
  }
}
