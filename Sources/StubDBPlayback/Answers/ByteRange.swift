import HTTPTypes
import StubDBEngine

/// The part of a representation that a `Range` field asks for.
///
/// https://www.rfc-editor.org/rfc/rfc9110#section-14.2
enum ByteRange: Equatable {
  /// The whole: there is no range, or one that a server may ignore.
  case whole
  case part(Range<Int>)
  /// A range outside the representation.
  case unsatisfiable

  /// Parses the fields of a `GET` for a response with this many bytes.
  init(_ request: StubRequest, for headers: HTTPFields, byteCount: Int) {
    self = .whole
    guard request.method == "GET", let range = request.headers[.range],
      headers[.contentRange] == nil, headers[.acceptRanges]?.lowercased() != "none"
    else { return }
    if let condition = request.headers[.ifRange], !Self.isMet(condition, by: headers) { return }
    self = Self(range, byteCount: byteCount)
  }

  /// Parses the value of the field; several ranges at once are ignored, as servers may do.
  init(_ value: String, byteCount: Int) {
    self = .whole
    let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return }
    let bounds = Self.trimmed(parts[1])
      .split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard bounds.count == 2 else { return }
    switch (Self.position(bounds[0]), Self.position(bounds[1])) {
    case (let first?, let last) where last != nil || bounds[1].isEmpty:
      if let last, last < first { return }
      self =
        first < byteCount
        ? .part(first..<(min(last ?? .max, byteCount - 1) + 1)) : .unsatisfiable
    case (nil, let count?) where bounds[0].isEmpty:
      self =
        count > 0 && byteCount > 0
        ? .part(max(0, byteCount - count)..<byteCount) : .unsatisfiable
    default:
      return
    }
  }

  /// The text without surrounding spaces and tabs.
  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text.drop { $0 == " " || $0 == "\t" }
  }

  /// A number of digits only; one that is too large for a position becomes the largest.
  private static func position(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text) ?? .max
  }

  /// Whether the range still applies to the representation that the client has.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9110#section-13.1.5
  private static func isMet(_ condition: String, by headers: HTTPFields) -> Bool {
    if condition.hasPrefix("\"") { return condition == headers[.eTag] }
    return !condition.hasPrefix("W/") && condition == headers[.lastModified]
  }
}
