import StubDBModel

/// JSON as an argument.
enum JSONArgument {
  /// Reads an argument.
  ///
  /// - Throws: ``ArgumentProblem`` where the text is not JSON.
  static func value(_ argument: String) throws -> JSONValue {
    do {
      return try JSONValue(parsing: argument)
    } catch {
      throw ArgumentProblem(
        "it is not JSON: \(error.message) in line \(error.line), column \(error.column)")
    }
  }
}
