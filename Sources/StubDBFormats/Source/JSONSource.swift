internal import Foundation
internal import StubDBJSON

/// Makes a ``SourceTree`` of a JSON text.
///
/// Other tools read JSON leniently, so comments and strings in single quotes are accepted.
struct JSONSource {
  /// How deep arrays and objects may nest, as in documents.
  static let maximumDepth = JSONValue.maximumDepth

  /// Every value takes 20 bytes beside the text: a text of nothing but small ones would take ten times its size.
  static let maximumValueCount = 40_000_000

  private let bytes: UnsafeRawBufferPointer
  private var scanner: JSONScanner
  private var nodes: ContiguousArray<SourceTree.Node> = []
  /// The arrays and objects around the current place.
  private var open: [UInt32] = []

  /// The values of a text.
  ///
  /// - Throws: ``FormatError`` with the line and column.
  static func values(_ text: Data, file: String) throws(FormatError) -> SourceTree.Values {
    let result = text.withUnsafeBytes {
      bytes -> Result<ContiguousArray<SourceTree.Node>, JSONSyntaxError> in
      var source = JSONSource(bytes)
      do throws(JSONSyntaxError) {
        try source.parse()
        return .success(source.nodes)
      } catch {
        return .failure(error)
      }
    }
    do throws(JSONSyntaxError) {
      return SourceTree.Values(nodes: try result.get(), texts: .bytes(text))
    } catch {
      throw FormatError(
        file: file, line: error.line, column: error.column, message: error.message)
    }
  }

  private init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    scanner = JSONScanner(
      bytes, isLenient: true, maximumDepth: Self.maximumDepth, maximumValues: .max)
    nodes.reserveCapacity(bytes.count / 24)
  }

  private mutating func parse() throws(JSONSyntaxError) {
    while let token = try scanner.next() {
      guard nodes.count < Self.maximumValueCount else {
        throw scanner.failure("more than \(Self.maximumValueCount) values; import a part of it")
      }
      switch token {
      case .beginObject: begin(.object)
      case .beginArray: begin(.array)
      case .endObject, .endArray: try end()
      case .name: append(scanner.isEscaped ? .escapedName : .name, quotes: 1)
      case .string: append(scanner.isEscaped ? .escapedString : .string, quotes: 1)
      case .number: append(.number)
      case .yes: append(.yes)
      case .no: append(.no)
      case .null: append(.null)
      }
    }
  }

  private mutating func begin(_ kind: SourceTree.Kind) {
    append(kind)
    open.append(UInt32(nodes.count - 1))
  }

  /// Ends the innermost array or object.
  private mutating func end() throws(JSONSyntaxError) {
    let container = Int(open.removeLast())
    nodes[container].next = UInt32(nodes.count)
    guard nodes[container].kind == .object, let twice = duplicateName(in: container) else { return }
    let node = nodes[twice]
    throw scanner.failure(
      "the member \"\(text(of: node))\" is given twice", at: Int(node.start) - 1)
  }

  /// Adds the last token, without its quotation marks.
  private mutating func append(_ kind: SourceTree.Kind, quotes: Int = 0) {
    let isContainer = kind == .object || kind == .array
    nodes.append(
      SourceTree.Node(
        kind: kind, start: UInt32(scanner.start + quotes),
        end: UInt32(isContainer ? scanner.start : scanner.position - quotes),
        next: UInt32(nodes.count + 1), parent: open.last ?? 0))
  }
}

// MARK: - Names

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
}
