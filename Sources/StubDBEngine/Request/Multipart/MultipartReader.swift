import Foundation

/// Cuts a multipart content into its parts.
///
/// https://www.rfc-editor.org/rfc/rfc2046#section-5.1
struct MultipartReader {
  /// Why a content has no parts.
  struct Problem: Error {
    /// A phrase.
    var reason: String
  }

  /// How many parts one content may have.
  static let maximumCount = 10_000
  private static let blankLine = Data("\r\n\r\n".utf8)

  private let data: Data
  private let boundary: Data

  /// Takes the boundary from the `Content-Type`.
  ///
  /// - Throws: A ``Problem`` for another type, and for one without a boundary.
  init(_ data: Data, contentType: String?) throws(Problem) {
    guard let contentType else { throw Problem(reason: "not multipart: it has no Content-Type") }
    let type = ParameterizedValue(contentType)
    guard type.value.lowercased().hasPrefix("multipart/") else {
      throw Problem(
        reason: "not multipart: its Content-Type is \(TextExcerpt.plain(contentType))")
    }
    guard let boundary = type["boundary"], !boundary.isEmpty else {
      throw Problem(reason: "not multipart: its Content-Type names no boundary")
    }
    // Slices keep their places; a copy begins at 0.
    self.data = Data(data)
    self.boundary = Data("--\(boundary)".utf8)
  }

  /// The parts in order.
  ///
  /// - Throws: A ``Problem`` where a boundary is missing.
  func parts(_ context: MatchContext) throws(Problem) -> [PreparedPart] {
    guard var place = nextBoundary(from: 0)?.upperBound else {
      throw Problem(reason: "not multipart: the boundary does not occur")
    }
    var parts: [PreparedPart] = []
    while !data[place...].starts(with: Data("--".utf8)) {
      guard let end = nextBoundary(from: place) else {
        throw Problem(reason: "not multipart: the last boundary is missing")
      }
      guard parts.count < Self.maximumCount else {
        throw Problem(reason: "not multipart: it has more than \(Self.maximumCount) parts")
      }
      parts.append(part(data[place..<end.lowerBound], context))
      place = end.upperBound
    }
    return parts
  }

  /// The next boundary that begins a line, with the line end before it.
  private func nextBoundary(from start: Int) -> Range<Int>? {
    var place = start
    while let found = data.range(of: boundary, in: place..<data.count) {
      let isAtLineStart = found.lowerBound == 0 || data[found.lowerBound - 1] == 0x0A
      let isWhole =
        found.upperBound == data.count
        || [0x0D, 0x0A, 0x20, 0x09, UInt8(ascii: "-")].contains(data[found.upperBound])
      guard isAtLineStart, isWhole else {
        place = found.lowerBound + 1
        continue
      }
      var lower = found.lowerBound
      if lower > start, data[lower - 1] == 0x0A { lower -= 1 }
      if lower > start, data[lower - 1] == 0x0D { lower -= 1 }
      return lower..<found.upperBound
    }
    return nil
  }

  /// A part from behind its boundary: the rest of that line, header fields, an empty line, content.
  private func part(_ bytes: Data, _ context: MatchContext) -> PreparedPart {
    let lineEnd = bytes.firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.endIndex
    let rest = bytes[lineEnd...]
    var (head, body) = (rest, Data())
    if rest.first == 0x0A || rest.starts(with: [0x0D, 0x0A]) {
      head = Data()
      body = rest.dropFirst(rest.first == 0x0A ? 1 : 2)
    } else if let blank = rest.range(of: Self.blankLine)
      ?? rest.range(of: Data("\n\n".utf8))
    {
      head = rest[..<blank.lowerBound]
      body = rest[blank.upperBound...]
    }
    let headers = Self.headers(head)
    let disposition = headers.first { ByteText.isSameName($0.name, "content-disposition") }
      .map { ParameterizedValue($0.value) }
    return PreparedPart(
      name: disposition?["name"], filename: disposition?["filename"], headers: headers,
      body: PreparedBody(
        part: Data(body),
        contentType: headers.first { ByteText.isSameName($0.name, "content-type") }?.value,
        context: context))
  }

  private static func headers(_ head: Data) -> [(name: String, value: String)] {
    head.split(separator: 0x0A).compactMap { line in
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      let value = line[(colon + 1)...]
      return (
        FieldValues.trimmed(line[..<colon]),
        FieldValues.trimmed(value.last == 0x0D ? value.dropLast() : value)
      )
    }
  }
}
