internal import StubDBDocuments
internal import StubDBJSON

/// The values of a document that is no text.
extension SourceTree {
  /// Makes the tree of the document of a scenario or a stub, which lines about its values belong to.
  convenience init(_ document: OrderedJSON, of item: ReportLog.Item, log: ReportLog) {
    var values = DocumentValues()
    values.append(document, in: 0)
    self.init(
      Values(nodes: values.nodes, texts: .list(values.texts)), file: "", log: log)
    note(item, at: 0)
  }
}

private struct DocumentValues {
  var nodes: ContiguousArray<SourceTree.Node> = []
  var texts: [String] = []

  mutating func append(_ value: OrderedJSON, in parent: Int) {
    switch value {
    case .json(.null): append(.null, "null", in: parent)
    case .json(.bool(let flag)): append(flag ? .yes : .no, "\(flag)", in: parent)
    case .json(.number(let number)): append(.number, number.text, in: parent)
    case .json(.string(let text)): append(.string, text, in: parent)
    case .json(.array(let elements)): append(.array(elements.map(OrderedJSON.json)), in: parent)
    case .json(.object(let members)):
      let sorted = members.sorted { $0.key < $1.key }
      append(.object(sorted.map { ($0.key, .json($0.value)) }), in: parent)
    case .words(let words): append(.strings(words), in: parent)
    case .array(let elements):
      append(.array, in: parent) { values, index in
        for element in elements { values.append(element, in: index) }
      }
    case .object(let members):
      append(.object, in: parent) { values, index in
        for (name, value) in members {
          values.append(.name, name, in: index)
          values.append(value, in: index)
        }
      }
    }
  }

  private mutating func append(_ kind: SourceTree.Kind, _ text: String, in parent: Int) {
    append(kind, in: parent) { values, _ in values.texts.append(text) }
  }

  private mutating func append(
    _ kind: SourceTree.Kind, in parent: Int, _ inside: (inout DocumentValues, Int) -> Void
  ) {
    let index = nodes.count
    nodes.append(
      SourceTree.Node(kind: kind, start: UInt32(texts.count), end: 0, parent: UInt32(parent)))
    inside(&self, index)
    nodes[index].next = UInt32(nodes.count)
  }
}
