import HTTPTypes
import StubDBModel

/// A request pattern that is ready to be compared.
///
/// Matching and explaining go through the same parts in the same order. A class, because a structure would be retained
/// part by part for every request that looks at it.
final class CompiledRequest: Sendable {
  /// The parts of a pattern that a comparison looks at.
  enum Stage {
    case all
    /// Those that the request alone decides.
    case independent
    /// Those that compare with what the run keeps.
    case captured
  }

  let methods: [String]
  let path: CompiledPath
  /// What the pattern requires, in the order of the document's keys.
  let parts: [any CompiledPart]
  /// What the first of them require, which is compared without looking into the list.
  private let leading: LeadingParts
  /// A number that requests have in common only if their leading parts are equal.
  let leadingGroup: Int
  /// Those that compare with what the run keeps; empty for most stubs.
  private let comparing: [any CompiledPart]

  /// Compiles a pattern, whose host is in the form of ``HostPattern``.
  init(
    _ pattern: borrowing RequestPattern, _ compiler: inout PatternCompiler
  ) throws(CompileError) {
    methods = pattern.methods.map(\.rawValue)
    path = try CompiledPath(pattern.path, &compiler)
    var parts: [any CompiledPart] = []
    parts.reserveCapacity(
      5 + pattern.query.count + pattern.headers.count + pattern.cookies.count
        + pattern.body.count)
    for part in RequestPart.all {
      try compiler.append(part, of: pattern, path, to: &parts)
    }
    self.parts = parts
    leading = LeadingParts(parts, pattern, path)
    leadingGroup = compiler.group(of: leading)
    comparing = parts.filter(\.asksForCaptured)
  }

  /// Whether any part compares with what the run keeps.
  var asksForCaptured: Bool { !comparing.isEmpty }

  /// The path of the only URL that satisfies the pattern; nil if there may be others.
  var pathOfURL: String? {
    parts.lazy.compactMap { ($0 as? URLPart)?.named.value.literal }.first
      .flatMap { URLParts($0)?.path }
  }

  /// Whether the request satisfies the parts.
  ///
  /// `known` keeps the verdict on the leading parts for the next pattern, which often begins with the same.
  func matches(
    _ request: PreparedRequest, _ scope: MatchScope, _ stage: Stage = .all,
    known: inout LeadingVerdict
  ) -> Bool {
    if stage == .captured { return Self.matches(comparing, from: 0, request, scope) }
    // A request without an origin follows rules that only the parts know.
    let skipsLeading = !request.isOriginless
    if skipsLeading {
      if known.group != leadingGroup {
        known = LeadingVerdict(group: leadingGroup, isMatch: leading.match(request))
      }
      guard known.isMatch else { return false }
    }
    return Self.matches(
      parts, from: skipsLeading ? leading.count : 0, request, scope,
      skipsComparing: stage == .independent && asksForCaptured)
  }

  /// Whether the request satisfies the parts.
  func matches(
    _ request: PreparedRequest, _ scope: MatchScope, _ stage: Stage = .all
  ) -> Bool {
    var known = LeadingVerdict()
    return matches(request, scope, stage, known: &known)
  }

  private static func matches(
    _ parts: [any CompiledPart], from start: Int, _ request: PreparedRequest, _ scope: MatchScope,
    skipsComparing: Bool = false
  ) -> Bool {
    // Compared in place: taking a part out of the array retains what it is made of.
    parts.withUnsafeBufferPointer { parts in
      for index in start..<parts.count {
        if skipsComparing, parts[index].asksForCaptured { continue }
        guard parts[index].verdict(request, scope, nil) == true else { return false }
      }
      return true
    }
  }

  /// How much the parts count together that the pattern leaves free, though most patterns have them.
  var freeWeight: Double {
    let given = Set(parts.map(\.part))
    let isWholeURL = given.contains(.url) && given.isDisjoint(with: [.host, .path])
    let usual: [RequestPart] = isWholeURL ? [.method] : [.method, .host, .path]
    return usual.filter { !given.contains($0) }.reduce(0) { $0 + $1.weight }
  }
}

/// Whether a request satisfies the leading parts of the patterns of a group.
struct LeadingVerdict {
  var group = -1
  var isMatch = false
}

/// What the first parts of a pattern require, if they are of the plain kinds that most patterns begin with.
///
/// A part in a list is copied when it is asked for its verdict, which takes longer than to compare two short texts.
struct LeadingParts: Equatable, Sendable {
  /// The number of parts that are compared here.
  private(set) var count = 0
  private var methods: [String] = []
  private var scheme: String?
  private var host: String?
  private var port: PortPart?
  private var path: String?

  init(
    _ parts: [any CompiledPart], _ pattern: borrowing RequestPattern, _ path: CompiledPath
  ) {
    while count < parts.count, take(parts[count].part, pattern, path) { count += 1 }
  }

  /// Takes over what a part requires; false if it is not plain.
  private mutating func take(
    _ part: RequestPart, _ pattern: borrowing RequestPattern, _ path: CompiledPath
  ) -> Bool {
    switch part {
    case .method:
      methods = pattern.methods.map(\.rawValue)
    case .scheme:
      scheme = pattern.scheme
    case .host:
      host = pattern.host?.literal
      return host != nil
    case .port:
      port = PortPart(pattern.port, scheme: pattern.scheme)
    case .path:
      guard case .literal(let text) = path else { return false }
      self.path = text
    default:
      return false
    }
    return true
  }

  /// Whether the request satisfies all of them.
  func match(_ request: PreparedRequest) -> Bool {
    (methods.isEmpty || MethodPart.matches(methods, request))
      && scheme.map { $0 == request.scheme } ?? true
      && host.map { isEqual($0, request.host) } ?? true
      && port?.matches(request) ?? true
      && path.map { ByteText.isEqual($0, request.path) } ?? true
  }

  private func isEqual(_ text: String, _ other: String?) -> Bool {
    other.map { ByteText.isEqual($0, text) } ?? false
  }
}
