import Foundation
import HTTPTypes

/// A header field as an argument: `Name: value`; spaces around both are removed.
struct HeaderArgument {
  let name: HTTPField.Name
  let value: String

  /// Parses an argument.
  ///
  /// - Throws: ``ArgumentProblem`` if the colon or the field name is missing.
  init(_ argument: String) throws {
    guard let colon = argument.firstIndex(of: ":") else {
      throw ArgumentProblem("write it as 'Name: value'")
    }
    let text = argument[..<colon].trimmingCharacters(in: .whitespaces)
    guard let name = HTTPField.Name(text) else {
      throw ArgumentProblem("'\(text)' is not the name of a header field")
    }
    self.name = name
    value = argument[argument.index(after: colon)...].trimmingCharacters(in: .whitespaces)
  }
}
