extension JSONValue {
  /// The value as compact JSON: keys sorted by Unicode scalars, numbers as written.
  package var canonicalText: String {
    var writer = JSONWriter(indent: nil)
    writer.write(self, depth: 0)
    return writer.text
  }

  /// The value as JSON on several lines, indented by two spaces a level, keys sorted by Unicode scalars.
  ///
  /// The first line is not indented; the following lines are indented by `depth` additional levels.
  package func prettyText(depth: Int = 0) -> String {
    var writer = JSONWriter(indent: 2)
    writer.write(self, depth: depth)
    return writer.text
  }
}
