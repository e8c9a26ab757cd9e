/// A query parameter as an argument: `name=value`, neither percent-encoded.
struct QueryArgument {
  let name: String
  let value: String

  /// Parses an argument.
  ///
  /// - Throws: ``ArgumentProblem`` if the equals sign is missing.
  init(_ argument: String) throws {
    guard let equals = argument.firstIndex(of: "=") else {
      throw ArgumentProblem("write it as name=value")
    }
    name = String(argument[..<equals])
    value = String(argument[argument.index(after: equals)...])
  }
}
