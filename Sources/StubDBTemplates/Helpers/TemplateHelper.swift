import StubDBSupport

/// A function that a template can call: its name, its arguments and its implementation.
///
/// One entry in a list of this folder defines a function completely.
struct TemplateHelper: Sendable {
  typealias Failure = TemplateHelperCall.Failure
  typealias Body =
    @Sendable (TemplateHelperCall, any TemplateEnvironment) throws(Failure) -> TemplateValue

  /// When the parser evaluates a call, so that errors in its literals are found early.
  enum Trial: Sendable {
    /// If all arguments are literals.
    case whole
    /// With the options that are literals, which do not depend on each other, and with these arguments in place of
    /// unknown ones.
    case options([TemplateValue])
    /// Never, because it queries the environment.
    case never
  }

  /// What a block named after the function does.
  enum Block: Sendable {
    /// There is no such block.
    case none
    /// Keeps its content if the function returns true.
    case condition
    /// Passes its content to the function as the first argument.
    case first
    /// Passes its content to the function as the last argument.
    case last
  }

  /// What the environment prepares: an argument that must be a literal text.
  enum Requirement: Sendable {
    case query(TemplateNeeds.Language, argument: Int, prefix: String = "")
    case counter
  }

  /// The argument that names where the value is kept for the rest of the template.
  enum Assignment: Sendable {
    case argument(Int)
    case option(String)
  }

  let name: String
  /// The permitted number of positional arguments.
  let arguments: ClosedRange<Int>
  /// The permitted named arguments; nil for any.
  let options: [String]?
  let trial: Trial
  let block: Block
  let requirement: Requirement?
  let assignment: Assignment?
  let body: Body

  init(
    _ name: String, _ arguments: ClosedRange<Int>, options: [String]? = [], trial: Trial = .whole,
    block: Block = .none, requires requirement: Requirement? = nil,
    assigns assignment: Assignment? = nil, _ body: @escaping Body
  ) {
    self.name = name
    self.arguments = arguments
    self.options = options
    self.trial = trial
    self.block = block
    self.requirement = requirement
    self.assignment = assignment
    self.body = body
  }

  /// An upper bound on the number of arguments.
  static let many = 64

  /// All functions by name.
  static let all: [String: TemplateHelper] = {
    let groups = [
      texts, paddings, encodings, structures, lists, jsonChanges, queries, numbers, conditions,
      dates, chances, runs,
    ]
    return Dictionary(groups.joined().map { ($0.name, $0) }) { first, _ in first }
  }()

  /// Whether `{{#name}}` opens a block.
  var opensBlocks: Bool { if case .none = block { false } else { true } }

  /// The name under which a call keeps its value; nil if the call yields the value itself.
  func assignedName(
    _ arguments: [TemplateExpression], _ options: [String: TemplateExpression]
  ) -> TemplateExpression? {
    switch assignment {
    case .argument(let index)?: index < arguments.count ? arguments[index] : nil
    case .option(let name)?: options[name]
    case nil: nil
    }
  }

  /// The words for its arguments in a message.
  var argumentCount: String {
    let (least, most) = (arguments.lowerBound, arguments.upperBound)
    if least != most { return "\(least) \(most - least == 1 ? "or" : "to") \(most) arguments" }
    return least == 0 ? "no arguments" : Plural.of(least, "argument")
  }
}

extension TemplateHelper: Hashable {
  static func == (left: TemplateHelper, right: TemplateHelper) -> Bool { left.name == right.name }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A call of a function with its evaluated arguments.
struct TemplateHelperCall: Sendable {
  /// Why a call returns no value, as a phrase.
  struct Failure: Error {
    var message: String
  }

  var arguments: [TemplateValue]
  var options: [String: TemplateValue]
  /// How many bytes the call may produce.
  let room: Int

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

  func flag(_ name: String, default other: Bool = false) -> Bool {
    guard let value = options[name] else { return other }
    return value.isTrue && value != .text("false")
  }

  func list(_ index: Int) throws(Failure) -> [TemplateValue] {
    switch arguments[index] {
    case .list(let elements): return elements
    case .null: return []
    default: throw Failure(message: "\(shown(arguments[index])) is not a list")
    }
  }

  /// A value for a message, shortened if it is long.
  func shown(_ value: TemplateValue) -> String {
    let text = value.jsonText
    return text.count <= 60 ? text : String(text.prefix(57)) + "..."
  }

  func checkRoom(_ byteCount: Int) throws(Failure) {
    if byteCount > room { throw Failure(message: "the result is too long") }
  }
}
