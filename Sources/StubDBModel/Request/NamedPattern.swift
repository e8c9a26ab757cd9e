/// A pattern for the values of a name: a query parameter, a header field, a cookie, a path placeholder.
public struct NamedPattern: Hashable, Sendable {
  /// The name, decoded; may be empty only for a query parameter.
  public var name: String
  /// The pattern for its value or values.
  public var pattern: ValuePattern

  /// Makes a named pattern.
  public init(_ name: String, _ pattern: ValuePattern) {
    self.name = name
    self.pattern = pattern
  }

  package static func sorted(_ patterns: [NamedPattern]) -> [NamedPattern] {
    patterns.count < 2 ? patterns : patterns.sorted { $0.name < $1.name }
  }

  package static func sortedIgnoringCase(_ patterns: [NamedPattern]) -> [NamedPattern] {
    guard patterns.count > 1 else { return patterns }
    return patterns.sorted { left, right in
      let (first, second) = (left.name.lowercased(), right.name.lowercased())
      return first == second ? left.name < right.name : first < second
    }
  }
}
