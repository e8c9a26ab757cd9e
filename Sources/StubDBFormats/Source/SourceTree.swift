internal import Foundation
internal import StubDBJSON

/// The values of a JSON or YAML text in one flat list, with the disposition of each.
///
/// An import says of every value whether it was kept, changed, dropped or ignored. Values stay where they are in the
/// text until they are read: recordings are large, and a tree of objects would take ten times their size.
package final class SourceTree {
  package enum Disposition: UInt8, Sendable {
    /// It has not been read yet.
    case unread
    /// It is in a scenario.
    case kept
    /// It is in a scenario in another form.
    case changed
    /// It is lost.
    case dropped
    /// It has no influence on what a server answers, such as an id or a time.
    case ignored
  }

  enum Kind: UInt8 {
    case null, no, yes, number, string, escapedString, binary, array, object, name, escapedName

    /// Whether it is a text, a number or true.
    var isText: Bool {
      switch self {
      case .yes, .number, .string, .escapedString, .binary: true
      case .null, .no, .name, .escapedName, .array, .object: false
      }
    }
  }

  /// A value, or the name of the value after it.
  struct Node {
    var kind: Kind
    var disposition = Disposition.unread
    /// Where its text begins, in bytes; the index of its text if the texts are in a list.
    var start: UInt32
    /// The end of its text in bytes, or its line.
    var end: UInt32
    /// The node after this one and all inside it.
    var next: UInt32 = 0
    var parent: UInt32

    var isName: Bool { kind == .name || kind == .escapedName }
  }

  /// Where the texts of values are.
  enum Texts {
    /// In the JSON text itself.
    case bytes(Data)
    /// In a list, because YAML has folded and indented forms.
    case list([String])
  }

  /// The values of a text, before they are read.
  struct Values: Sendable {
    var nodes: ContiguousArray<Node>
    var texts: Texts
  }

  /// The name of the file in reports.
  package let file: String
  package let log: ReportLog
  private(set) var nodes: ContiguousArray<Node>
  let texts: Texts
  /// The exchanges and stubs by the values that they are made of.
  private var items: [Int: ReportLog.Item] = [:]
  lazy var lineStarts = findLineStarts()
  /// Where the elements of an array are; of the arrays that pointers went through.
  var elements: [Int: [UInt32]] = [:]
  /// The values of the members of large objects, by their names; of the objects that members were looked for in.
  var members: [Int: [String: UInt32]] = [:]
  /// How many members of an object are compared with a name before all of them are listed.
  static let comparedMemberCount = 32

  init(_ values: Values, file: String, log: ReportLog) {
    self.file = file
    self.log = log
    nodes = values.nodes
    texts = values.texts
  }

  /// The outermost value.
  package var root: SourceValue { SourceValue(tree: self, index: 0) }

  /// Records the disposition of a value and of everything inside it.
  func mark(_ index: Int, _ disposition: Disposition) {
    for place in index..<Int(nodes[index].next) { nodes[place].disposition = disposition }
  }

  /// Records the disposition of one value.
  func markOne(_ index: Int, _ disposition: Disposition) {
    nodes[index].disposition = disposition
  }

  /// Records that a value, and what was not read inside it, is kept.
  func keep(_ index: Int) {
    for place in index..<Int(nodes[index].next) where nodes[place].disposition == .unread {
      nodes[place].disposition = .kept
    }
  }

  /// The outermost values of which nothing was read; of an object that was read in part, its unread members.
  package func unread() -> [SourceValue] {
    outermost { $0.disposition == .unread }
  }

  /// Whether a value with content is unread: a text, a number or true, not null, false or empty.
  func isUnreadText(_ index: Int) -> Bool {
    nodes[index].disposition == .unread && nodes[index].kind.isText
  }

  /// Whether a text, a number or true is among values.
  func isText(_ range: Range<Int>) -> Bool { range.contains { nodes[$0].kind.isText } }

  /// The outermost values that were ignored as a whole.
  func ignored() -> [SourceValue] {
    outermost { $0.disposition == .ignored || $0.isName }
  }

  /// The outermost values of which every part satisfies a condition.
  private func outermost(where isWanted: (Node) -> Bool) -> [SourceValue] {
    var found: [SourceValue] = []
    var index = 0
    // The first node from here on that does not satisfy the condition: each node is looked at once.
    var unwanted = 0
    while index < nodes.count {
      unwanted = max(unwanted, index)
      while unwanted < nodes.count, isWanted(nodes[unwanted]) { unwanted += 1 }
      let node = nodes[index]
      if !node.isName, unwanted >= Int(node.next) {
        found.append(SourceValue(tree: self, index: index))
        index = Int(node.next)
      } else {
        index += 1
      }
    }
    return found
  }

  /// Records that an exchange or a stub is made of a value.
  func note(_ item: ReportLog.Item, at index: Int) {
    items[index] = item
  }

  /// The exchange or stub that a value is part of; nil for none.
  func item(around index: Int) -> ReportLog.Item? {
    var index = index
    while items[index] == nil, index > 0 { index = Int(nodes[index].parent) }
    return items[index]
  }

  /// How many scalars became of this kind.
  package func count(of disposition: Disposition) -> Int {
    nodes.count { $0.disposition == disposition && !$0.isName }
  }

  /// The text of a scalar or a name, with escapes decoded; what is not Unicode becomes U+FFFD.
  func text(_ index: Int) -> String {
    let node = nodes[index]
    switch texts {
    case .list(let list): return list[Int(node.start)]
    case .bytes(let data):
      return data.withUnsafeBytes { bytes in
        let slice = UnsafeRawBufferPointer(rebasing: bytes[Int(node.start)..<Int(node.end)])
        return node.kind == .escapedString || node.kind == .escapedName
          ? JSONEscapes.decoded(slice) : String(decoding: slice, as: UTF8.self)
      }
    }
  }

  /// Whether the text of a scalar is empty.
  func isEmpty(_ index: Int) -> Bool {
    switch texts {
    case .list(let list): list[Int(nodes[index].start)].isEmpty
    case .bytes: nodes[index].start == nodes[index].end
    }
  }

  /// Passes on the UTF-8 of the text of a scalar, which is not copied where it stands in the input as it is.
  func withUTF8<Result>(
    of index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let node = nodes[index]
    if case .bytes(let data) = texts {
      let isEscaped = node.kind == .escapedString || node.kind == .escapedName
      let result: Result? = try data.withUnsafeBytes { bytes in
        let slice = UnsafeRawBufferPointer(rebasing: bytes[Int(node.start)..<Int(node.end)])
        guard isEscaped else { return UTF8Bytes.isValid(slice) ? try body(slice) : nil }
        return try JSONEscapes.decodedBytes(slice).withUnsafeBytes { decoded in
          UTF8Bytes.isValid(decoded) ? try body(decoded) : nil
        }
      }
      if let result { return result }
    }
    var text = text(index)
    return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
  }

  /// Whether a name is the given one.
  func isName(_ index: Int, _ name: String) -> Bool {
    guard case .bytes(let data) = texts else { return text(index) == name }
    let node = nodes[index]
    var name = name
    let isSame = name.withUTF8 { wanted in
      data.withUnsafeBytes { bytes in
        let length = Int(node.end - node.start)
        guard length == wanted.count, let start = bytes.baseAddress, let other = wanted.baseAddress
        else { return length == wanted.count }
        return memcmp(start + Int(node.start), other, length) == 0
      }
    }
    // A name may be written with escapes.
    return isSame || node.kind == .escapedName && text(index) == name
  }
}
