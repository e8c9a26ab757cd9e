/// One call of a function with its values.
struct TemplateHelperCall {
  /// Why a call gives no value, as a phrase.
  struct Failure: Error {
    var message: String
  }

  let name: String
  let arguments: [TemplateValue]
  let options: [String: TemplateValue]
  /// How many bytes it may make.
  let room: Int

  /// Carries the call out.
  mutating func value(
    _ environment: inout any TemplateEnvironment
  ) throws(Failure) -> TemplateValue {
    if let value = try text() { return value }
    if let value = try encoding() { return value }
    if let value = try structure(environment) { return value }
    if let value = try number() { return value }
    if let value = condition() { return value }
    if let value = try date(environment) { return value }
    if let value = try random(&environment) { return value }
    return try run(environment)
  }

  /// Values that the run keeps.
  private func run(_ environment: any TemplateEnvironment) throws(Failure) -> TemplateValue {
    let name = arguments.map(\.plainText).joined()
    switch self.name {
    case "captured":
      return environment.captured(name) ?? .null
    case "capturedAll":
      return .list(environment.captured(beginningWith: name))
    default:  // counter
      let first = try integer(option: "from", default: 1)
      let (sum, overflows) = first.addingReportingOverflow(environment.count(of: name) - 1)
      if overflows { throw Failure(message: "the count is too large") }
      return .integer(sum)
    }
  }

  // MARK: Arguments

  func text(_ index: Int) -> String { arguments[index].plainText }

  func integer(_ index: Int) throws(Failure) -> Int {
    if let value = arguments[index].integerValue { return value }
    throw Failure(message: "\(shown(arguments[index])) is not a whole number")
  }

  func integer(option name: String, default other: Int) throws(Failure) -> Int {
    guard let value = options[name] else { return other }
    if let integer = value.integerValue { return integer }
    throw Failure(message: "\(name)=\(shown(value)) is not a whole number")
  }

  func flag(_ name: String) -> Bool {
    guard let value = options[name] else { return false }
    return value.isTrue && value != .text("false")
  }

  /// A value for a message: cut where it is long.
  func shown(_ value: TemplateValue) -> String {
    let text = value.jsonText
    return text.count <= 60 ? text : String(text.prefix(57)) + "..."
  }

  func checkRoom(_ byteCount: Int) throws(Failure) {
    if byteCount > room { throw Failure(message: "what it makes is too long") }
  }
}
