public import StubDBJSON
public import StubDBModel

/// Reports why a scenario cannot be played.
public struct EngineError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  ///
  /// Open: later versions may add kinds.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the code.
    public let rawValue: String

    /// Makes a code of the name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A regular expression that does not compile.
    public static let invalidRegularExpression = Code(rawValue: "invalidRegularExpression")
    /// An invalid pattern, such as one for a path parameter that the path does not have.
    public static let invalidPattern = Code(rawValue: "invalidPattern")
    /// A template that cannot be parsed, or uses something that does not exist.
    public static let invalidTemplate = Code(rawValue: "invalidTemplate")
    /// A scenario includes another one that was not given.
    public static let missingInclude = Code(rawValue: "missingInclude")
    /// A body was left in a catalog, and nothing can read it.
    public static let unreadableBody = Code(rawValue: "unreadableBody")
  }

  /// The kind of error.
  public var code: Code
  /// One sentence that says what is wrong, where, why, and what to do.
  public var message: String
  /// The part of the message for callers that print the place themselves.
  package let reason: String
  /// The scenario whose document contains the stub.
  public var scenario: ScenarioName
  /// The key of the stub; nil if the error is not about a stub.
  public var stubKey: String?
  /// The place in that scenario's document; nil if there is no such place.
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

/// Reports why a part of a stub cannot be played, with its place in the stub.
struct CompileError: Error {
  let code: EngineError.Code
  /// A phrase that says what is wrong.
  let reason: String
  /// The place from the outside in.
  private(set) var path: [String]

  init(code: EngineError.Code, reason: String, path: [String] = []) {
    self.code = code
    self.reason = reason
    self.path = path
  }

  /// The same error, with the place relative to the enclosing value.
  func inside(_ tokens: String...) -> CompileError {
    var copy = self
    copy.path = tokens + path
    return copy
  }

  /// The error with the name of the stub.
  func error(in source: LoadedScenario.Source, index: Int) -> EngineError {
    let pointer = JSONPointer(["stubs", String(index)] + path)
    let place = "stub \"\(source.stub.key)\" of scenario \"\(source.origin)\""
    let message = "\(pointer) in \(place): \(reason)"
    return EngineError(
      code: code, message: message, reason: reason, scenario: source.origin,
      stubKey: source.stub.key.rawValue, pointer: pointer)
  }
}
