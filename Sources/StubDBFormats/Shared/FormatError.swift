/// Why an input cannot be imported, or scenarios cannot be exported; nothing is written then.
package struct FormatError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file, as it was named.
  package var file: String
  /// The line and column, from 1; nil where they say nothing.
  package var line: Int?
  package var column: Int?
  /// The path of the value in the file; nil for none.
  package var pointer: String?
  /// What is wrong, and what to do.
  package var message: String
  /// Whether the options contradict the input.
  package var isUsage: Bool
  /// Whether the whole import ends, although the input is one file of many: it asks for what it must not have.
  package var isRefusal = false

  package init(
    file: String, line: Int? = nil, column: Int? = nil, pointer: String? = nil, message: String,
    isUsage: Bool = false
  ) {
    self.isUsage = isUsage
    self.file = file
    self.line = line
    self.column = column
    self.pointer = pointer
    self.message = message
  }

  /// `shop.har:5:12: expected a value`.
  package var description: String { description { $0 } }

  /// The same, with each part as it is to be shown: what is before a colon is a place here, and not the name of a value.
  package func description(showing shown: (String) -> String) -> String {
    var place = shown(file)
    if let line { place += ":\(line)" }
    if let column { place += ":\(column)" }
    if let pointer, !pointer.isEmpty { place += " \(shown(pointer))" }
    return "\(place): \(shown(message))"
  }
}
