public import StubDBJSON
public import StubDBModel
import StubDBSupport

/// A stub that almost matched.
public struct NearMiss: Hashable, Sendable {
  /// The scenario whose document contains the stub.
  public var scenario: ScenarioName
  /// The key of the stub.
  public var key: String
  /// The requests that the stub answers, as one line: `POST https://api.shop.test/v1/charges`.
  public var pattern: String
  /// The distance of the request from the stub: above 0, at most 1.
  public var distance: Double
  /// The differences in the order of a request: method, URL, header fields, body; never empty.
  public var mismatches: [Mismatch]

  /// Makes a near miss.
  package init(
    scenario: ScenarioName, key: String, pattern: String, distance: Double, mismatches: [Mismatch]
  ) {
    self.scenario = scenario
    self.key = key
    self.pattern = pattern
    self.distance = distance
    self.mismatches = mismatches
  }
}

/// A part of a request that does not satisfy a stub.
public struct Mismatch: Hashable, Sendable {
  /// The part.
  public var part: Part
  /// The place inside JSON content; nil for other parts.
  public var pointer: JSONPointer?
  /// A description of what the stub requires.
  public var expected: String
  /// A description of what the request has, shortened to about 200 characters.
  public var actual: String

  /// Makes a mismatch.
  package init(part: Part, pointer: JSONPointer? = nil, expected: String, actual: String) {
    self.part = part
    self.pointer = pointer
    self.expected = expected
    self.actual = actual
  }

  /// The number of places that are not listed.
  static func rest(_ count: Int, of part: Part) -> Mismatch {
    Mismatch(
      part: part, expected: "(\(Plural.of(count, "more place")))",
      actual: "(also different)")
  }
}

extension Mismatch {
  /// A part of a request, or of what a run says of a stub.
  public struct Part: Hashable, Sendable, CustomStringConvertible {
    /// The kind of the part.
    public let kind: Kind
    /// The name of the part, or the path of an element in XML content; nil for a part without a name.
    ///
    /// Names have query parameters, header fields, cookies, placeholders of the path, kept values, fields of a form, parts
    /// of multipart content, members of a GraphQL request, and flows.
    public let name: String?
    /// The part of multipart content that contains it, such as `part avatar`; nil for most parts.
    public private(set) var container: String?

    /// Makes a part.
    package init(_ kind: Kind, _ name: String? = nil) {
      self.kind = kind
      self.name = name
    }

    init(of part: RequestPart, _ name: String? = nil) {
      self.init(Kind(part), name)
    }

    /// The same part inside a part of multipart content.
    func inside(_ title: String) -> Part {
      var copy = self
      copy.container = container.map { "\(title) \($0)" } ?? title
      return copy
    }

    /// The part as reports name it: `query customer`, `header Accept`, `part avatar body`, `flow order`.
    public var description: String {
      if kind == .part, name == nil { return "a part" }
      return [container, kind.rawValue, name].compactMap(\.self).joined(separator: " ")
    }
  }
}

extension Mismatch.Part {
  /// What a mismatch is about.
  ///
  /// Open: later versions may add kinds.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The word for the kind.
    public let rawValue: String

    /// Makes a kind of the word.
    public init(rawValue: String) { self.rawValue = rawValue }

    fileprivate init(_ part: RequestPart) { self.init(rawValue: part.word) }

    /// The method.
    public static let method = Kind(.method)
    /// The whole URL.
    public static let url = Kind(.url)
    /// The scheme.
    public static let scheme = Kind(.scheme)
    /// The host.
    public static let host = Kind(.host)
    /// The port.
    public static let port = Kind(.port)
    /// The path.
    public static let path = Kind(.path)
    /// A placeholder of the path.
    public static let pathParameter = Kind(.pathParameters)
    /// A query parameter.
    public static let query = Kind(.query)
    /// A header field.
    public static let header = Kind(.headers)
    /// A cookie.
    public static let cookie = Kind(.cookies)
    /// The credentials of HTTP basic authentication.
    public static let basicAuth = Kind(.basicAuth)
    /// A value that the run keeps.
    public static let captured = Kind(.captured)
    /// The content.
    public static let body = Kind(.body)

    /// A field of a form.
    public static let form = Kind(rawValue: "form")
    /// A part of multipart content.
    public static let part = Kind(rawValue: "part")
    /// The file name of a part of multipart content.
    public static let filename = Kind(rawValue: "filename")
    /// A member of a GraphQL request.
    public static let graphQL = Kind(rawValue: "graphql")

    /// The responses of a stub, which are used up.
    public static let responses = Kind(rawValue: "responses")
    /// A flow, whose state blocks a stub.
    public static let flow = Kind(rawValue: "flow")
    /// The next stub, to which a stub hands the request on although none follows.
    public static let next = Kind(rawValue: "next")
  }
}
