extension JSONValue {
  /// The value as compact JSON text: keys sorted by Unicode scalar, numbers as they were written.
  package var canonicalText: String {
    var writer = JSONWriter(indent: nil)
    writer.write(self, depth: 0)
    return writer.text
  }

  /// The value as JSON text on several lines, two spaces a level, keys sorted by Unicode scalar.
  ///
  /// The first line is not indented; lines after it are, by `depth` levels more than their own.
  package func prettyText(depth: Int = 0) -> String {
    var writer = JSONWriter(indent: 2)
    writer.write(self, depth: depth)
    return writer.text
  }
}
