/// A query that selects values inside a JSON value, by RFC 9535.
///
/// Parsed and checked once; selecting never fails. https://www.rfc-editor.org/rfc/rfc9535
public struct JSONPath: Hashable, Sendable, CustomStringConvertible {
  /// The query as it was written.
  public let description: String
  let segments: [Segment]

  /// Parses a query.
  ///
  /// - Throws: A ``JSONPathSyntaxError`` where the text is not well-formed or not valid: an unknown
  ///   function, a wrong number or type of arguments, an integer beyond 2^53 - 1.
  public init(_ text: String) throws(JSONPathSyntaxError) {
    var parser = JSONPathParser(text)
    segments = try parser.parseQuery()
    description = text
  }

  /// The values that the query selects, in order; members of an object come sorted by name.
  ///
  /// The same value may be there more than once. Costs time in proportion to the values visited;
  /// a filter inside a filter, or `..` behind `..`, multiplies them.
  public func values<Value: JSONPathValue>(in root: Value) -> [Value] {
    Evaluation(root: root, budget: EvaluationBudget(.max)).select(segments, from: root)
  }

  /// The same for a value that nobody vouches for: nil where more values than the limit would be visited.
  ///
  /// What was visited is taken off the limit, which then is below 0 where it was not enough. Also nil where a regular
  /// expression of the query takes longer than some tenths of a second.
  public func values<Value: JSONPathValue>(
    in root: Value, visiting limit: inout Int
  ) -> [Value]? {
    let budget = EvaluationBudget(limit)
    let values = Evaluation(root: root, budget: budget).select(segments, from: root)
    limit = budget.left
    return budget.isExhausted ? nil : values
  }
}
