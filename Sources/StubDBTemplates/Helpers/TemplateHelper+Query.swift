extension TemplateHelper {
  /// The functions that select something in a text, and those that apply an expression.
  static let queries: [TemplateHelper] = [
    TemplateHelper(
      "jsonPath", 2...2, options: ["default"], trial: .never,
      requires: .query(.jsonPath, argument: 1)
    ) { (call, environment) throws(Failure) in
      try call.selected(environment)
    },
    TemplateHelper(
      "xPath", 2...2, options: ["default"], trial: .never, requires: .query(.xPath, argument: 1)
    ) { (call, environment) throws(Failure) in
      try call.selected(environment, xPath: call.text(1))
    },
    TemplateHelper(
      "soapXPath", 2...2, options: ["default"], trial: .never,
      requires: .query(.xPath, argument: 1, prefix: soapBody)
    ) { (call, environment) throws(Failure) in
      try call.selected(environment, xPath: soapBody + call.text(1))
    },
    TemplateHelper(
      "matches", 2...2, options: ["yes", "no"], trial: .never, block: .condition,
      requires: .query(.regularExpression, argument: 1)
    ) { (call, environment) throws(Failure) in
      guard call.arguments[0] != .null else { return call.answer(false) }
      guard let verdict = environment.matches(call.text(0), call.text(1)) else {
        throw tooLong("the expression")
      }
      return call.answer(verdict)
    },
    TemplateHelper(
      "regexExtract", 2...3, options: ["default"], trial: .never,
      requires: .query(.regularExpression, argument: 1), assigns: .argument(2)
    ) { (call, environment) throws(Failure) in
      let found: [String]?
      let (expression, text) = (call.text(1), call.text(0))
      do throws(TemplateQueryGivenUp) {
        found = try environment.groups(of: expression, in: text)
      } catch {
        throw tooLong("the expression")
      }
      guard let groups = found else { return call.options["default"] ?? .null }
      return call.arguments.count > 2
        ? .list(groups.dropFirst().map(TemplateValue.text)) : .text(groups[0])
    },
  ]

  /// The failure of a query that is given up, whether or not there is a default.
  static func tooLong(_ query: String) -> Failure {
    Failure(message: "\(query) takes too long")
  }

  /// The body of a SOAP message, whatever prefixes it uses.
  private static let soapBody = "/*[local-name()='Envelope']/*[local-name()='Body']"
}

extension TemplateHelperCall {
  /// A single selected value as is, several as a list, and the default or null if nothing is selected.
  fileprivate func selected(
    _ environment: any TemplateEnvironment
  ) throws(Failure) -> TemplateValue {
    let other = options["default"]
    guard arguments[0] != .null, arguments[0] != .text("") else { return other ?? .null }
    guard let values = try selection(environment, in: arguments[0]) else {
      if let other { return other }
      throw Failure(message: "\(shown(arguments[0])) is not JSON; give a default=")
    }
    return values.count > 1 ? .list(values) : values.first ?? other ?? .null
  }

  /// The values that the query of the second argument selects; nil if the value is not JSON.
  func selection(
    _ environment: any TemplateEnvironment, in value: TemplateValue
  ) throws(Failure) -> [TemplateValue]? {
    do throws(TemplateQueryGivenUp) {
      return try environment.select(text(1), in: value)
    } catch {
      throw TemplateHelper.tooLong("the query")
    }
  }

  fileprivate func selected(
    _ environment: any TemplateEnvironment, xPath: String
  ) throws(Failure) -> TemplateValue {
    let other = options["default"]
    guard arguments[0] != .null, arguments[0] != .text("") else { return other ?? .null }
    let found: [String]?
    let text = text(0)
    do throws(TemplateQueryGivenUp) {
      found = try environment.texts(atXPath: xPath, in: text)
    } catch {
      throw TemplateHelper.tooLong("the expression")
    }
    guard let texts = found else {
      if let other { return other }
      throw Failure(message: "\(shown(arguments[0])) is not XML; give a default=")
    }
    let values = texts.map(TemplateValue.text)
    return values.count > 1 ? .list(values) : values.first ?? other ?? .null
  }
}

extension TemplateHelper {
  /// The functions that query what the run keeps.
  static let runs: [TemplateHelper] = [
    TemplateHelper("captured", 1...many, trial: .never) { (call, environment) throws(Failure) in
      environment.captured(call.arguments.map(\.plainText).joined()) ?? .null
    },
    TemplateHelper("capturedAll", 1...many, trial: .never) { (call, environment) throws(Failure) in
      .list(environment.captured(beginningWith: call.arguments.map(\.plainText).joined()))
    },
    TemplateHelper("counter", 0...1, options: ["from"], trial: .never, requires: .counter) {
      (call, environment) throws(Failure) in
      let first = try call.integer(option: "from", default: 1)
      let count = environment.count(of: call.arguments.map(\.plainText).joined())
      let (sum, overflows) = first.addingReportingOverflow(count - 1)
      if overflows { throw Failure(message: "the count is too large") }
      return .integer(sum)
    },
  ]
}
