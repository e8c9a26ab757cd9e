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
