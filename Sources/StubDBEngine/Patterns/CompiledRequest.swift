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
  /// What the pattern requires, in the order of the document's keys.
  let parts: [any CompiledPart]
  /// Whether any part compares with what the run keeps.
  let asksForCaptured: Bool
  /// Whether the pattern names the method `HEAD`.
  let namesHead: Bool

  /// Compiles a pattern, whose host is in the form of ``HostPattern``.
  init(_ pattern: RequestPattern, _ compiler: inout PatternCompiler) throws(CompileError) {
    path = try CompiledPath(pattern.path, &compiler)
    var parts: [any CompiledPart] = []
    parts.reserveCapacity(
      5 + pattern.query.count + pattern.headers.count + pattern.cookies.count
        + pattern.body.count)
    for part in RequestPart.all { try compiler.append(part, of: pattern, path, to: &parts) }
    self.parts = parts
    asksForCaptured = parts.contains(where: \.asksForCaptured)
    namesHead = pattern.methods.contains(.head)
  }

  /// The path of the only URL that satisfies the pattern; nil if there may be others.
  var pathOfURL: String? {
    parts.lazy.compactMap { ($0 as? URLPart)?.named.value.literal }.first
      .flatMap { URLParts($0)?.path }
  }

  /// Whether the request satisfies the parts.
  func matches(
    _ request: PreparedRequest, _ scope: MatchScope, _ stage: Stage = .all
  ) -> Bool {
    // Compared in place: taking a part out of the array retains what it is made of.
    parts.withUnsafeBufferPointer { parts in
      for index in parts.indices {
        switch stage {
        case .independent where asksForCaptured && parts[index].asksForCaptured: continue
        case .captured where !parts[index].asksForCaptured: continue
        case .all, .independent, .captured: break
        }
        guard parts[index].verdict(request, scope, nil) == true else { return false }
      }
      return true
    }
  }

  /// A cheap estimate of how far the request is from the pattern; at most 1,500.
  func guess(_ request: PreparedRequest) -> Int {
    parts.reduce(0) { $0 + $1.guess(request) }
  }

  /// How much the parts count together that the pattern leaves free, though most patterns have them.
  var freeWeight: Double {
    let given = Set(parts.map(\.part))
    let isWholeURL = given.contains(.url) && given.isDisjoint(with: [.host, .path])
    let usual: [RequestPart] = isWholeURL ? [.method] : [.method, .host, .path]
    return usual.filter { !given.contains($0) }.reduce(0) { $0 + $1.weight }
  }
}
