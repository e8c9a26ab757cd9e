public import HTTPTypes
public import StubDBSupport

extension HTTPField.Name: ByteComparable {
  /// Whether both are written alike, case included.
  public func hasSameBytes(as other: HTTPField.Name) -> Bool {
    rawName.hasSameBytes(as: other.rawName)
  }
}

extension HTTPFields: ByteComparable {
  /// Whether a document has the same text for both: it sorts the fields, and has the name of several only once.
  public func hasSameBytes(as other: HTTPFields) -> Bool {
    guard count == other.count else { return false }
    var last: HTTPField.Name?
    return zip(sortedByName, other.sortedByName).allSatisfy { field, other in
      defer { last = field.name }
      return field.name == other.name && field.value.hasSameBytes(as: other.value)
        && (field.name == last || field.name.hasSameBytes(as: other.name))
    }
  }

  /// The fields sorted by name, ignoring case; fields of one name keep their order.
  package var sortedByName: [HTTPField] {
    let fields = Array(self)
    // Fields of a catalog or a document are in this order already.
    let isSorted = zip(fields, fields.dropFirst()).allSatisfy {
      $0.name.canonicalName <= $1.name.canonicalName
    }
    if isSorted { return fields }
    return fields.enumerated().sorted {
      ($0.element.name.canonicalName, $0.offset) < ($1.element.name.canonicalName, $1.offset)
    }.map(\.element)
  }
}
