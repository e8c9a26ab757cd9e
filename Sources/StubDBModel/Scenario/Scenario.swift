public import StubDBSupport

/// A named set of stubs: a situation that a test can ask for.
///
/// Nothing here checks that keys are unique or that included scenarios exist. The document decoder checks the first,
/// the catalog both.
public struct Scenario: Hashable, Sendable {
  /// The name, unique in a catalog.
  public var name: ScenarioName
  /// A description in one line, or nil.
  @ByBytes public var summary: String?
  /// Words to filter by; sorted and unique, may be empty.
  @ByBytes public var tags: [String]
  /// The included scenarios, whose stubs answer after this one's; in order and unique, may be empty.
  public var includes: [ScenarioReference]
  /// The stubs in document order; may be empty.
  public var stubs: [Stub]

  /// Makes a scenario; tags are sorted and made unique.
  public init(
    name: ScenarioName, summary: String? = nil, tags: [String] = [],
    includes: [ScenarioReference] = [], stubs: [Stub] = []
  ) {
    self.name = name
    self.summary = summary
    self.tags = Set(tags.map { ByteText($0) }).sorted().map(\.string)
    self.includes = includes
    self.stubs = stubs
  }

  /// Makes a scenario that includes others of its catalog.
  @_disfavoredOverload
  public init(
    name: ScenarioName, summary: String? = nil, tags: [String] = [], includes: [ScenarioName],
    stubs: [Stub] = []
  ) {
    self.init(
      name: name, summary: summary, tags: tags, includes: includes.map(ScenarioReference.init(_:)),
      stubs: stubs)
  }
}

/// The name of a scenario, `area/situation`.
///
/// It has one or more segments of `A-Z a-z 0-9 . _ -`, joined by `/`, at most 200 characters in total. No segment is
/// `.` or `..`, because names become paths in a mirror. Names are ordered by bytes. Where a name says what a stub comes from,
/// as in a journal, that of a scenario of another catalog has the catalog before it, as a ``ScenarioReference`` does.
public struct ScenarioName: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The longest name, in characters.
  public static let maximumLength = 200

  /// The name as text.
  public let rawValue: String

  /// Makes a name; nil if the text is not a valid one.
  public init?(_ rawValue: String) {
    guard Self.reasonAgainst(rawValue) == nil else { return nil }
    self.rawValue = rawValue
  }

  /// Makes the name that `stubdb names` or the plugin `StubDBNames` has written into generated source.
  ///
  /// The text is not checked again; a name that no catalog can have is reported when it is loaded, as one that is
  /// missing. For a text of your own, use ``init(_:)``.
  public init(generated rawValue: String) {
    self.rawValue = rawValue
  }

  /// Makes a name of a text that was checked before, such as a row of a catalog.
  package init(unchecked rawValue: String) {
    self.rawValue = rawValue
  }

  /// The name as text.
  public var description: String { rawValue }

  /// Whether one name comes before the other, byte by byte.
  public static func < (left: ScenarioName, right: ScenarioName) -> Bool {
    left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
  }

  /// Why the text is not a scenario name, as the end of a sentence; nil if it is one.
  package static func reasonAgainst(_ text: String) -> String? {
    if text.isEmpty { return "it is empty" }
    if text.utf8.count > maximumLength { return "it is longer than \(maximumLength) characters" }
    for segment in text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      if segment.isEmpty { return "it has an empty segment" }
      if segment.elementsEqual(".".utf8) || segment.elementsEqual("..".utf8) {
        return "a segment is \"\(String(decoding: segment, as: UTF8.self))\""
      }
      if !segment.allSatisfy(isAllowed) {
        return "it may hold only letters A-Z a-z, digits, '.', '_', '-', and '/' between segments"
      }
    }
    return nil
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "-"):
      true
    default:
      false
    }
  }
}

/// What names a scenario where one is loaded: a text, or a name that the compiler knows.
///
/// A text is looked up when the test runs. The names that `stubdb names --swift` or the plugin `StubDBNames` generates from
/// a catalog are members of this protocol, such as `.checkout.cardDeclined` for `checkout/card-declined`: one that the
/// catalog does not have does not compile.
public protocol ScenarioNaming: Sendable {
  /// The name as text, as the catalog has it.
  var scenarioName: String { get }
}

extension ScenarioName: ScenarioNaming {
  /// The name as text.
  public var scenarioName: String { rawValue }
}

extension String: ScenarioNaming {
  /// The text itself.
  public var scenarioName: String { self }
}
