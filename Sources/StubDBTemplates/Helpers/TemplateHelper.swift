/// A function that a template can call: its name, what it takes, and what it does.
///
/// An entry of one of the lists in this folder is all that a function is.
struct TemplateHelper: Sendable {
  typealias Failure = TemplateHelperCall.Failure
  typealias Body =
    @Sendable (TemplateHelperCall, inout any TemplateEnvironment) throws(Failure) -> TemplateValue

  /// When a call is tried as the template is read, so that a mistake in what stands there is found at once.
  enum Trial: Sendable {
    /// Once every value stands in the template.
    case whole
    /// With the options that stand there, which say nothing about each other, and these arguments for unknown ones.
    case options([TemplateValue])
    /// Never: it asks the surroundings.
    case never
  }

  /// What a block of the function's name does.
  enum Block: Sendable {
    /// There is none.
    case none
    /// Keeps its content if the function gives true.
    case condition
    /// Gives its content to the function as the first argument.
    case first
    /// Gives its content to the function as the last argument.
    case last
  }

  /// What the surroundings prepare: an argument that must be a text in quotes.
  enum Requirement: Sendable {
    case query(TemplateNeeds.Language, argument: Int, prefix: String = "")
    case counter
  }

  /// Where the name stands under which the value is kept for the rest of the text.
  enum Assignment: Sendable {
    case argument(Int)
    case option(String)
  }

  let name: String
  /// How many arguments without a name it takes.
  let arguments: ClosedRange<Int>
  /// The arguments with a name; nil for any.
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

  /// More arguments than any template has.
  static let many = 64

  /// All of them by name.
  static let all: [String: TemplateHelper] = {
    let groups = [
      texts, paddings, encodings, structures, lists, jsonChanges, queries, numbers, conditions,
      dates, chances, runs,
    ]
    return Dictionary(groups.joined().map { ($0.name, $0) }) { first, _ in first }
  }()

  /// Whether `{{#name}}` is a block.
  var opensBlocks: Bool { if case .none = block { false } else { true } }

  /// The name under which a call keeps its value; nil if it gives the value itself.
  func assignedName(
    _ arguments: [TemplateExpression], _ options: [String: TemplateExpression]
  ) -> TemplateExpression? {
    switch assignment {
    case .argument(let index)?: index < arguments.count ? arguments[index] : nil
    case .option(let name)?: options[name]
    case nil: nil
    }
  }

  /// What its arguments are called in a message.
  var argumentCount: String {
    let (least, most) = (arguments.lowerBound, arguments.upperBound)
    if most == Self.many { return "\(least) or more arguments" }
    if least != most { return "\(least) \(most - least == 1 ? "or" : "to") \(most) arguments" }
    return least == 0 ? "no arguments" : least == 1 ? "1 argument" : "\(least) arguments"
  }
}

extension TemplateHelper: Hashable {
  static func == (left: TemplateHelper, right: TemplateHelper) -> Bool { left.name == right.name }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// One call of a function with its values.
struct TemplateHelperCall: Sendable {
  /// Why a call gives no value, as a phrase.
  struct Failure: Error {
    var message: String
  }

  var arguments: [TemplateValue]
  var options: [String: TemplateValue]
  /// How many bytes it may make.
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

  /// A value for a message: cut where it is long.
  func shown(_ value: TemplateValue) -> String {
    let text = value.jsonText
    return text.count <= 60 ? text : String(text.prefix(57)) + "..."
  }

  func checkRoom(_ byteCount: Int) throws(Failure) {
    if byteCount > room { throw Failure(message: "what it makes is too long") }
  }
}
