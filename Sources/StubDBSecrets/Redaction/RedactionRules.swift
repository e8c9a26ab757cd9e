package import Foundation
internal import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// The rules of a redaction as texts, and as a file has them: lists with a key for each kind of rule.
package struct RedactionRules: Sendable {
  /// A text that is not a rule, or a file that does not hold rules.
  package struct Problem: Error, Hashable, CustomStringConvertible {
    /// What is wrong; one sentence.
    package let description: String
  }

  private static let kind = DocumentObjectKind(
    "a file of rules",
    ["headers", "query", "cookies", "jsonPointers", "jsonPaths", "regexes", "findings"])

  /// The rules, in the order of the kinds.
  package private(set) var rules: [RedactionRule] = []
  /// Whether what a scan finds is taken out too.
  package private(set) var includesFindings = false

  /// Makes rules from their texts.
  ///
  /// - Throws: ``Problem`` for a text that is not a pointer, a query or an expression.
  package init(
    headers: [String], query: [String], cookies: [String], pointers: [String], paths: [String],
    regexes: [String]
  ) throws(Problem) {
    rules = headers.map(RedactionRule.header)
    rules += query.map(RedactionRule.query) + cookies.map(RedactionRule.cookie)
    for text in pointers {
      guard let pointer = JSONPointer(parsing: text), !pointer.tokens.isEmpty else {
        throw Problem(
          description:
            "\(Self.quoted(text)) is not a JSON pointer; a pointer begins with /, as /a/b")
      }
      rules.append(.jsonPointer(pointer))
    }
    for text in paths {
      do {
        rules.append(.jsonPath(try JSONPath(text)))
      } catch {
        throw Problem(description: "\(Self.quoted(text)) is not a JSONPath: \(error)")
      }
    }
    for text in regexes {
      guard let regex = BoundedRegex(text) else {
        throw Problem(
          description: "\(Self.quoted(text)) is not a regular expression\(Self.reason(text))")
      }
      rules.append(.regex(regex))
    }
  }

  /// Reads a file, strictly.
  ///
  /// - Parameters:
  ///   - data: JSON text.
  ///   - file: What an error calls it.
  /// - Throws: ``Problem`` with the file, and the line if it is known.
  package init(parsing data: Data, file: String) throws(Problem) {
    var lists: [String: [String]] = [:]
    var hasFindings = false
    do throws(DocumentError) {
      try DocumentNode.reading(data, file: file) { (root) throws(DocumentError) in
        let object = try root.object(Self.kind)
        hasFindings = try object.flag("findings")
        for key in Self.kind.keys where key != "findings" {
          for node in try object[key]?.list("a list of strings") ?? [] {
            lists[key, default: []].append(try node.string())
          }
        }
      }
    } catch {
      throw Problem(description: "\(error)")
    }
    func list(_ key: String) -> [String] { lists[key] ?? [] }
    do throws(Problem) {
      self = try RedactionRules(
        headers: list("headers"), query: list("query"), cookies: list("cookies"),
        pointers: list("jsonPointers"), paths: list("jsonPaths"), regexes: list("regexes"))
    } catch {
      throw Problem(description: "\(file): \(error)")
    }
    includesFindings = hasFindings
  }

  /// The syntax error of an expression; nil if it is valid.
  private static func reason(_ text: String) -> String {
    do {
      _ = try Regex(text)
      return ""
    } catch {
      return ": \(error)"
    }
  }

  private static func quoted(_ text: String) -> String { JSONValue.string(text).canonicalText }
}
