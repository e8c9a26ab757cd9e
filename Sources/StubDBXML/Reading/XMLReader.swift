/// Reads a document from its bytes, without recursion.
struct XMLReader {
  static let maximumDepth = 512
  static let maximumAttributes = 1_000

  var bytes: [UInt8]
  var place = 0
  private var nodes: [XMLTree.Node] = []
  private var open: [Int] = []
  private(set) var depth = 0
  private var hasDocumentType = false
  private var scopes: [[String: String]] = [["": "", "xml": Self.xmlNamespace]]

  init(_ text: String) {
    bytes = Array(text.utf8)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
  }

  /// All nodes in document order.
  mutating func read() throws(XMLSyntaxError) -> [XMLTree.Node] {
    _ = try add(.document, XMLName(prefix: "", local: "", namespace: ""), "")
    open = [0]
    if let place = placeOfNoncharacter {
      throw failure("U+FFFE and U+FFFF are not allowed", at: place)
    }
    try skipDeclaration()
    while place < bytes.count { try readNext() }
    guard open.count == 1 else {
      throw failure("the element \(nodes[open[open.count - 1]].name.qualified) is not closed")
    }
    guard nodes[0].children.contains(where: { nodes[$0].kind == .element }) else {
      throw failure("the document has no element")
    }
    nodes[0].end = nodes.count
    return nodes
  }

  private mutating func readNext() throws(XMLSyntaxError) {
    guard bytes[place] == UInt8(ascii: "<") else { return try readText() }
    if take("<!--") {
      let text = try upTo("-->", "a comment")
      if text.contains("--") || text.hasSuffix("-") { throw failure("\"--\" inside a comment") }
      _ = try add(.comment, XMLName(prefix: "", local: "", namespace: ""), text)
    } else if take("<![CDATA[") {
      guard open.count > 1 else { throw failure("text outside of the root element") }
      appendText(try upTo("]]>", "a CDATA section"))
    } else if take("<?") {
      try readInstruction()
    } else if take("<!DOCTYPE") {
      guard open.count == 1, nodes.allSatisfy({ $0.kind != .element }), !hasDocumentType else {
        throw failure("a document type is allowed once, before the root element", at: place - 9)
      }
      hasDocumentType = true
      try skipDocumentType()
    } else if take("</") {
      try readEnd()
    } else {
      place += 1
      try readStart()
    }
  }

  private mutating func add(
    _ kind: XMLTree.Kind, _ name: XMLName, _ value: String
  ) throws(XMLSyntaxError) -> Int {
    guard nodes.count < XMLTree.maximumNodes else {
      throw failure("more than \(XMLTree.maximumNodes) nodes")
    }
    let index = nodes.count
    let parent = open.last ?? 0
    nodes.append(
      XMLTree.Node(
        kind: kind, name: name, value: value, parent: parent,
        attributes: (index + 1)..<(index + 1), end: index + 1))
    if kind != .attribute, index > 0 { nodes[parent].children.append(index) }
    return index
  }

  private mutating func readStart() throws(XMLSyntaxError) {
    guard open.count <= Self.maximumDepth else {
      throw failure("more than \(Self.maximumDepth) elements inside each other")
    }
    if open.count == 1, nodes[0].children.contains(where: { nodes[$0].kind == .element }) {
      throw failure("a second root element")
    }
    let written = try name()
    var attributes: [(name: String, value: String)] = []
    var scope = scopes[scopes.count - 1]
    while true {
      let hasSpace = skipSpace()
      if place < bytes.count, bytes[place] == UInt8(ascii: ">") || bytes[place] == UInt8(ascii: "/")
      {
        break
      }
      guard hasSpace else { throw failure("expected a space, '/' or '>'") }
      let attribute = try name()
      skipSpace()
      guard take("=") else { throw failure("expected '=' after the attribute \(attribute)") }
      skipSpace()
      let value = try attributeValue()
      guard !attributes.contains(where: { $0.name == attribute }) else {
        throw failure("the attribute \(attribute) is given twice")
      }
      guard attributes.count < Self.maximumAttributes else {
        throw failure("more than \(Self.maximumAttributes) attributes in one element")
      }
      attributes.append((attribute, value))
      try declare(attribute, value, in: &scope)
    }
    try addElement(written, attributes, scope)
    if take("/>") {
      close()
    } else if !take(">") {
      throw failure("expected '>'")
    }
  }

  private mutating func addElement(
    _ written: String, _ attributes: [(name: String, value: String)], _ scope: [String: String]
  ) throws(XMLSyntaxError) {
    let element = try add(.element, try resolved(written, scope, isAttribute: false), "")
    open.append(element)
    depth = max(depth, open.count - 1)
    scopes.append(scope)
    for attribute in attributes
    where attribute.name != "xmlns" && !attribute.name.hasPrefix("xmlns:") {
      let name = try resolved(attribute.name, scope, isAttribute: true)
      let others = (element + 1)..<nodes.count
      guard !nodes[others].contains(where: { $0.name.isSame(as: name) }) else {
        throw failure("the attribute \(attribute.name) is given twice")
      }
      _ = try add(.attribute, name, attribute.value)
    }
    nodes[element].attributes = (element + 1)..<nodes.count
  }

  private mutating func readEnd() throws(XMLSyntaxError) {
    let start = place
    let written = try name()
    skipSpace()
    guard take(">") else { throw failure("expected '>'") }
    let expected = nodes[open[open.count - 1]].name.qualified
    guard open.count > 1, written == expected else {
      throw failure(
        open.count > 1
          ? "expected </\(expected)>, found </\(written)>"
          : "</\(written)> closes nothing", at: start - 2)
    }
    close()
  }

  private mutating func close() {
    nodes[open.removeLast()].end = nodes.count
    scopes.removeLast()
  }

  private mutating func readText() throws(XMLSyntaxError) {
    if open.count > 1 {
      appendText(try text(upTo: UInt8(ascii: "<"), isAttribute: false))
      return
    }
    let start = place
    skipSpace()
    guard place == bytes.count || bytes[place] == UInt8(ascii: "<") else {
      throw failure("text outside of the root element", at: start)
    }
  }

  /// Adds text; it is appended to the preceding text node if they are adjacent.
  private mutating func appendText(_ text: String) {
    let parent = open[open.count - 1]
    if let last = nodes[parent].children.last, nodes[last].kind == .text {
      nodes[last].value += text
    } else if !text.isEmpty {
      nodes.append(
        XMLTree.Node(
          kind: .text, name: XMLName(prefix: "", local: "", namespace: ""), value: text,
          parent: parent, attributes: (nodes.count + 1)..<(nodes.count + 1), end: nodes.count + 1))
      nodes[parent].children.append(nodes.count - 1)
    }
  }

  private mutating func readInstruction() throws(XMLSyntaxError) {
    let target = try name()
    guard target.lowercased() != "xml" else {
      throw failure("an XML declaration is only allowed at the beginning")
    }
    guard !target.utf8.contains(UInt8(ascii: ":")) else {
      throw failure("\(target) is not the name of an instruction: it has a colon")
    }
    guard skipSpace() || bytes[place...].starts(with: "?>".utf8) else {
      throw failure("expected a space or \"?>\" after \(target)")
    }
    let data = try upTo("?>", "a processing instruction")
    _ = try add(
      .processingInstruction, XMLName(prefix: "", local: target, namespace: ""), data)
  }
}

/// An error in text that is not well-formed XML, with its place.
package struct XMLSyntaxError: Error, Hashable, Sendable {
  /// A phrase that says what is wrong.
  package let message: String
  /// The line, from 1.
  package let line: Int
  /// The column in bytes, from 1.
  package let column: Int
}
