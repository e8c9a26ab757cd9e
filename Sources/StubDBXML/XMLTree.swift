/// An XML document, read.
///
/// Nodes are known by their places in one list, which is the order of the document: an element, its attributes, then
/// what it holds. Place 0 is the document itself.
package struct XMLTree: Sendable {
  /// What a node is.
  package enum Kind: Sendable {
    case document
    case element
    case attribute
    case text
    case comment
    case processingInstruction
  }

  /// One node.
  package struct Node: Sendable {
    package var kind: Kind
    /// The name of an element or attribute; the target of a processing instruction as its local name.
    package var name: XMLName
    /// The text of everything but elements and the document.
    package var value: String
    package var parent: Int
    /// The places of the attributes, in the order in which they are written.
    package var attributes: Range<Int>
    /// The places of what the node holds, attributes left out.
    package var children: [Int] = []
    /// The first place behind the node and everything in it.
    package var end: Int
  }

  package private(set) var nodes: [Node]
  /// How many elements stand inside each other at most.
  package private(set) var depth: Int

  /// Reads a document, by XML 1.0 and its namespaces.
  ///
  /// What makes a document well-formed is checked, names and the XML declaration included, but not the spelling of
  /// namespace URIs. Entities are not declared in a document that a test compares, but in attacks: a document type with
  /// declarations is refused, and one without is passed over unread. https://www.w3.org/TR/xml/
  /// - Throws: An ``XMLSyntaxError`` for text that is not well-formed, nests deeper than 512 elements or has more than a
  ///   million nodes.
  package init(parsing text: String) throws(XMLSyntaxError) {
    var reader = XMLReader(text)
    nodes = try reader.read()
    depth = reader.depth
  }

  /// The root element.
  package var root: Int {
    nodes[0].children.first { nodes[$0].kind == .element } ?? 0
  }

  /// The text of a node: its own, or all text inside of it.
  package func text(of place: Int) -> String {
    switch nodes[place].kind {
    case .document, .element:
      var text = ""
      for index in place..<nodes[place].end where nodes[index].kind == .text {
        text += nodes[index].value
      }
      return text
    default: return nodes[place].value
    }
  }

  /// A path that leads to the node, such as `/order/item[2]/@sku`.
  package func path(to place: Int) -> String {
    var (steps, place) = ([String](), place)
    while place > 0 {
      let node = nodes[place]
      switch node.kind {
      case .attribute: steps.append("@" + node.name.qualified)
      case .text: steps.append("text()")
      case .comment: steps.append("comment()")
      case .processingInstruction: steps.append("processing-instruction()")
      case .element, .document:
        let same = nodes[node.parent].children.filter {
          nodes[$0].kind == .element && nodes[$0].name == node.name
        }
        let number = (same.firstIndex(of: place) ?? 0) + 1
        steps.append(node.name.qualified + (same.count > 1 ? "[\(number)]" : ""))
      }
      place = node.parent
    }
    return "/" + steps.reversed().joined(separator: "/")
  }
}
