/// The first match of an expression: the whole of it, and its groups.
///
/// Expectations do not hold the expression themselves: Swift Testing describes the parts of an expectation that fails, and
/// does not come to an end with those of a `Regex`.
///
/// - Throws: ``MissingMatchError`` with the text and the place of the call, if nothing in the text matches.
@discardableResult
public func firstMatch<Output>(
  of expression: some RegexComponent<Output>, in text: String, file: String = #fileID,
  line: Int = #line
) throws -> Output {
  guard let match = text.firstMatch(of: expression) else {
    throw MissingMatchError(description: "\(file):\(line): the expression is not found in: \(text)")
  }
  return match.output
}

/// Reports that a text lacks what an expression looks for.
public struct MissingMatchError: Error, CustomStringConvertible {
  /// The place of the call, and the text.
  public let description: String
}
