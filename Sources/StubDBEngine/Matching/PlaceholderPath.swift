import Foundation
import StubDBModel
import StubDBSupport

/// The path of a pattern, split into segments.
struct PlaceholderPath: Sendable {
  enum Segment: Hashable, Sendable {
    /// Exactly these bytes, in canonical percent-encoding.
    case literal(Substring)
    /// One segment that is not empty; the text is the name of the placeholder.
    case placeholder(Substring)
    /// Any number of segments, including none.
    case anySegments
  }

  /// The path as written.
  let text: String
  let segments: [Segment]

  /// Splits a path; nil for a path without placeholders and `**`.
  init?(_ path: String) {
    let mayBeOne = ByteText.withBytes(of: path) { bytes in
      bytes.contains { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "*") }
    }
    guard mayBeOne else { return nil }
    var isLiteral = true
    segments = Self.split(path).map { segment in
      if segment == "**" {
        isLiteral = false
        return .anySegments
      }
      guard URLParts.isPlaceholder(segment) else { return .literal(Self.literal(segment)) }
      isLiteral = false
      return .placeholder(segment.dropFirst().dropLast())
    }
    if isLiteral { return nil }
    text = path
  }

  /// A segment as requests have it: a pattern writes two asterisks that represent themselves in percent-encoding.
  private static func literal(_ segment: Substring) -> Substring {
    segment == "%2A%2A" ? "**" : segment
  }

  /// The path of a pattern without placeholders, as requests have it.
  static func literalPath(_ path: String) -> String {
    guard path.contains("/%2A%2A") else { return path }
    return path.split(separator: "/", omittingEmptySubsequences: false).map(literal)
      .joined(separator: "/")
  }

  /// The segments of a path that begins with `/`; `/` has one empty segment.
  static func split(_ path: String) -> [Substring] {
    // Split by hand because it is done for every request: `split` on a string's bytes takes three times as long.
    var segments: [Substring] = []
    segments.reserveCapacity(8)
    let octets = path.utf8
    var start = path.isEmpty ? octets.startIndex : octets.index(after: octets.startIndex)
    while let end = octets[start...].firstIndex(of: UInt8(ascii: "/")) {
      segments.append(path[start..<end])
      start = octets.index(after: end)
    }
    segments.append(path[start...])
    return segments
  }

  /// The number of segments that ``split(_:)`` gives.
  static func segmentCount(_ path: String) -> Int {
    ByteText.withBytes(of: path) { octets in
      octets.dropFirst().reduce(1) { $1 == UInt8(ascii: "/") ? $0 + 1 : $0 }
    }
  }

  /// Whether the segments of a path match.
  func matches(_ path: [Substring]) -> Bool { places(in: path) != nil }

  /// The decoded values of a placeholder in a path that matches, or of which an earlier form does; empty if the pattern
  /// does not have it.
  func values(of name: String, in path: [Substring], or earlier: [Substring]? = nil) -> [String] {
    guard let places = places(in: path) ?? earlier.flatMap(places) else { return [] }
    return zip(segments, places).compactMap { segment, place in
      guard segment == .placeholder(name[...]) else { return nil }
      return path[place].removingPercentEncoding ?? String(path[place])
    }
  }

  /// The range of the path's segments for each segment of the pattern; nil if the path does not match.
  ///
  /// `**` takes as few segments as possible. If a later segment does not fit, only the last `**` has to take more, so
  /// the cost is at most the product of the two lengths.
  private func places(in path: [Substring]) -> [Int]? {
    var places: [Int] = []
    places.reserveCapacity(segments.count)
    var (segment, place) = (0, 0)
    var lastAny: (segment: Int, place: Int)?
    while segment < segments.count || place < path.count {
      if segment < segments.count, segments[segment] == .anySegments {
        lastAny = (segment, place)
        places.append(place)
        segment += 1
      } else if segment < segments.count, place < path.count,
        Self.fits(segments[segment], path[place])
      {
        places.append(place)
        segment += 1
        place += 1
      } else if let last = lastAny, last.place < path.count {
        lastAny = (last.segment, last.place + 1)
        places.removeSubrange((last.segment + 1)...)
        (segment, place) = (last.segment + 1, last.place + 1)
      } else {
        return nil
      }
    }
    return places
  }

  private static func fits(_ segment: Segment, _ text: Substring) -> Bool {
    switch segment {
    case .literal(let literal): literal == text
    case .placeholder: !text.isEmpty
    case .anySegments: false
    }
  }
}
