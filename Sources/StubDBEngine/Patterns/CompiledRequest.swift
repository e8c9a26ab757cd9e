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
  func matches(
    _ request: PreparedRequest, _ scope: MatchScope, _ stage: Stage = .all
  ) -> Bool {
    let skipsComparing = stage == .independent && asksForCaptured
    // Compared in place: taking a part out of the array retains what it is made of.
    return (stage == .captured ? comparing : parts).withUnsafeBufferPointer { parts in
      for index in parts.indices {
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
