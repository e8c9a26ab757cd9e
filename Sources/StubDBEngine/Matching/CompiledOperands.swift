import StubDBJSON
import StubDBModel
import StubDBSupport
import StubDBXML

/// The operands of a scenario's patterns that have to be compiled, each compiled once.
struct CompiledOperands: Sendable {
  /// A schema and the draft that a pattern names for it.
  struct SchemaOperand: Hashable, Sendable {
    var schema: JSONValue
    var version: String?
  }

  /// An XPath and its namespaces.
  struct XPathOperand: Hashable, Sendable {
    var expression: String
    var namespaces: [String: String]

    init(_ pattern: XPathPattern) {
      expression = pattern.expression
      namespaces = pattern.namespaces
    }
  }

  private(set) var expressions: [String: WholeValueRegex] = [:]
  private(set) var dates: [DatePattern: DateOperand] = [:]
  private(set) var paths: [String: JSONPath] = [:]
  private(set) var schemas: [SchemaOperand: JSONSchema] = [:]
  private(set) var queries: [String: GraphQLTokens] = [:]
  private(set) var documents: [String: XMLTree] = [:]
  private(set) var xPaths: [XPathOperand: XPath] = [:]

  /// Compiles a regular expression unless it is there.
  mutating func add(expression: String) throws(Refusal) {
    if expressions[expression] != nil { return }
    do throws(RegexSyntaxError) {
      expressions[expression] = try WholeValueRegex(expression)
    } catch {
      throw Refusal(
        code: .invalidRegularExpression,
        reason: "\(TextExcerpt.quoted(expression)) is not a regular expression: \(error)", path: [])
    }
  }

  mutating func add(_ date: DatePattern) throws(Refusal) {
    if dates[date] == nil { dates[date] = try DateOperand(date) }
  }

  mutating func add(path: String) throws(Refusal) {
    if paths[path] != nil { return }
    do throws(JSONPathSyntaxError) {
      paths[path] = try JSONPath(path)
    } catch {
      throw Refusal(
        code: .invalidPattern,
        reason: "\(TextExcerpt.quoted(path)) is not a JSONPath of RFC 9535: \(error)", path: [])
    }
  }

  mutating func add(schema: JSONValue, version: String?) throws(Refusal) {
    let key = SchemaOperand(schema: schema, version: version)
    if schemas[key] != nil { return }
    do throws(JSONSchemaError) {
      schemas[key] = try JSONSchema(
        schema, dialect: version.flatMap(JSONSchema.Dialect.init(rawValue:)))
    } catch {
      throw Refusal(
        code: .invalidPattern, reason: "the JSON Schema cannot be used: \(error.message)",
        path: error.pointer.tokens)
    }
  }

  mutating func add(query: String) throws(Refusal) {
    if queries[query] != nil { return }
    do throws(GraphQLTokens.Problem) {
      queries[query] = try GraphQLTokens(query)
    } catch {
      throw Refusal(
        code: .invalidPattern, reason: "the query is not GraphQL: \(error.message)", path: [])
    }
  }

  mutating func add(_ pattern: XMLPattern) throws(Refusal) {
    let document: XMLTree
    if let known = documents[pattern.document] {
      document = known
    } else {
      do throws(XMLSyntaxError) {
        document = try XMLTree(parsing: pattern.document)
      } catch {
        throw Refusal(
          code: .invalidPattern,
          reason: "it is not XML: \(error.message) (line \(error.line), column \(error.column))",
          path: [])
      }
      documents[pattern.document] = document
    }
    guard pattern.enablePlaceholders else { return }
    for text in document.nodes.map(\.value) {
      switch XMLPlaceholder(text) {
      case .regex(let expression): try add(expression: expression)
      case .unknown:
        throw Refusal(
          code: .invalidPattern,
          reason: "there is no placeholder \(TextExcerpt.quoted(text)); there are "
            + XMLPlaceholder.words.joined(separator: ", "), path: [])
      default: break
      }
    }
  }

  mutating func add(_ pattern: XPathPattern) throws(Refusal) {
    let key = XPathOperand(pattern)
    if xPaths[key] != nil { return }
    do throws(XPathSyntaxError) {
      xPaths[key] = try XPath(pattern.expression, namespaces: pattern.namespaces)
    } catch {
      throw Refusal(
        code: .invalidPattern,
        reason: "\(TextExcerpt.quoted(pattern.expression)) is not an XPath 1.0: \(error)", path: [])
    }
  }
}
