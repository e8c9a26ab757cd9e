import StubDBJSONPath
import StubDBModel
import StubDBTemplates

/// What the templates of a stub need, gathered while they are read.
struct CompiledNeeds: Sendable {
  /// The JSONPath queries by their text.
  private(set) var queries: [String: JSONPath] = [:]
  /// The names of the counters.
  private(set) var counters: Set<String> = []

  /// Reads a template; a text without braces is one that is itself.
  mutating func template(
    _ text: String, names: TemplateNames = .outside
  ) throws(Refusal) -> Template {
    do throws(TemplateError) {
      let template = try Template(text, names: names)
      try add(template.needs, template.place)
      return template
    } catch {
      throw Refusal(code: .invalidTemplate, reason: "template: \(error)", path: [])
    }
  }

  /// Reads a text that opens a block.
  mutating func block(
    _ text: String, names: TemplateNames
  ) throws(Refusal) -> TemplateBlock {
    do throws(TemplateError) {
      let block = try TemplateBlock(text, names: names)
      try add(block.needs, block.place)
      return block
    } catch {
      throw Refusal(code: .invalidTemplate, reason: "template: \(error)", path: [])
    }
  }

  /// Reads a query that stands outside templates.
  mutating func query(_ text: String) throws(Refusal) -> JSONPath {
    do throws(JSONPathSyntaxError) {
      return try JSONPath(text)
    } catch {
      throw Refusal(
        code: .invalidPattern,
        reason: "\(TextExcerpt.quoted(text)) is not a JSONPath of RFC 9535: \(error)", path: [])
    }
  }

  private mutating func add(
    _ needs: TemplateNeeds, _ place: (TemplateNeeds.Query) -> TemplatePlace
  ) throws(TemplateError) {
    counters.formUnion(needs.counters)
    for query in needs.queries where queries[query.text] == nil {
      do throws(JSONPathSyntaxError) {
        queries[query.text] = try JSONPath(query.text)
      } catch {
        throw TemplateError(
          message: "\(TextExcerpt.quoted(query.text)) is not a JSONPath of RFC 9535: \(error)",
          place: place(query))
      }
    }
  }
}
