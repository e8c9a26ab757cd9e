import StubDBJSON
import StubDBSupport
import StubDBTemplates
import StubDBXML

/// What the templates of a stub need, collected while they are compiled.
struct CompiledNeeds: Sendable {
  private(set) var queries = CompiledQueries()
  /// The names of the counters.
  private(set) var counters: Set<String> = []

  /// Parses a template; a text without braces needs no template.
  mutating func template(
    _ text: String, names: TemplateNames = .outside
  ) throws(CompileError) -> Template {
    do throws(TemplateError) {
      let template = try Template(text, names: names)
      try add(template.needs, template.place)
      return template
    } catch {
      throw CompileError(code: .invalidTemplate, reason: "template: \(error)", path: [])
    }
  }

  /// Parses a text that opens a block.
  mutating func block(
    _ text: String, names: TemplateNames
  ) throws(CompileError) -> TemplateBlock {
    do throws(TemplateError) {
      let block = try TemplateBlock(text, names: names)
      try add(block.needs, block.place)
      return block
    } catch {
      throw CompileError(code: .invalidTemplate, reason: "template: \(error)", path: [])
    }
  }

  /// Compiles a query outside templates.
  mutating func query(_ text: String) throws(CompileError) -> JSONPath {
    do throws(JSONPathSyntaxError) {
      return try JSONPath(text)
    } catch {
      throw CompileError(
        code: .invalidPattern,
        reason: "\(TextExcerpt.quoted(text)) is not a JSONPath of RFC 9535: \(error)", path: [])
    }
  }

  mutating func merge(_ other: CompiledNeeds) {
    queries.merge(other.queries)
    counters.formUnion(other.counters)
  }

  private mutating func add(
    _ needs: TemplateNeeds, _ place: (TemplateNeeds.Query) -> TemplatePlace
  ) throws(TemplateError) {
    counters.formUnion(needs.counters)
    for query in needs.queries {
      if let problem = queries.add(query) {
        throw TemplateError(message: problem, place: place(query))
      }
    }
  }
}

/// The queries of templates by their text, each compiled once.
struct CompiledQueries: Sendable {
  private(set) var jsonPaths: [ByteText: JSONPath] = [:]
  private(set) var xPaths: [ByteText: XPath] = [:]
  /// Expressions that match whole texts, and expressions that match anywhere.
  private(set) var expressions: [ByteText: (whole: WholeValueRegex, anywhere: BoundedRegex)] = [:]

  mutating func merge(_ other: CompiledQueries) {
    jsonPaths.merge(other.jsonPaths) { first, _ in first }
    xPaths.merge(other.xPaths) { first, _ in first }
    expressions.merge(other.expressions) { first, _ in first }
  }

  /// Compiles a query that is new; returns its error, or nil.
  mutating func add(_ query: TemplateNeeds.Query) -> String? {
    let text = query.text
    let key = ByteText(text)
    do {
      switch query.language {
      case .jsonPath where jsonPaths[key] == nil: jsonPaths[key] = try JSONPath(text)
      case .xPath where xPaths[key] == nil: xPaths[key] = try XPath(text)
      case .regularExpression where expressions[key] == nil:
        expressions[key] = (
          try WholeValueRegex(text), try BoundedRegex(text, dialect: .java, isWhole: false)
        )
      default: break
      }
      return nil
    } catch {
      return "\(TextExcerpt.quoted(text)) is not \(query.language.phrase): \(error)"
    }
  }
}

extension TemplateNeeds.Language {
  fileprivate var phrase: String {
    switch self {
    case .jsonPath: "a JSONPath of RFC 9535"
    case .xPath: "an XPath 1.0"
    case .regularExpression: "a regular expression"
    }
  }
}
