import Foundation
import StubDBJSON
import StubDBModel
import StubDBSecrets
import StubDBSupport

/// The text of a file of redaction rules: lists of what the options take, one key an option.
struct RulesFile {
  private static let keys = [
    "headers", "query", "cookies", "jsonPointers", "jsonPaths", "regexes", "findings",
  ]

  /// The rules, in the order of the keys.
  private(set) var rules: [RedactionRule] = []
  /// Whether what a scan finds is taken out too.
  private(set) var hasFindings = false

  /// Reads the file, strictly.
  init(at path: String) throws {
    let data = try DocumentSource.data(at: CatalogLocator().resolve(path), named: path)
    let value: JSONValue
    do {
      value = try JSONValue(parsing: data)
    } catch {
      throw CommandFailure("\(path):\(error.line):\(error.column): \(error.message)")
    }
    guard case .object(let members) = value else {
      throw CommandFailure(
        "\(path): a file of rules is an object such as {\"headers\": [\"Cookie\"]}")
    }
    for name in members.keys.sorted() where !Self.keys.contains(name) {
      let advice = Self.keys.nearest(to: name).map { "did you mean \"\($0)\"?" }
      let line = JSONPlaceFinder.line(of: JSONPointer([name]), in: data) ?? 1
      throw CommandFailure(
        "\(path):\(line): unknown key \(Printable.quoted(name)); "
          + (advice ?? "known are \(Self.keys.joined(separator: ", "))"))
    }
    do {
      rules = try RedactionOptions.rules(
        headers: Self.list("headers", members), query: Self.list("query", members),
        cookies: Self.list("cookies", members), pointers: Self.list("jsonPointers", members),
        paths: Self.list("jsonPaths", members), regexes: Self.list("regexes", members))
      if let findings = members["findings"] {
        guard case .bool(let isWanted) = findings else {
          throw UsageFailure("\"findings\" must be true or false")
        }
        hasFindings = isWanted
      }
    } catch let failure as UsageFailure {
      throw CommandFailure("\(path): \(failure.description)")
    }
  }

  private static func list(_ key: String, _ members: [String: JSONValue]) throws -> [String] {
    switch members[key] {
    case nil: return []
    case .array(let elements):
      return try elements.map { element in
        guard case .string(let text) = element else {
          throw UsageFailure("\"\(key)\" must be a list of strings")
        }
        return text
      }
    default: throw UsageFailure("\"\(key)\" must be a list of strings")
    }
  }
}
