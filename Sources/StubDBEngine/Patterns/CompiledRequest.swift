import HTTPTypes
import StubDBModel

/// A request pattern that is ready to be compared.
///
/// Matching and explaining go through the same parts.
struct CompiledRequest: Sendable {
  /// The parts of a pattern that a comparison looks at.
  enum Stage {
    case all
    /// Those that the request alone decides.
    case independent
    /// Those that compare with what the run keeps.
    case captured
  }

  let path: CompiledPath
  /// What the pattern requires besides the path.
  let demands: CompiledDemands
  /// A number that requests have in common only if their leading parts and plain paths are equal.
  let leadingGroup: Int

  /// Compiles a pattern, whose host is in the form of ``HostPattern``.
  init(
    _ pattern: UnsafePointer<RequestPattern>, _ compiler: inout PatternCompiler
  ) throws(CompileError) {
    path = try CompiledPath(pattern.pointee.path, &compiler)
    demands = try compiler.demands(of: pattern, path)
    leadingGroup = compiler.group(of: demands, path)
  }

  /// What the pattern requires, in the order of the document's keys.
  var parts: [any CompiledPart] {
    var parts = demands.parts
    if case .any = path { return parts }
    parts.insert(PathPart(path: path), at: demands.pathPlace)
    return parts
  }

  /// Whether any part compares with what the run keeps.
  var asksForCaptured: Bool { !demands.comparing.isEmpty || path.asksForCaptured }

  /// The path of the only URL that satisfies the pattern; nil if there may be others.
  var pathOfURL: String? {
    demands.parts.lazy.compactMap { ($0 as? URLPart)?.named.value.literal }.first
      .flatMap { URLParts($0)?.path }
  }

  /// Whether the request satisfies the parts.
  ///
  /// `known` keeps the verdict on the leading parts for the next pattern, which often begins with the same.
  func matches(
    _ request: PreparedRequest, _ scope: MatchScope, _ stage: Stage = .all,
    known: inout LeadingVerdict
  ) -> Bool {
    if stage == .captured {
      return (!path.asksForCaptured || path.verdict(request, scope) == true)
        && Self.matches(demands.comparing, from: 0, request, scope)
    }
    // A request without an origin follows rules that only the parts know.
    let skipsLeading = !request.isOriginless
    if skipsLeading {
      if known.group != leadingGroup {
        known = LeadingVerdict(
          group: leadingGroup,
          isMatch: demands.leading.match(request) && path.mayMatch(request.path))
      }
      guard known.isMatch else { return false }
    }
    let skipsComparing = stage == .independent && asksForCaptured
    if !(skipsLeading && path.isLiteral), !(skipsComparing && path.asksForCaptured) {
      guard path.verdict(request, scope) == true else { return false }
    }
    return Self.matches(
      demands.parts, from: skipsLeading ? demands.leading.count : 0, request, scope,
      skipsComparing: skipsComparing)
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

  /// A cheap estimate of how far the request is from the pattern; at most 1,500.
  func guess(_ request: PreparedRequest) -> Int {
    let guess = demands.parts.reduce(0) { $0 + $1.guess(request) }
    if case .any = path { return guess }
    return guess + PathPart(path: path).guess(request)
  }

  /// How much the parts count together that the pattern leaves free, though most patterns have them.
  var freeWeight: Double {
    let given = Set(parts.map(\.part))
    let isWholeURL = given.contains(.url) && given.isDisjoint(with: [.host, .path])
    let usual: [RequestPart] = isWholeURL ? [.method] : [.method, .host, .path]
    return usual.filter { !given.contains($0) }.reduce(0) { $0 + $1.weight }
  }
}

/// What a pattern requires besides the path.
///
/// A class, because neighbouring stubs often differ in nothing but the path: they share it, so that it is compiled once
/// and stays in the processor's caches while requests are compared.
final class CompiledDemands: Sendable {
  let methods: [String]
  /// The parts in the order of the document's keys.
  let parts: [any CompiledPart]
  /// How many of the parts come before the path.
  let pathPlace: Int
  /// What the first of them require, which is compared without looking into the list.
  let leading: LeadingParts
  /// Those that compare with what the run keeps; empty for most stubs.
  let comparing: [any CompiledPart]

  /// Compiles all of a pattern but its path, which is compiled already.
  init(
    _ pattern: borrowing RequestPattern, _ path: CompiledPath, _ compiler: inout PatternCompiler
  ) throws(CompileError) {
    methods = pattern.methods.map(\.rawValue)
    var parts: [any CompiledPart] = []
    parts.reserveCapacity(
      4 + pattern.query.count + pattern.headers.count + pattern.cookies.count
        + pattern.body.count)
    var pathPlace = 0
    for part in RequestPart.all {
      if part == .path { pathPlace = parts.count }
      try compiler.append(part, of: pattern, path, to: &parts)
    }
    self.parts = parts
    self.pathPlace = pathPlace
    leading = LeadingParts(parts, pattern)
    comparing = parts.filter(\.asksForCaptured)
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

  init(_ parts: [any CompiledPart], _ pattern: borrowing RequestPattern) {
    while count < parts.count, take(parts[count].part, pattern) { count += 1 }
  }

  /// Takes over what a part requires; false if it is not plain.
  private mutating func take(_ part: RequestPart, _ pattern: borrowing RequestPattern) -> Bool {
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
  }

  private func isEqual(_ text: String, _ other: String?) -> Bool {
    other.map { ByteText.isEqual($0, text) } ?? false
  }
}
