/// A function that a template can call, with the arguments it takes.
struct TemplateHelper: Hashable, Sendable {
  let name: String
  /// How many arguments without a name it takes.
  let arguments: ClosedRange<Int>
  /// The arguments with a name; nil for any.
  let options: [String]?

  private init(_ name: String, _ arguments: ClosedRange<Int>, _ options: [String]? = []) {
    self.name = name
    self.arguments = arguments
    self.options = options
  }

  /// More arguments than any template has.
  private static let many = 64
  private static let dateOptions = ["offset", "format", "timezone"]

  /// All of them by name.
  static let all: [String: TemplateHelper] = Dictionary(
    uniqueKeysWithValues: [
      // text
      TemplateHelper("upper", 1...1), TemplateHelper("lower", 1...1),
      TemplateHelper("capitalize", 1...1), TemplateHelper("trim", 1...1),
      TemplateHelper("default", 2...2), TemplateHelper("concat", 1...many),
      TemplateHelper("substring", 2...3), TemplateHelper("replace", 3...3),
      TemplateHelper("split", 2...2), TemplateHelper("join", 2...2),
      TemplateHelper("size", 1...1), TemplateHelper("base64", 1...1, ["decode"]),
      TemplateHelper("urlEncode", 1...1, ["decode"]),
      // JSON, lists and objects
      TemplateHelper("json", 1...1), TemplateHelper("jsonPath", 2...2),
      TemplateHelper("array", 0...many), TemplateHelper("range", 2...2),
      TemplateHelper("lookup", 2...2), TemplateHelper("merge", 1...many, nil),
      // numbers and conditions
      TemplateHelper("math", 3...3), TemplateHelper("eq", 2...2), TemplateHelper("neq", 2...2),
      TemplateHelper("gt", 2...2), TemplateHelper("gte", 2...2), TemplateHelper("lt", 2...2),
      TemplateHelper("lte", 2...2), TemplateHelper("and", 1...many), TemplateHelper("or", 1...many),
      TemplateHelper("not", 1...1), TemplateHelper("contains", 2...2),
      // time and chance
      TemplateHelper("now", 0...0, dateOptions), TemplateHelper("date", 1...1, dateOptions),
      TemplateHelper("uuid", 0...0), TemplateHelper("randomInt", 0...0, ["lower", "upper"]),
      TemplateHelper("randomDecimal", 0...0, ["lower", "upper"]),
      TemplateHelper("randomValue", 0...0, ["length", "type", "uppercase"]),
      TemplateHelper("pickRandom", 1...many),
      // the run
      TemplateHelper("captured", 1...many), TemplateHelper("capturedAll", 1...many),
      TemplateHelper("counter", 0...1, ["from"]),
    ].map { ($0.name, $0) })

  /// What its arguments are called in a message.
  var argumentCount: String {
    let (least, most) = (arguments.lowerBound, arguments.upperBound)
    if most == Self.many { return "\(least) or more arguments" }
    if least != most { return "\(least) or \(most) arguments" }
    return least == 0 ? "no arguments" : least == 1 ? "1 argument" : "\(least) arguments"
  }
}
