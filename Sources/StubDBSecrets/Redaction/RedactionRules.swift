package import Foundation
internal import StubDBJSON
internal import StubDBSupport

/// The rules of a redaction as texts, and as a file has them: lists with a key for each kind of rule.
package struct RedactionRules: Sendable {
  /// A text that is not a rule, or a file that does not hold rules.
  package struct Problem: Error, Hashable, CustomStringConvertible {
    /// What is wrong; one sentence.
    package let description: String
  }

  private static let keys = [
    "headers", "query", "cookies", "jsonPointers", "jsonPaths", "regexes", "findings",
  ]

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
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONValue(parsing: data)
    } catch {
      throw Problem(description: "\(file):\(error.line):\(error.column): \(error.message)")
    }
    guard case .object(let members) = value else {
      throw Problem(
        description: "\(file): a file of rules is an object such as {\"headers\": [\"Cookie\"]}")
    }
    for name in members.keys.sorted() where !Self.keys.contains(name) {
      let advice = Self.keys.nearest(to: name).map { "did you mean \"\($0)\"?" }
      let line = JSONPlaceFinder.line(of: JSONPointer([name]), in: data) ?? 1
      throw Problem(
        description: "\(file):\(line): unknown key \(Self.quoted(name)); "
          + (advice ?? "known are \(Self.keys.joined(separator: ", "))"))
    }
    do throws(Problem) {
      self = try RedactionRules(
        headers: Self.list("headers", members), query: Self.list("query", members),
        cookies: Self.list("cookies", members), pointers: Self.list("jsonPointers", members),
        paths: Self.list("jsonPaths", members), regexes: Self.list("regexes", members))
      switch members["findings"] {
      case nil: break
      case .bool(let isWanted): includesFindings = isWanted
      default: throw Problem(description: "\"findings\" must be true or false")
      }
    } catch {
      throw Problem(description: "\(file): \(error)")
    }
  }

  private static func list(
    _ key: String, _ members: [String: JSONValue]
  ) throws(Problem) -> [String] {
    let problem = Problem(description: "\"\(key)\" must be a list of strings")
    guard let value = members[key] else { return [] }
    guard case .array(let elements) = value else { throw problem }
    var texts: [String] = []
    for element in elements {
      guard case .string(let text) = element else { throw problem }
      texts.append(text)
    }
    return texts
  }

  /// What is wrong with an expression, if that can be told.
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
