/// What the surroundings prepare before a template is carried out.
public struct TemplateNeeds: Hashable, Sendable {
  /// The language of a query.
  public enum Language: Hashable, Sendable {
    /// RFC 9535.
    case jsonPath
    /// XPath 1.0.
    case xPath
    /// What the patterns of requests use.
    case regularExpression
  }

  /// A query, and where it stands.
  public struct Query: Hashable, Sendable {
    /// What it is written in.
    public let language: Language
    /// The query as text.
    public let text: String
    /// Its place in bytes.
    let offset: Int
  }

  /// The queries; the same one may be there more than once.
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
    switch helper.requirement {
    case .query(let language, let index, let prefix)?:
      guard case .literal(.text(let query)) = arguments[index].kind else {
        let noun = language == .regularExpression ? "expression" : "query"
        return (
          "the \(noun) of \"\(helper.name)\" must be a text in quotes, so that it can be checked",
          arguments[index].offset
        )
      }
      queries.append(
        Query(language: language, text: prefix + query, offset: arguments[index].offset))
    case .counter?:
      guard let name = arguments.first else {
        counters.insert("")
        break
      }
      guard case .literal(.text(let text)) = name.kind else {
        return ("the name of a counter must be a text in quotes", name.offset)
      }
      counters.insert(text)
    case nil:
      break
    }
    return nil
  }
}
