import StubDBModel

/// Goes through the patterns of a stub: refuses what cannot be played, and compiles operands.
struct PatternCheck {
  var operands = CompiledOperands()

  /// Checks a request pattern; nil where it can be played.
  mutating func refusal(
    of pattern: borrowing RequestPattern, template: PathTemplate?
  ) -> Refusal? {
    if let host = pattern.host, let found = refusal(of: host) { return found.inside("host") }
    if case .value(let path) = pattern.path, let found = refusal(of: path, isInObject: true) {
      return found.inside("path")
    }
    if let found = refusal(of: pattern.pathParameters, template: template)
      ?? refusal(of: pattern.query)?.inside("query")
      ?? refusal(of: pattern.headers)?.inside("headers")
      ?? refusal(of: pattern.cookies)?.inside("cookies")
      ?? refusal(of: pattern.captured)?.inside("captured")
    {
      return found
    }
    return refusal(ofList: pattern.body)
  }

  mutating func refusal(of patterns: [NamedPattern]) -> Refusal? {
    for named in patterns {
      if let found = refusal(of: named.pattern) { return found.inside(named.name) }
    }
    return nil
  }

  private mutating func refusal(
    of parameters: [NamedPattern], template: PathTemplate?
  ) -> Refusal? {
    for parameter in parameters
    where template?.segments.contains(.placeholder(parameter.name[...])) != true {
      return Refusal(
        code: .invalidPattern,
        reason: "the path has no placeholder {\(parameter.name)}; add it to the path",
        path: ["pathParameters", parameter.name])
    }
    return refusal(of: parameters)?.inside("pathParameters")
  }

  /// `isInObject` says that a document writes the pattern as an operator even where a list would do.
  mutating func refusal(
    of pattern: ValuePattern, isInObject: Bool = false
  ) -> Refusal? {
    switch pattern {
    case .equalTo, .equalToCaptured, .contains, .doesNotContain, .absent, .anything, .number:
      return nil
    case .matches(let expression):
      return refusal(ofExpression: expression)?.inside("matches")
    case .doesNotMatch(let expression):
      return refusal(ofExpression: expression)?.inside("doesNotMatch")
    case .date(let comparison, let date):
      return refusal(of: date, comparison)
    case .and(let patterns):
      return refusal(ofAny: patterns)?.inside("and")
    case .or(let patterns):
      return refusal(ofAny: patterns)?.inside("or")
    case .not(let inner):
      return refusal(of: inner)?.inside("not")
    case .hasExactly(let patterns):
      let found = refusal(ofAny: patterns)
      return isInObject ? found?.inside("hasExactly") : found
    case .includes(let patterns):
      return refusal(ofAny: patterns)?.inside("includes")
    }
  }

  private mutating func refusal(ofAny patterns: [ValuePattern]) -> Refusal? {
    for (index, pattern) in patterns.enumerated() {
      if let found = refusal(of: pattern) { return found.inside(String(index)) }
    }
    return nil
  }

  private mutating func refusal(of date: DatePattern, _ comparison: DateComparison) -> Refusal? {
    do throws(Refusal) {
      try operands.add(date)
      return nil
    } catch {
      // What is wrong with an option stands at the option.
      return error.path.isEmpty ? error.inside(comparison.rawValue) : error
    }
  }

  mutating func refusal(ofExpression expression: String) -> Refusal? {
    Self.refusal { () throws(Refusal) in try operands.add(expression: expression) }
  }

  static func refusal(_ compile: () throws(Refusal) -> Void) -> Refusal? {
    do throws(Refusal) {
      try compile()
      return nil
    } catch {
      return error
    }
  }
}
