package import Foundation
internal import StubDBSupport

extension JSONValue {
  /// How deep arrays and objects may nest.
  package static let maximumDepth = 512

  /// The depth up to which they are parsed and compared on the caller's stack.
  package static let shallowDepth = 64

  /// Parses JSON text strictly by RFC 8259, and rejects an object with a duplicate name.
  package init(parsing text: Data) throws(JSONSyntaxError) {
    self = try Self.parse(text).value
  }

  /// Does the same, and returns whether the value is deeper than ``shallowDepth``, so that traversing it needs a
  /// ``LargeStack``.
  package static func parse(
    _ text: Data
  ) throws(JSONSyntaxError) -> (value: JSONValue, isDeep: Bool) {
    let shallow = parse(text, maximumDepth: shallowDepth)
    if case .failure(let error) = shallow, error.isAboutDepth {
      return (try LargeStack.run { parse(text, maximumDepth: maximumDepth) }.get(), true)
    }
    return (try shallow.get(), false)
  }

  private static func parse(
    _ text: Data, maximumDepth: Int
  ) -> Result<JSONValue, JSONSyntaxError> {
    text.withUnsafeBytes { bytes -> Result<JSONValue, JSONSyntaxError> in
      var parser = JSONParser(bytes: bytes, maximumDepth: maximumDepth)
      do throws(JSONSyntaxError) {
        return .success(try parser.parseDocument())
      } catch {
        return .failure(error)
      }
    }
  }

  /// Parses JSON text strictly by RFC 8259, and rejects an object with a duplicate name.
  package init(parsing text: String) throws(JSONSyntaxError) {
    try self.init(parsing: Data(text.utf8))
  }
}

/// An error in text that is not JSON, with its place.
package struct JSONSyntaxError: Error, Hashable, Sendable {
  /// A phrase that says what is wrong, such as `expected ',' or '}'`.
  package var message: String
  /// The line, from 1.
  package var line: Int
  /// The column in bytes, from 1.
  package var column: Int
  /// The innermost value that was being parsed.
  package var pointer: JSONPointer
  /// Whether the text nests too deep.
  var isAboutDepth = false
}
