internal import Foundation

/// Makes a ``SourceTree`` of a JSON text.
///
/// Other tools read JSON leniently, so comments and strings in single quotes are accepted. Nothing recurses: how deep
/// values nest is limited by a number, not by the stack.
struct JSONSource {
  /// How deep arrays and objects may nest, as in documents.
  static let maximumDepth = 512

  private let bytes: UnsafeRawBufferPointer
  private let file: String
  private var place: Int
  private var nodes: ContiguousArray<SourceTree.Node> = []
  /// The arrays and objects around the current place.
  private var open: [UInt32] = []

  /// The values of a text.
  ///
  /// - Throws: ``FormatError`` with the line and column.
  static func values(_ text: Data, file: String) throws(FormatError) -> SourceTree.Values {
    let result = text.withUnsafeBytes {
      bytes -> Result<ContiguousArray<SourceTree.Node>, FormatError> in
      var source = JSONSource(bytes: bytes, file: file)
      do throws(FormatError) {
        try source.parse()
        return .success(source.nodes)
      } catch {
        return .failure(error)
      }
    }
    return SourceTree.Values(nodes: try result.get(), texts: .bytes(text))
  }

  private init(bytes: UnsafeRawBufferPointer, file: String) {
    self.bytes = bytes
    self.file = file
    place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    nodes.reserveCapacity(bytes.count / 24)
  }

  private mutating func parse() throws(FormatError) {
    try parseValue()
    while let container = open.last {
      guard nodes.count < Self.maximumValueCount else {
        throw failure("more than \(Self.maximumValueCount) values; import a part of it")
      }
      try skipSpace()
      let isObject = nodes[Int(container)].kind == .object
      if take(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
        try close(container)
        continue
      }
      if nodes.count > Int(container) + 1, !take(UInt8(ascii: ",")) {
        throw failure("expected ',' or '\(isObject ? "}" : "]")'")
      }
      if nodes.count > Int(container) + 1 { try requireAnother(before: isObject ? "}" : "]") }
      if isObject { try parseName() }
      try parseValue()
    }
    try skipSpace()
    if place < bytes.count { throw failure("unexpected text after the end of the value") }
  }

  /// Throws for a comma after the last member or element, which JavaScript and YAML allow.
  private mutating func requireAnother(before end: Unicode.Scalar) throws(FormatError) {
    try skipSpace()
    guard place < bytes.count, bytes[place] == UInt8(ascii: end) else { return }
    throw failure("'\(end)' after a comma; JSON has no comma after the last one, so remove it")
  }

  /// Reads a scalar, or opens an array or an object.
  private mutating func parseValue() throws(FormatError) {
    try skipSpace()
    guard place < bytes.count else { throw failure("expected a value, found the end of the text") }
    switch bytes[place] {
    case UInt8(ascii: "{"): try openContainer(.object)
    case UInt8(ascii: "["): try openContainer(.array)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): try parseString(.string, escaped: .escapedString)
    case UInt8(ascii: "t"): try parseLiteral("true", .yes)
    case UInt8(ascii: "f"): try parseLiteral("false", .no)
    case UInt8(ascii: "n"): try parseLiteral("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try parseNumber()
    default: throw failure("expected a value")
    }
  }

  private mutating func openContainer(_ kind: SourceTree.Kind) throws(FormatError) {
    guard open.count < Self.maximumDepth else {
      throw failure("more than \(Self.maximumDepth) arrays and objects inside each other")
    }
    append(kind, place, place)
    open.append(UInt32(nodes.count - 1))
    place += 1
  }

  private mutating func close(_ container: UInt32) throws(FormatError) {
    open.removeLast()
    nodes[Int(container)].next = UInt32(nodes.count)
    guard nodes[Int(container)].kind == .object else { return }
    if let twice = duplicateName(in: Int(container)) {
      let node = nodes[twice]
      throw failure(
        "the member \"\(text(of: node))\" is given twice", at: Int(node.start) - 1)
    }
  }

  /// Every value takes 20 bytes beside the text: a text of nothing but small ones would take ten times its size.
  static let maximumValueCount = 40_000_000

  private mutating func append(_ kind: SourceTree.Kind, _ start: Int, _ end: Int) {
    nodes.append(
      SourceTree.Node(
        kind: kind, start: UInt32(start), end: UInt32(end), next: UInt32(nodes.count + 1),
        parent: open.last ?? 0))
  }
}

// MARK: - Scalars

extension JSONSource {
  private mutating func parseName() throws(FormatError) {
    try skipSpace()
    guard place < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[place]) else {
      throw failure("expected a member name in quotes")
    }
    try parseString(.name, escaped: .escapedName)
    try skipSpace()
    guard take(UInt8(ascii: ":")) else { throw failure("expected ':' after a member name") }
  }

  private mutating func parseString(
    _ kind: SourceTree.Kind, escaped: SourceTree.Kind
  ) throws(FormatError) {
    let opening = place
    let quote = bytes[place]
    var isEscaped = false
    place += 1
    while true {
      skipPlainBytes()
      guard place < bytes.count else { throw failure("the string is not closed", at: opening) }
      let byte = bytes[place]
      if byte == quote {
        append(isEscaped ? escaped : kind, opening + 1, place)
        place += 1
        return
      }
      if byte == UInt8(ascii: "\\") {
        guard JSONEscapes.isEscape(bytes, at: place) else {
          throw failure("an escape that JSON does not have")
        }
        isEscaped = true
        place += 2
      } else if byte < 0x20 {
        throw failure("a control character in a string must be escaped")
      } else {
        place += 1
      }
    }
  }

  /// Skips what is neither a quotation mark, an escape nor a control character, eight bytes at a time.
  ///
  /// Most of a recording is text of bodies, so this decides how fast one is read.
  private mutating func skipPlainBytes() {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    while place + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      let quote = word ^ (ones &* 0x22)
      let single = word ^ (ones &* 0x27)
      let slash = word ^ (ones &* 0x5C)
      let found =
        ((word &- ones &* 0x20) & ~word) | ((quote &- ones) & ~quote)
        | ((single &- ones) & ~single) | ((slash &- ones) & ~slash)
      if found & highs != 0 { break }
      place += 8
    }
    while place < bytes.count {
      switch bytes[place] {
      case 0..<0x20, 0x22, 0x27, 0x5C: return
      default: place += 1
      }
    }
  }

  private mutating func parseNumber() throws(FormatError) {
    let start = place
    _ = take(UInt8(ascii: "-"))
    let first = place
    try parseDigits()
    if bytes[first] == UInt8(ascii: "0"), place > first + 1 {
      throw failure("a number may not begin with 0", at: start)
    }
    if take(UInt8(ascii: ".")) { try parseDigits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try parseDigits()
    }
    append(.number, start, place)
  }

  private mutating func parseDigits() throws(FormatError) {
    let start = place
    while place < bytes.count, bytes[place] >= 0x30, bytes[place] <= 0x39 { place += 1 }
    if place == start { throw failure("expected a digit") }
  }

  private mutating func parseLiteral(
    _ text: StaticString, _ kind: SourceTree.Kind
  ) throws(FormatError) {
    let length = text.utf8CodeUnitCount
    let isThere = text.withUTF8Buffer { literal in
      place + length <= bytes.count && bytes[place..<place + length].elementsEqual(literal)
    }
    guard isThere else { throw failure("expected a value") }
    append(kind, place, place + length)
    place += length
  }

  /// Skips white space and comments.
  private mutating func skipSpace() throws(FormatError) {
    while place < bytes.count {
      switch bytes[place] {
      case 0x20, 0x0A, 0x0D, 0x09: place += 1
      case UInt8(ascii: "/"): try skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() throws(FormatError) {
    let start = place
    let second = place + 1 < bytes.count ? bytes[place + 1] : 0
    if second == UInt8(ascii: "/") {
      place = bytes[place...].firstIndex(of: 0x0A) ?? bytes.count
    } else if second == UInt8(ascii: "*") {
      place += 2
      while true {
        guard place + 1 < bytes.count else { throw failure("the comment is not closed", at: start) }
        if bytes[place] == UInt8(ascii: "*"), bytes[place + 1] == UInt8(ascii: "/") { break }
        place += 1
      }
      place += 2
    } else {
      throw failure("expected a value")
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard place < bytes.count, bytes[place] == byte else { return false }
    place += 1
    return true
  }
}

// MARK: - Names and errors

extension JSONSource {
  /// The second occurrence of a name in an object.
  private func duplicateName(in object: Int) -> Int? {
    var names: [Int] = []
    var name = object + 1
    let end = Int(nodes[object].next)
    while name < end {
      names.append(name)
      name = Int(nodes[name + 1].next)
    }
    guard names.count > 16 || names.contains(where: { nodes[$0].kind == .escapedName }) else {
      for (count, name) in names.enumerated() {
        if names[..<count].contains(where: { isSame($0, name) }) { return name }
      }
      return nil
    }
    var seen: Set<String> = []
    return names.first { !seen.insert(text(of: nodes[$0])).inserted }
  }

  private func isSame(_ one: Int, _ other: Int) -> Bool {
    let (one, other) = (nodes[one], nodes[other])
    let length = Int(one.end - one.start)
    guard length == Int(other.end - other.start), let base = bytes.baseAddress else { return false }
    return memcmp(base + Int(one.start), base + Int(other.start), length) == 0
  }

  private func text(of node: SourceTree.Node) -> String {
    JSONEscapes.decoded(UnsafeRawBufferPointer(rebasing: bytes[Int(node.start)..<Int(node.end)]))
  }

  private func failure(_ message: String, at place: Int? = nil) -> FormatError {
    let place = min(place ?? self.place, bytes.count)
    let before = bytes[..<place]
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return FormatError(
      file: file, line: before.count { $0 == 0x0A } + 1, column: place - lineStart + 1,
      message: message)
  }
}
