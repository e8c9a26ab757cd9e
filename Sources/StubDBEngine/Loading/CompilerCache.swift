import StubDBJSON
import StubDBModel
import StubDBSupport
import StubDBXML

/// The compiled parts of a scenario's patterns, so that what several stubs share is compiled once.
///
/// Texts that compose a character differently are different patterns.
/// It is used only while a scenario is loaded.
struct CompilerCache {
  private struct SchemaKey: Hashable {
    var schema: ExactText
    var dialect: JSONSchema.Dialect?
  }

  private struct XPathKey: Hashable {
    var expression: ExactText
    var namespaces: [ExactText: ExactText]
  }

  /// How large requests may be that the patterns surely compare in a short time, in bytes.
  private(set) var quickSize = PatternCost.linear
  /// The parts for hosts that are given as texts.
  var hosts: [ExactText: any CompiledPart] = [:]
  private var expressions: [ExactText: WholeValueRegex] = [:]
  private var dates: [DatePattern: DateOperand] = [:]
  private var paths: [ExactText: CompiledQuery<JSONPath>] = [:]
  private var schemas: [SchemaKey: JSONSchema] = [:]
  private var queries: [ExactText: GraphQLTokens] = [:]
  private var documents: [ExactText: XMLTree] = [:]
  private var xPaths: [XPathKey: CompiledQuery<XPath>] = [:]

  /// Notes a pattern that compares only smaller requests in a short time.
  mutating func limit(to size: Int) {
    quickSize = min(quickSize, size)
  }

  mutating func expression(_ text: String) throws(CompileError) -> WholeValueRegex {
    if let known = expressions[ExactText(text)] { return known }
    do throws(RegexSyntaxError) {
      let expression = try WholeValueRegex(text)
      expressions[ExactText(text)] = expression
      limit(to: PatternCost.size(expression: text))
      return expression
    } catch {
      throw CompileError(
        code: .invalidRegularExpression,
        reason: "\(TextExcerpt.quoted(text)) is not a regular expression: \(error)")
    }
  }

  mutating func date(_ pattern: DatePattern) throws(CompileError) -> DateOperand {
    if let known = dates[pattern] { return known }
    let date = try DateOperand(pattern)
    dates[pattern] = date
    return date
  }

  mutating func path(_ text: String) throws(CompileError) -> CompiledQuery<JSONPath> {
    if let known = paths[ExactText(text)] { return known }
    do throws(JSONPathSyntaxError) {
      let query = CompiledQuery(try JSONPath(text), isShared: true)
      paths[ExactText(text)] = query
      limit(to: PatternCost.size(jsonPath: text))
      return query
    } catch {
      throw CompileError(
        code: .invalidPattern,
        reason: "\(TextExcerpt.quoted(text)) is not a JSONPath of RFC 9535: \(error)")
    }
  }

  mutating func schema(
    _ schema: JSONValue, dialect: JSONSchema.Dialect?
  ) throws(CompileError) -> JSONSchema {
    let key = SchemaKey(schema: ExactText(schema.canonicalText), dialect: dialect)
    if let known = schemas[key] { return known }
    do throws(JSONSchemaError) {
      let compiled = try JSONSchema(schema, dialect: dialect)
      schemas[key] = compiled
      limit(to: PatternCost.unbounded)
      return compiled
    } catch {
      throw CompileError(
        code: .invalidPattern, reason: "the JSON Schema cannot be used: \(error.message)",
        path: error.pointer.tokens)
    }
  }

  mutating func tokens(_ query: String) throws(CompileError) -> GraphQLTokens {
    if let known = queries[ExactText(query)] { return known }
    do throws(GraphQLTokens.SyntaxError) {
      let tokens = try GraphQLTokens(query)
      queries[ExactText(query)] = tokens
      return tokens
    } catch {
      throw CompileError(
        code: .invalidPattern, reason: "the query is not GraphQL: \(error.message)")
    }
  }

  mutating func document(_ text: String) throws(CompileError) -> XMLTree {
    if let known = documents[ExactText(text)] { return known }
    do throws(XMLSyntaxError) {
      let document = try XMLTree(parsing: text)
      documents[ExactText(text)] = document
      limit(to: PatternCost.pairs)
      return document
    } catch {
      throw CompileError(
        code: .invalidPattern,
        reason: "it is not XML: \(error.message) (line \(error.line), column \(error.column))")
    }
  }

  mutating func xPath(_ pattern: XPathPattern) throws(CompileError) -> CompiledQuery<XPath> {
    let namespaces = pattern.namespaces.map { (ExactText($0.key), ExactText($0.value)) }
    let key = XPathKey(
      expression: ExactText(pattern.expression),
      namespaces: Dictionary(namespaces) { first, _ in first })
    if let known = xPaths[key] {
      if known.isShared { return known }
      let shared = CompiledQuery(known.query, isShared: true)
      xPaths[key] = shared
      return shared
    }
    do throws(XPathSyntaxError) {
      let query = CompiledQuery(try XPath(pattern.expression, namespaces: pattern.namespaces))
      xPaths[key] = query
      limit(to: PatternCost.size(xPath: pattern.expression))
      return query
    } catch {
      throw CompileError(
        code: .invalidPattern,
        reason: "\(TextExcerpt.quoted(pattern.expression)) is not an XPath 1.0: \(error)")
    }
  }
}

/// A query, whose results in a request are cached under its identity if stubs share it.
final class CompiledQuery<Query: Sendable>: Sendable, Hashable {
  let query: Query
  /// Whether more than one stub may use it.
  ///
  /// Keeping the result of a query that no other stub asks for takes as long as a short query.
  let isShared: Bool

  init(_ query: Query, isShared: Bool = false) {
    self.query = query
    self.isShared = isShared
  }

  static func == (left: CompiledQuery, right: CompiledQuery) -> Bool { left === right }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
