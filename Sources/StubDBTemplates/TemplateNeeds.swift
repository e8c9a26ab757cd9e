/// What the surroundings prepare before a template is carried out.
public struct TemplateNeeds: Hashable, Sendable {
  /// A JSONPath query, and where it stands.
  public struct Query: Hashable, Sendable {
    /// The query as text.
    public let text: String
    /// Its place in bytes.
    let offset: Int
  }

  /// The JSONPath queries; the same one may be there more than once.
  public private(set) var queries: [Query] = []
  /// The names of the counters.
  public private(set) var counters: Set<String> = []

  mutating func add(_ other: TemplateNeeds) {
    queries += other.queries
    counters.formUnion(other.counters)
  }

  /// Notes what a call needs; its names must be plain texts, so that they are known before.
  ///
  /// Gives what is wrong and where, or nil.
  mutating func add(
    _ helper: TemplateHelper, _ arguments: [TemplateExpression]
  ) -> (problem: String, offset: Int)? {
    switch helper.name {
    case "jsonPath":
      guard case .literal(.text(let query)) = arguments[1].kind else {
        return (
          "the query of \"jsonPath\" must be a text in quotes, so that it can be checked",
          arguments[1].offset
        )
      }
      queries.append(Query(text: query, offset: arguments[1].offset))
    case "counter":
      guard let name = arguments.first else {
        counters.insert("")
        break
      }
      guard case .literal(.text(let text)) = name.kind else {
        return ("the name of a counter must be a text in quotes", name.offset)
      }
      counters.insert(text)
    default:
      break
    }
    return nil
  }
}
