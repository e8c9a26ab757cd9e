internal import Foundation

/// The path of an operation, which requests are compared with.
struct DescribedPath: Sendable {
  private enum Segment: Sendable {
    case literal(String)
    /// What is around placeholders and between them, such as `v` and nothing for `v{version}`.
    case open(parts: [String], names: [String])
  }

  private let segments: [Segment]

  /// Parses a path in canonical encoding with placeholders in braces.
  init(_ path: String) {
    segments = Self.split(path).map(Self.segment)
  }

  /// The segments of a path.
  static func split(_ path: String) -> [Substring] {
    path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
  }

  private static func segment(_ text: Substring) -> Segment {
    guard text.contains("{") else { return .literal(String(text)) }
    var (parts, names) = ([String](), [String]())
    var rest = text
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      parts.append(String(rest[..<open]))
      names.append(String(rest[rest.index(after: open)..<close]))
      rest = rest[rest.index(after: close)...]
    }
    return .open(parts: parts + [String(rest)], names: names)
  }

  /// The values of the placeholders by their names, and a number for each segment that has any; nil if the path differs.
  func values(in path: [Substring]) -> (values: [(name: String, value: String)], rank: [Int])? {
    guard path.count == segments.count else { return nil }
    var (found, rank) = ([(name: String, value: String)](), [Int]())
    for (segment, text) in zip(segments, path) {
      switch segment {
      case .literal(let literal):
        guard literal == text else { return nil }
        rank.append(0)
      case .open(let parts, let names):
        guard let values = Self.values(of: text, between: parts) else { return nil }
        found += zip(names, values).map { ($0, $1.removingPercentEncoding ?? $1) }
        rank.append(parts.allSatisfy(\.isEmpty) ? 2 : 1)
      }
    }
    return (found, rank)
  }

  /// What is between the parts of a segment; each piece has a character or more.
  private static func values(of text: Substring, between parts: [String]) -> [String]? {
    guard let first = parts.first, text.hasPrefix(first) else { return nil }
    var rest = text.dropFirst(first.count)
    var values: [String] = []
    for (index, part) in parts.dropFirst().enumerated() {
      let isLast = index == parts.count - 2
      guard !rest.isEmpty else { return nil }
      let end: Substring.Index
      if isLast {
        guard rest.hasSuffix(part) else { return nil }
        end = rest.index(rest.endIndex, offsetBy: -part.count)
      } else {
        let after = rest.index(after: rest.startIndex)
        guard !part.isEmpty, let range = rest[after...].firstRange(of: part) else { return nil }
        end = range.lowerBound
      }
      guard end > rest.startIndex else { return nil }
      values.append(String(rest[..<end]))
      rest = rest[end...].dropFirst(part.count)
    }
    return values
  }
}
