/// What the environment prepares before a template is rendered.
package struct TemplateNeeds: Hashable, Sendable {
  /// The language of a query.
  package enum Language: Hashable, Sendable {
    /// RFC 9535.
    case jsonPath
    /// XPath 1.0.
    case xPath
    /// Java's regular expressions, as in request patterns.
    case regularExpression
  }

  /// A query and its place in the template.
  package struct Query: Hashable, Sendable {
    /// The language it is written in.
    package let language: Language
    /// The query as text.
    package let text: String
    /// Its offset in bytes.
    let offset: Int
  }

  /// The queries; may contain duplicates.
  package private(set) var queries: [Query] = []
  /// The names of the counters.
  package private(set) var counters: Set<String> = []

  mutating func add(_ other: TemplateNeeds) {
    queries += other.queries
    counters.formUnion(other.counters)
  }

  /// Records what a call needs, from names that must be literals so that they are known before rendering.
  ///
  /// Returns the error and its offset, or nil.
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
