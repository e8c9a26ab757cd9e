public import StubDBJSON
public import StubDBModel

/// Why a scenario cannot be played.
public struct EngineError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of reason it is.
  ///
  /// Open: a later version may know more.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the code.
    public let rawValue: String

    /// Makes a code of the name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A regular expression that does not compile.
    public static let invalidRegularExpression = Code(rawValue: "invalidRegularExpression")
    /// A pattern that makes no sense, such as a path placeholder that the path does not have.
    public static let invalidPattern = Code(rawValue: "invalidPattern")
    /// A template that cannot be read, or that asks for what there is not.
    public static let invalidTemplate = Code(rawValue: "invalidTemplate")
    /// A scenario includes another one that was not given.
    public static let missingInclude = Code(rawValue: "missingInclude")
    /// A body was left in a catalog, and there is nothing to read it with.
    public static let unreadableBody = Code(rawValue: "unreadableBody")
  }

  /// What kind of reason it is.
  public var code: Code
  /// One sentence for people: what, where, why, and what to do.
  public var message: String
  /// What of the message is left for whoever says the place already.
  package let reason: String
  /// The scenario that the stub is written in.
  public var scenario: ScenarioName
  /// The key of the stub; nil where it is not about one.
  public var stubKey: String?
  /// The place in that scenario's document; nil where there is none.
  public var pointer: JSONPointer?

  package init(
    code: Code, message: String, reason: String? = nil, scenario: ScenarioName,
    stubKey: String? = nil, pointer: JSONPointer? = nil
  ) {
    self.reason = reason ?? message
    self.code = code
    self.message = message
    self.scenario = scenario
    self.stubKey = stubKey
    self.pointer = pointer
  }

  /// The message.
  public var description: String { message }
}
