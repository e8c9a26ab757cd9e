import Foundation
import HTTPTypes
import StubDBModel
import StubDBSupport

/// The part `method`.
struct MethodPart: CompiledPart {
  let methods: [HTTPRequest.Method]

  var part: RequestPart { .method }

  /// A stub for `GET` answers `HEAD` too. https://www.rfc-editor.org/rfc/rfc9110#section-9.3.2
  func verdict(
    _ request: PreparedRequest, _ scope: MatchScope, _ report: BodyReport?
  ) -> Bool? {
    matches(request)
  }

  private func matches(_ request: PreparedRequest) -> Bool {
    methods.contains { method in
      ByteText.isEqual(method.rawValue, request.request.method)
        || request.isHead && method == .get
    }
  }

  func difference(
    _ request: PreparedRequest, _ scope: MatchScope, _ verdict: Bool?, _ report: BodyReport
  ) -> PartDifference {
    difference(methods.map(\.rawValue).joined(separator: " or "), request.request.method)
  }

  func keys(for facet: StubFacet) -> [String]? {
    facet == .part(.method) ? methods.map(\.rawValue) : nil
  }

  func guess(_ request: PreparedRequest) -> Int { matches(request) ? 0 : 200 }
}

/// The part `scheme`.
struct SchemePart: CompiledPart {
  let scheme: String

  var part: RequestPart { .scheme }

  func verdict(
    _ request: PreparedRequest, _ scope: MatchScope, _ report: BodyReport?
  ) -> Bool? {
    scheme == request.scheme || request.isOriginless
  }

  func difference(
    _ request: PreparedRequest, _ scope: MatchScope, _ verdict: Bool?, _ report: BodyReport
  ) -> PartDifference {
    difference(scheme, request.scheme ?? "unknown")
  }
}

/// The part `port`, which follows from the scheme if it is not given.
struct PortPart: CompiledPart {
  private let expected: Int?
  /// The scheme that the port follows from; nil if the port is given.
  private let scheme: String?

  /// Nil if any port matches.
  init?(_ port: Int?, scheme: String?) {
    guard port != nil || scheme != nil else { return nil }
    expected = port ?? scheme.flatMap(URLParts.defaultPort)
    self.scheme = port == nil ? scheme : nil
  }

  var part: RequestPart { .port }

  /// If the scheme differs, the port that follows from it says nothing new.
  func verdict(
    _ request: PreparedRequest, _ scope: MatchScope, _ report: BodyReport?
  ) -> Bool? {
    expected == request.port || scheme != nil && scheme != request.scheme
      || request.isOriginless
  }

  func difference(
    _ request: PreparedRequest, _ scope: MatchScope, _ verdict: Bool?, _ report: BodyReport
  ) -> PartDifference {
    var difference = difference(
      expected.map(String.init) ?? "none", request.port.map(String.init) ?? "none")
    difference.weight = 1
    return difference
  }
}

/// What the path must satisfy.
enum CompiledPath: Sendable {
  case any
  /// A path without placeholders.
  case literal(String)
  indirect case placeholders(PlaceholderPath)
  indirect case value(ValuePattern, any CompiledValue)

  init(_ pattern: PathPattern?, _ compiler: inout PatternCompiler) throws(CompileError) {
    switch pattern {
    case nil: self = .any
    case .template(let text):
      self =
        PlaceholderPath(text).map { .placeholders($0) }
        ?? .literal(PlaceholderPath.literalPath(text))
    case .value(let value):
      let compiled = try compiler.placed("path") { (compiler) throws(CompileError) in
        try compiler.value(value, isInObject: true)
      }
      self = compiled.literal.map { .literal($0) } ?? .value(value, compiled)
    }
  }

  /// The path with its placeholders or `**`; nil for any other path.
  var placeholders: PlaceholderPath? {
    if case .placeholders(let path) = self { path } else { nil }
  }

  /// Whether it compares with values that the run keeps.
  var asksForCaptured: Bool {
    if case .value(_, let value) = self { value.asksForCaptured } else { false }
  }

  /// Whether the request satisfies it; nil if that is unknown.
  func verdict(_ request: PreparedRequest, _ scope: MatchScope) -> Bool? {
    switch self {
    case .any: true
    case .literal(let text): ByteText.isEqual(text, request.path)
    case .placeholders(let path): path.matches(request.segments)
    case .value(_, let value): value.matches(request.path, scope)
    }
  }
}

/// The part `path`.
struct PathPart: CompiledPart {
  let path: CompiledPath

  var part: RequestPart { .path }
  var asksForCaptured: Bool { path.asksForCaptured }

  func verdict(
    _ request: PreparedRequest, _ scope: MatchScope, _ report: BodyReport?
  ) -> Bool? {
    path.verdict(request, scope)
  }

  func difference(
    _ request: PreparedRequest, _ scope: MatchScope, _ verdict: Bool?, _ report: BodyReport
  ) -> PartDifference {
    var expected = texts.map(TextExcerpt.plain).joined(separator: " or ")
    if case .value(let pattern, _) = path, texts.isEmpty { expected = pattern.phrase }
    var difference = difference(expected, TextExcerpt.plain(request.path))
    difference.distance = texts.map { TextDistance.between($0, request.path) }.min() ?? 1
    return difference
  }

  /// The path as the document writes it, of a resource those of its list and its items; empty for another operator.
  private var texts: [String] {
    switch path {
    case .literal(let text): [text]
    case .placeholders(let path): [path.text]
    case .value(let pattern, _): pattern.resourcePaths
    case .any: []
    }
  }

  func guess(_ request: PreparedRequest) -> Int {
    if path.placeholders?.matches(request.segments) == true { return 0 }
    return texts.map { Int(500 * TextDistance.guess($0, request.path)) }.min() ?? 250
  }
}

/// The part `basicAuth`.
struct CredentialsPart: CompiledPart {
  private let username: String
  /// The decoded credentials that the `Authorization` field must have.
  private let expected: Data

  init(_ credentials: BasicCredentials) {
    username = credentials.username
    expected = Data("\(credentials.username):\(credentials.password)".utf8)
  }

  var part: RequestPart { .basicAuth }

  /// Whether an `Authorization` field holds the credentials. https://www.rfc-editor.org/rfc/rfc7617#section-2
  func verdict(
    _ request: PreparedRequest, _ scope: MatchScope, _ report: BodyReport?
  ) -> Bool? {
    request.values(ofHeader: "authorization").values.contains { value in
      let parts = value.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1)
      guard parts.count == 2, ByteText.isSameName(String(Substring(parts[0])), "basic") else {
        return false
      }
      return Data(base64Encoded: FieldValues.trimmed(parts[1])) == expected
    }
  }

  func difference(
    _ request: PreparedRequest, _ scope: MatchScope, _ verdict: Bool?, _ report: BodyReport
  ) -> PartDifference {
    let values = request.values(ofHeader: "authorization").values
    return difference(
      "user \(TextExcerpt.quoted(username)) and its password",
      ReportPhrase.actual(values, of: "authorization"))
  }
}

/// The part `body`: one of the patterns that the content must satisfy.
struct BodyPart: CompiledPart {
  let body: any CompiledBody

  var part: RequestPart { .body }
  var asksForCaptured: Bool { body.asksForCaptured }
  var facets: [StubFacet] { body.facets }

  func keys(for facet: StubFacet) -> [String]? { body.key(for: facet).map { [$0] } }

  func verdict(
    _ request: PreparedRequest, _ scope: MatchScope, _ report: BodyReport?
  ) -> Bool? {
    body.verdict(request.body, scope, report)
  }

  func difference(
    _ request: PreparedRequest, _ scope: MatchScope, _ verdict: Bool?, _ report: BodyReport
  ) -> PartDifference {
    if verdict == nil, case .bytes = request.body.content.kind, case .value = request.body.text {
      report.noteTimeout()
    }
    return PartDifference(distance: report.distance, mismatches: report.mismatches)
  }
}
