/// A query parameter as an argument: `name=value`, neither of them percent-encoded.
struct QueryArgument {
  let name: String
  let value: String

  /// Reads an argument.
  ///
  /// - Throws: ``ArgumentProblem`` where there is no equals sign.
  init(_ argument: String) throws {
    guard let equals = argument.firstIndex(of: "=") else {
      throw ArgumentProblem("write it as name=value")
    }
    name = String(argument[..<equals])
    value = String(argument[argument.index(after: equals)...])
  }
}
