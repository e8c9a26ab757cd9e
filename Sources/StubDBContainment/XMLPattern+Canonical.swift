package import StubDBModel
import StubDBXML

extension RequestPattern {
  /// The pattern with its XML documents written in one way, for comparisons with other patterns.
  ///
  /// Documents that match the same requests without placeholders have the same text then. No request can be matched with
  /// the pattern.
  package var withCanonicalXML: RequestPattern {
    guard body.contains(where: \.isXML) else { return self }
    var pattern = self
    pattern.body = body.map(\.withCanonicalXML)
    return pattern
  }
}

extension BodyPattern {
  fileprivate var isXML: Bool { operation is XMLPattern }

  fileprivate var withCanonicalXML: BodyPattern {
    guard let xml = operation as? XMLPattern, let tree = try? XMLTree(parsing: xml.document) else {
      // What is not XML is refused elsewhere.
      return self
    }
    var pattern = xml
    pattern.document = tree.canonicalText(of: tree.root)
    return .equalToXML(pattern)
  }
}

extension XMLTree {
  /// An element as ``XMLComparison`` sees it: attributes and elements of different names in any order, texts without the
  /// white space around them.
  fileprivate func canonicalText(of place: Int) -> String {
    let node = nodes[place]
    let attributes = node.attributes.map { place in
      " \(Self.name(nodes[place]))=\"\(Self.escaped(nodes[place].value))\""
    }
    let texts = XMLComparison.texts(place, in: self).map { "<>\(Self.escaped($0))</>" }
    let elements = node.children.filter { nodes[$0].kind == .element }
    // Those of one name stay in their order.
    let sorted = elements.enumerated().sorted { left, right in
      let names = (Self.name(nodes[left.element]), Self.name(nodes[right.element]))
      return names.0 == names.1 ? left.offset < right.offset : names.0 < names.1
    }
    let name = Self.name(node)
    return "<\(name)\(attributes.sorted().joined())>" + texts.joined()
      + sorted.map { canonicalText(of: $0.element) }.joined() + "</\(name)>"
  }

  private static func name(_ node: Node) -> String {
    node.name.namespace.isEmpty
      ? node.name.local : "\(node.name.local)[\(escaped(node.name.namespace))]"
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
