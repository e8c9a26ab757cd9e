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
    var schema: ByteText
    var dialect: JSONSchema.Dialect?
  }

  private struct XPathKey: Hashable {
    var expression: ByteText
    var namespaces: [ByteText: ByteText]
  }

  /// The parts for hosts that are given as texts.
  var hosts: [ByteText: any CompiledPart] = [:]
  private var expressions: [ByteText: WholeValueRegex] = [:]
  private var dates: [DatePattern: DateOperand] = [:]
  private var paths: [ByteText: CompiledQuery<JSONPath>] = [:]
  private var schemas: [SchemaKey: JSONSchema] = [:]
  private var queries: [ByteText: GraphQLTokens] = [:]
  private var documents: [ByteText: XMLTree] = [:]
  private var xPaths: [XPathKey: CompiledQuery<XPath>] = [:]

  mutating func expression(_ text: String) throws(CompileError) -> WholeValueRegex {
    if let known = expressions[ByteText(text)] { return known }
    do throws(RegexSyntaxError) {
      let expression = try WholeValueRegex(text)
      expressions[ByteText(text)] = expression
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
    if let known = paths[ByteText(text)] { return known }
    do throws(JSONPathSyntaxError) {
      let query = CompiledQuery(try JSONPath(text), isShared: true)
      paths[ByteText(text)] = query
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
    let key = SchemaKey(schema: ByteText(schema.canonicalText), dialect: dialect)
    if let known = schemas[key] { return known }
    do throws(JSONSchemaError) {
      let compiled = try JSONSchema(schema, dialect: dialect)
      schemas[key] = compiled
      return compiled
    } catch {
      throw CompileError(
        code: .invalidPattern, reason: "the JSON Schema cannot be used: \(error.message)",
        path: error.pointer.tokens)
    }
  }

  mutating func tokens(_ query: String) throws(CompileError) -> GraphQLTokens {
    if let known = queries[ByteText(query)] { return known }
    do throws(GraphQLTokens.SyntaxError) {
      let tokens = try GraphQLTokens(query)
      queries[ByteText(query)] = tokens
      return tokens
    } catch {
      throw CompileError(
        code: .invalidPattern, reason: "the query is not GraphQL: \(error.message)")
    }
  }

  mutating func document(_ text: String) throws(CompileError) -> XMLTree {
    if let known = documents[ByteText(text)] { return known }
    do throws(XMLSyntaxError) {
      let document = try XMLTree(parsing: text)
      documents[ByteText(text)] = document
      return document
    } catch {
      throw CompileError(
        code: .invalidPattern,
        reason: "it is not XML: \(error.message) (line \(error.line), column \(error.column))")
    }
  }

  mutating func xPath(_ pattern: XPathPattern) throws(CompileError) -> CompiledQuery<XPath> {
    let namespaces = pattern.namespaces.map { (ByteText($0.key), ByteText($0.value)) }
    let key = XPathKey(
      expression: ByteText(pattern.expression),
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
