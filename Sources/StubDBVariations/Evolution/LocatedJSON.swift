import Foundation
import StubDBJSON

/// JSON text with the places of its values, so that one value is changed and all other bytes are kept.
struct LocatedJSON {
  /// What a value is.
  enum Kind: Hashable {
    case object
    case array
    case string
    case number
    case boolean
    case null
  }

  /// A member of an object or an element of an array.
  struct Child {
    /// The name of the member, without escapes; nil for an element.
    var name: String?
    /// Where the name begins, or the element.
    var start: Int
    /// The place of the value in ``LocatedJSON/nodes``.
    var node: Int
  }

  struct Node {
    var kind: Kind
    var bytes: Range<Int>
    var children: [Child] = []
  }

  let text: [UInt8]
  /// The values in the order of the text; the first is the whole.
  private(set) var nodes: [Node] = []

  /// Nil for text that is not JSON.
  init?(_ content: Data) {
    text = [UInt8](content)
    let found = text.withUnsafeBytes { bytes -> [Node]? in try? Self.nodes(of: bytes) }
    guard let found, !found.isEmpty else { return nil }
    nodes = found
  }

  private static func nodes(
    of bytes: UnsafeRawBufferPointer
  ) throws(JSONSyntaxError) -> [Node] {
    var scanner = JSONScanner(bytes)
    var (nodes, open) = ([Node](), [Int]())
    var name: (text: String, start: Int)?
    while let token = try scanner.next() {
      if token == .name {
        name = (scanner.text, scanner.start)
        continue
      }
      guard let kind = Kind(beginningWith: token) else {
        let node = open.removeLast()
        nodes[node].bytes = nodes[node].bytes.lowerBound..<scanner.position
        continue
      }
      let start = scanner.start
      if let parent = open.last {
        nodes[parent].children.append(
          Child(name: name?.text, start: name?.start ?? start, node: nodes.count))
        name = nil
      }
      if kind == .object || kind == .array { open.append(nodes.count) }
      nodes.append(Node(kind: kind, bytes: start..<scanner.position))
    }
    return nodes
  }

  /// The text of a value, as it is written.
  func text(of node: Int) -> String { String(decoding: text[nodes[node].bytes], as: UTF8.self) }

  /// The value of a string without quotation marks and escapes; nil for other values.
  func string(_ node: Int) -> String? {
    guard nodes[node].kind == .string else { return nil }
    let inside = text[nodes[node].bytes].dropFirst().dropLast()
    return inside.withUnsafeBytes { JSONEscapes.decoded($0) }
  }

  /// The member of an object; nil if there is none.
  func member(_ name: String, of node: Int) -> Int? {
    nodes[node].children.first { $0.name == name }?.node
  }
}

extension LocatedJSON.Kind {
  /// Nil for the end of an object or an array.
  fileprivate init?(beginningWith token: JSONScanner.Token) {
    switch token {
    case .beginObject: self = .object
    case .beginArray: self = .array
    case .string: self = .string
    case .number: self = .number
    case .yes, .no: self = .boolean
    case .null: self = .null
    case .name, .endObject, .endArray: return nil
    }
  }
}

/// Bytes of a text, and what replaces them.
package struct TextChange: Hashable, Sendable {
  let bytes: Range<Int>
  let replacement: String

  /// The text with the replacement.
  func applied(to text: Data) -> Data {
    let text = [UInt8](text)
    guard bytes.upperBound <= text.count else { return Data(text) }
    return Data(text[..<bytes.lowerBound] + Array(replacement.utf8) + text[bytes.upperBound...])
  }
}

// MARK: - Changes

extension LocatedJSON {
  /// Another value in place of a value.
  func replacing(_ node: Int, with json: String) -> TextChange {
    TextChange(bytes: nodes[node].bytes, replacement: json)
  }

  /// One more member or element at the end of an object or an array.
  func appending(_ json: String, to node: Int) -> TextChange {
    if let last = nodes[node].children.last {
      let end = nodes[last.node].bytes.upperBound
      return TextChange(bytes: end..<end, replacement: "," + json)
    }
    let start = nodes[node].bytes.lowerBound + 1
    return TextChange(bytes: start..<start, replacement: json)
  }

  /// The object without a member.
  func removing(child index: Int, of node: Int) -> TextChange {
    let children = nodes[node].children
    let (start, end) = (children[index].start, nodes[children[index].node].bytes.upperBound)
    let removed =
      if index + 1 < children.count {
        start..<children[index + 1].start
      } else if index > 0 {
        nodes[children[index - 1].node].bytes.upperBound..<end
      } else {
        start..<end
      }
    return TextChange(bytes: removed, replacement: "")
  }

  /// The whole with the members of each object in reverse; nil if no object has two.
  var reversed: TextChange? {
    guard nodes.contains(where: { $0.kind == .object && $0.children.count > 1 }) else {
      return nil
    }
    var bytes: [UInt8] = []
    writeReversed(0, to: &bytes)
    return TextChange(
      bytes: nodes[0].bytes, replacement: String(decoding: bytes, as: UTF8.self))
  }

  /// Writes a value; what stands between its members stays where it is.
  private func writeReversed(_ node: Int, to bytes: inout [UInt8]) {
    let (children, range) = (nodes[node].children, nodes[node].bytes)
    var place = range.lowerBound
    let isObject = nodes[node].kind == .object
    for (child, other) in zip(children, isObject ? children.reversed() : children) {
      bytes += text[place..<child.start]
      bytes += text[other.start..<nodes[other.node].bytes.lowerBound]
      writeReversed(other.node, to: &bytes)
      place = nodes[child.node].bytes.upperBound
    }
    bytes += text[place..<range.upperBound]
  }
}
