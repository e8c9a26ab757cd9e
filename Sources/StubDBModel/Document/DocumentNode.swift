package import Foundation
package import StubDBJSON
internal import StubDBSupport

/// How strictly a part of a document is decoded.
package enum DocumentValidation: Sendable {
  /// Everything is checked, down to whether a regular expression compiles.
  case full
  /// The same, but whether regular expressions compile.
  case values
  /// The text was encoded from checked values, so that costly checks are skipped.
  case trusted
}

/// The place of a value, as a linked list from the inside out that costs nothing to extend.
package indirect enum DocumentPlace {
  case root(JSONPointer)
  case member(String, of: DocumentPlace)
  case element(Int, of: DocumentPlace)

  package var pointer: JSONPointer {
    switch self {
    case .root(let pointer): pointer
    case .member(let name, let parent): parent.pointer.appending(name)
    case .element(let index, let parent): parent.pointer.appending(index)
    }
  }
}

/// State that is shared while one document is decoded.
package struct DocumentContext {
  package var validation: DocumentValidation
  /// What only documents may have; nil for the rows of a catalog.
  package var rules: (any DocumentRules)?

  package init(validation: DocumentValidation, rules: (any DocumentRules)?) {
    self.validation = validation
    self.rules = rules
  }

  package var isTrusted: Bool { validation == .trusted }
  package var compilesExpressions: Bool { validation == .full }
}

/// A JSON value of a document with its place, from which everything else is decoded.
package struct DocumentNode {
  package let value: JSONValue
  package let place: DocumentPlace
  package let context: DocumentContext

  package init(value: JSONValue, place: DocumentPlace, context: DocumentContext) {
    self.value = value
    self.place = place
    self.context = context
  }

  package func failure(_ code: DocumentError.Code, _ message: String) -> DocumentError {
    DocumentError(code, pointer: place.pointer, message: message)
  }

  package func wrongType(_ expected: String) -> DocumentError {
    failure(.wrongType, "expected \(expected), found \(value.typeName)")
  }

  package func string() throws(DocumentError) -> String {
    guard case .string(let text) = value else { throw wrongType("a string") }
    return text
  }

  /// A string that is not empty and has no control characters, so that it prints on one line.
  package func line(_ what: String) throws(DocumentError) -> String {
    let text = try string()
    if context.isTrusted { return text }
    if text.isEmpty { throw failure(.invalidValue, "\(what) is empty") }
    if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      throw failure(.invalidValue, "\(what) holds a line break or another control character")
    }
    return text
  }

  /// A string that is not empty.
  package func filledString(_ what: String) throws(DocumentError) -> String {
    let text = try string()
    if text.isEmpty { throw failure(.invalidValue, "\(what) is empty") }
    return text
  }

  package func bool() throws(DocumentError) -> Bool {
    guard case .bool(let value) = value else { throw wrongType("true or false") }
    return value
  }

  func number() throws(DocumentError) -> JSONNumber {
    guard case .number(let number) = value else { throw wrongType("a number") }
    return number
  }

  /// An integer in the range, which JSON may write as `2`, `2.0` or `2e0`.
  package func integer(
    _ what: String, in range: ClosedRange<Int> = Int.min...Int.max
  ) throws(DocumentError) -> Int {
    let number = try number()
    guard let integer = number.integerValue ?? Int(exactly: number.doubleValue) else {
      throw failure(.invalidValue, "\(what) must be a whole number, not \(number.text)")
    }
    guard range.contains(integer) else {
      let bounds =
        range.upperBound == .max
        ? "\(range.lowerBound) or more" : "from \(range.lowerBound) to \(range.upperBound)"
      throw failure(.invalidValue, "\(what) must be \(bounds), not \(integer)")
    }
    return integer
  }

  package func list(_ expected: String) throws(DocumentError) -> [DocumentNode] {
    guard case .array(let elements) = value else { throw wrongType(expected) }
    return elements.enumerated().map { index, element in
      DocumentNode(value: element, place: .element(index, of: place), context: context)
    }
  }

  /// The members of an object with arbitrary names, sorted by name.
  package func members(_ expected: String) throws(DocumentError) -> [(
    name: String, node: DocumentNode
  )] {
    guard case .object(let members) = value else { throw wrongType(expected) }
    let sorted =
      members.count < 2
      ? members.map { ($0.key, $0.value) }
      : members.sorted { $0.key.precedesByBytes($1.key) }
    return sorted.map { name, value in
      (name, DocumentNode(value: value, place: .member(name, of: place), context: context))
    }
  }

  /// The value as one of the words; the error names the nearest word.
  package func word(_ what: String, of words: [String]) throws(DocumentError) -> String {
    let text = try string()
    if words.contains(text) { return text }
    throw failure(
      .invalidValue, "\"\(text)\" is not \(what); \(DocumentNode.advice(text, words))")
  }

  /// The value as one of the words of a type; the error names the nearest word.
  package func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ what: String
  ) throws(DocumentError) -> Choice {
    let words = Choice.allCases.map(\.rawValue)
    let text = try word(what, of: words)
    guard let choice = Choice(rawValue: text) else {
      throw failure(.invalidValue, "\"\(text)\" is not \(what)")
    }
    return choice
  }

  /// `did you mean "x"?` if a word is near, or else the list of words.
  package static func advice(_ text: String, _ words: [String]) -> String {
    if let nearest = words.nearest(to: text) { return "did you mean \"\(nearest)\"?" }
    return "it is one of " + words.map { "\"\($0)\"" }.joined(separator: ", ")
  }
}

extension DocumentNode {
  /// Reads a text in JSON, strictly: a document, a file of rules, a marker.
  ///
  /// Adds the file and the line to errors that the closure throws.
  package static func reading<Value>(
    _ text: Data, file: String?, rules: (any DocumentRules)? = nil,
    _ body: (DocumentNode) throws(DocumentError) -> Value
  ) throws(DocumentError) -> Value {
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONValue(parsing: text)
    } catch {
      throw DocumentError(
        .syntax, file: file, pointer: error.pointer, line: error.line, column: error.column,
        message: error.message)
    }
    do throws(DocumentError) {
      let context = DocumentContext(validation: .full, rules: rules)
      return try body(
        DocumentNode(value: value, place: .root(JSONPointer()), context: context))
    } catch {
      var error = error
      error.file = file
      error.line = JSONPlaceFinder.line(of: error.pointer, in: text)
      throw error
    }
  }
}
