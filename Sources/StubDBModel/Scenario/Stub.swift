public import StubDBSupport

/// One request pattern and the responses it answers with.
public struct Stub: Hashable, Sendable {
  /// The priority of a stub that does not say otherwise.
  public static let defaultPriority = 5

  // Key and responses lie side by side, because an answer reads nothing else of most stubs.
  /// The name of the stub, unique in its scenario.
  public var key: Key
  /// What is answered, in order; never empty: an empty list becomes an empty 200.
  public var responses: [StubResponse] {
    didSet { if responses.isEmpty { responses = [StubResponse()] } }
  }
  /// A description in one line, or nil.
  @ByBytes public var summary: String?
  /// 1 and up, 5 unless said otherwise; the lowest number answers first.
  public var priority: Int
  /// Whether a run in which this stub answered nothing fails its verification; false by default.
  public var isRequired: Bool
  /// What a request must satisfy.
  public var request: RequestPattern
  /// What is kept of a request that this stub answers, always sorted by name; empty for nothing.
  public var captures: [Capture] {
    didSet { captures = Capture.sorted(captures) }
  }
  /// What happens once every response has been given as often as it says.
  public var then: AfterLastResponse
  /// The step this stub takes in a state machine of the scenario; nil for none.
  public var flow: FlowStep?
  /// When and from where the stub was recorded; nil if it was written by hand.
  public var recorded: Stub.Recording?
  /// The items that answer in place of the last response, whose content they are at first; nil for none.
  package var resource: Resource?

  /// Makes a stub; without responses it answers with an empty 200, captures are sorted by name.
  public init(
    key: Key, summary: String? = nil, priority: Int = Stub.defaultPriority,
    isRequired: Bool = false, request: RequestPattern = RequestPattern(), captures: [Capture] = [],
    responses: [StubResponse] = [StubResponse()], then: AfterLastResponse = .repeatLast,
    flow: FlowStep? = nil, recorded: Stub.Recording? = nil
  ) {
    self.key = key
    self.summary = summary
    self.priority = priority
    self.isRequired = isRequired
    self.request = request
    self.captures = Capture.sorted(captures)
    self.responses = responses.isEmpty ? [StubResponse()] : responses
    self.then = then
    self.flow = flow
    self.recorded = recorded
  }
}

extension Stub {
  /// The name of a stub in its scenario: 1 to 200 characters, no control characters.
  public struct Key: Hashable, Sendable, Comparable, CustomStringConvertible,
    ExpressibleByStringInterpolation
  {
    /// The longest key, in characters.
    public static let maximumLength = 200

    /// Stands for a key that is set later, or that does not matter.
    package static let unset = Key(unchecked: "")

    /// The key as text.
    public let rawValue: String

    /// Makes a key; nil if the text is not a valid one.
    public init?(_ rawValue: String) {
      guard (1...Self.maximumLength).contains(rawValue.unicodeScalars.count),
        !rawValue.unicodeScalars.contains(where: Self.isControl)
      else { return nil }
      self.rawValue = rawValue
    }

    /// Makes a key of a literal.
    ///
    /// Of one that is not valid, control characters and what is too long are left out; an empty one becomes `stub`.
    public init(stringLiteral value: String) {
      var text = String.UnicodeScalarView()
      text.append(
        contentsOf: value.unicodeScalars.filter { !Self.isControl($0) }.prefix(Self.maximumLength))
      rawValue = text.isEmpty ? "stub" : String(text)
    }

    /// Makes a key of a text that was checked before, such as a row of a catalog.
    package init(unchecked rawValue: String) {
      self.rawValue = rawValue
    }

    /// The key as text.
    public var description: String { rawValue }

    /// Whether both have the same bytes, as a catalog compares them.
    ///
    /// A character that is composed differently makes another key.
    public static func == (left: Key, right: Key) -> Bool {
      ByteText.isEqual(left.rawValue, right.rawValue)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(ByteText(rawValue))
    }

    /// Whether one key comes before the other, byte by byte.
    public static func < (left: Key, right: Key) -> Bool {
      left.rawValue.precedesByBytes(right.rawValue)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.generalCategory == .control
    }
  }
}

/// What a stub does after its responses are used up.
public struct AfterLastResponse: RawRepresentable, Hashable, Sendable, CaseIterable {
  package enum Kind: String, Sendable, CaseIterable {
    case repeatLast
    case cycle
    case fail
    case next
    case passthrough
  }

  package let kind: Kind

  private init(_ kind: Kind) { self.kind = kind }

  /// Repeats the last response; the default.
  public static let repeatLast = AfterLastResponse(.repeatLast)
  /// Begins again with the first response.
  public static let cycle = AfterLastResponse(.cycle)
  /// Answers nothing, so that the request is unmatched.
  public static let fail = AfterLastResponse(.fail)
  /// Leaves the request to the next stub that matches.
  public static let next = AfterLastResponse(.next)
  /// Leaves the request to the real network.
  public static let passthrough = AfterLastResponse(.passthrough)

  /// All of this version; later ones may add others.
  public static var allCases: [AfterLastResponse] { Kind.allCases.map(AfterLastResponse.init) }

  /// The word in a document.
  public var rawValue: String { kind.rawValue }

  /// The one with this word; nil for a word that this version does not know.
  public init?(rawValue: String) {
    guard let kind = Kind(rawValue: rawValue) else { return nil }
    self.kind = kind
  }
}

/// A step of a named state machine in a scenario's run; WireMock calls the machine a "scenario".
///
/// Every flow begins in the state `started`.
/// https://wiremock.org/docs/stateful-behaviour/
public struct FlowStep: Hashable, Sendable {
  /// The first state of every flow.
  public static let initialState = "started"

  /// The name of the flow; not empty.
  @ByBytes public var name: String
  /// The state that the flow must be in for the stub to match; nil matches any.
  @ByBytes public var requires: String?
  /// The state that the flow enters when the stub answers; nil to stay.
  @ByBytes public var becomes: String?

  /// Makes a step.
  public init(name: String, requires: String? = nil, becomes: String? = nil) {
    self.name = name
    self.requires = requires
    self.becomes = becomes
  }
}
