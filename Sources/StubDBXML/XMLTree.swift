/// A parsed XML document.
///
/// Nodes are identified by their indices in one list in document order: an element, its attributes, then its content.
/// Index 0 is the document itself.
package struct XMLTree: Sendable {
  /// How many nodes a document may have.
  package static let maximumNodes = 1_000_000

  /// The kind of a node.
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
    /// The text of the node; empty for elements and the document.
    package var value: String
    package var parent: Int
    /// The indices of the attributes, in the order in which they are written.
    package var attributes: Range<Int>
    /// The indices of the child nodes, without attributes.
    package var children: [Int] = []
    /// The first index after the node and everything in it.
    package var end: Int
  }

  package private(set) var nodes: [Node]
  /// The depth of the most deeply nested element.
  package private(set) var depth: Int

  /// Parses a document by XML 1.0 and Namespaces in XML.
  ///
  /// Well-formedness is checked, including names and the XML declaration, but not the spelling of namespace URIs. A
  /// document type with declarations is refused, because entities serve attacks and not tests; one without declarations
  /// is skipped. https://www.w3.org/TR/xml/
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

  /// The text of a node: its own, or all text inside it.
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

  /// A path to the node, such as `/order/item[2]/@sku`.
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

/// The name of an element or an attribute.
package struct XMLName: Hashable, Sendable {
  /// The prefix as written; empty without a prefix.
  package var prefix: String
  /// The part after the prefix.
  package var local: String
  /// The namespace that the prefix refers to; empty if the name is in no namespace.
  package var namespace: String

  /// The name as written, with its prefix.
  package var qualified: String { prefix.isEmpty ? local : "\(prefix):\(local)" }

  /// Whether two names are the same, regardless of their prefixes.
  package func isSame(as other: XMLName) -> Bool {
    local == other.local && local.utf8.elementsEqual(other.local.utf8)
      && namespace == other.namespace
  }
}
