package import StubDBModel

/// The segments of a path that a pattern asks for.
package struct PathShape: Hashable, Sendable {
  /// Which segments may be any.
  package struct Mask: Hashable, Sendable {
    fileprivate var free: [Int]
    fileprivate var count: Int
    fileprivate var isOpen: Bool
  }

  /// Nil for a segment that may be any.
  private var segments: [Substring?]
  /// Whether any number of segments may follow.
  private var isOpen: Bool

  private init(segments: [Substring?], isOpen: Bool) {
    (self.segments, self.isOpen) = (segments, isOpen)
  }

  /// A shape that all paths of a pattern have; nil for an operator.
  fileprivate init?(_ path: PathPattern?) {
    guard let path else {
      self.init(segments: [], isOpen: true)
      return
    }
    guard case .template(let text) = path else { return nil }
    let segments = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    let first = segments.prefix { $0 != "**" }
    self.init(
      segments: first.map { segment -> Substring? in
        URLParts.isPlaceholder(segment) ? nil : segment
      },
      isOpen: segments.count > first.count)
  }

  fileprivate var mask: Mask {
    Mask(
      free: segments.indices.filter { segments[$0] == nil }, count: segments.count, isOpen: isOpen)
  }

  /// The shape with the free segments of a mask; nil if it does not have all of the others.
  fileprivate func masked(by mask: Mask) -> PathShape? {
    guard mask.isOpen ? segments.count >= mask.count : !isOpen && segments.count == mask.count
    else { return nil }
    var masked = Array(segments.prefix(mask.count))
    for place in mask.free {
      // A placeholder is a segment that is not empty.
      if let segment = masked[place], segment.isEmpty { return nil }
      masked[place] = nil
    }
    guard masked.count(where: { $0 == nil }) == mask.free.count else { return nil }
    return PathShape(segments: masked, isOpen: mask.isOpen)
  }
}

/// Keys of patterns by their paths, to find those that accept every path of another one without comparing them with all.
package struct PathKeys: Sendable {
  package enum Key: Hashable, Sendable {
    case shape(PathShape)
    /// An operator that may accept what other operators accept.
    case freeText
    case exact(PathPattern?)
  }

  /// How many kinds of shapes are distinguished; patterns of others are found by the same path only.
  private static let maximumCount = 100

  private var masks: Set<PathShape.Mask> = []

  package init() {}

  /// The key of a pattern that is to be found.
  package mutating func insert(_ request: RequestPattern) -> Key {
    let key = key(of: request)
    if case .shape(let shape) = key { masks.insert(shape.mask) }
    return key
  }

  /// The key of a pattern that was inserted.
  package func key(of request: RequestPattern) -> Key {
    guard request.pathParameters.isEmpty else { return .exact(request.path) }
    if case .value(let pattern)? = request.path, pattern.isFree { return .freeText }
    guard let shape = PathShape(request.path),
      masks.count < Self.maximumCount || masks.contains(shape.mask)
    else { return .exact(request.path) }
    return .shape(shape)
  }

  /// The keys of all patterns that accept every path of the given one, and of others.
  package func keys(accepting request: RequestPattern) -> [Key] {
    // An operator is accepted by operators, and where any path is.
    guard let shape = PathShape(request.path) else {
      return [.exact(request.path), .freeText] + anyPath
    }
    return [.exact(request.path)] + masks.compactMap { shape.masked(by: $0).map(Key.shape) }
  }

  /// The key of patterns for any path.
  private var anyPath: [Key] { PathShape(nil).map { [.shape($0)] } ?? [] }
}

extension PathPattern {
  /// Whether every path that the other pattern accepts is accepted, too, as far as that is certain.
  func accepts(_ other: PathPattern) -> Bool {
    switch (self, other) {
    case (.value(let own), .value(let other)): return own.acceptsOne(other)
    case (.template(let own), .template(let other)):
      return Self.segments(own).acceptsAll(
        of: Self.segments(other), maximumSteps: 100_000, isMany: { $0 == "**" }, fits: Self.fits)
    default: return self == other
    }
  }

  private static func segments(_ template: String) -> [Substring] {
    template.split(separator: "/", omittingEmptySubsequences: false)
  }

  private static func fits(_ own: Substring, _ other: Substring) -> Bool {
    if other == "**" { return false }
    if URLParts.isPlaceholder(own) { return !other.isEmpty }
    return own == other
  }
}
