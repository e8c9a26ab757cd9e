/// A query by RFC 9535 that selects values inside a JSON value.
///
/// It is parsed and checked once; selecting does not fail. https://www.rfc-editor.org/rfc/rfc9535
public struct JSONPath: Hashable, Sendable, CustomStringConvertible {
  /// The query as written.
  public let description: String
  let segments: [Segment]

  /// Parses a query.
  ///
  /// - Throws: A ``JSONPathSyntaxError`` if the text is not well-formed or not valid: an unknown function, a wrong
  /// number or type of arguments, an integer beyond 2^53 - 1.
  public init(_ text: String) throws(JSONPathSyntaxError) {
    var parser = JSONPathParser(text)
    segments = try parser.parseQuery()
    description = text
  }

  /// The values that the query selects, in order; members of an object are sorted by name.
  ///
  /// A value may occur more than once. The time is proportional to the number of values visited; a filter inside a
  /// filter, or `..` after `..`, multiplies them.
  public func values<Value: JSONPathValue>(in root: Value) -> [Value] {
    Evaluation(root: root, budget: EvaluationBudget(.max)).select(segments, from: root)
  }

  /// Does the same for an untrusted query or value; nil if more values than the limit would be visited.
  ///
  /// The values visited are subtracted from the limit, which ends below 0 if it did not suffice. Also nil if a regular
  /// expression in the query takes longer than some tenths of a second.
  public func values<Value: JSONPathValue>(
    in root: Value, visiting limit: inout Int
  ) -> [Value]? {
    let budget = EvaluationBudget(limit)
    let values = Evaluation(root: root, budget: budget).select(segments, from: root)
    limit = budget.left
    return budget.isExhausted ? nil : values
  }
}
