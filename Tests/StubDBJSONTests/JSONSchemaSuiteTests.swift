import Foundation
import StubDBJSON
import StubDBTestSupport
import Testing

/// The official JSON Schema suite: all required groups, and the optional ones except `format`, which rejects nothing
/// here.
@Suite(.enabled(if: OfficialSuite.jsonSchema.isExpected, "get it with: scripts/fetch-suites"))
struct JSONSchemaSuiteTests {
  /// A group of the suite: its file, its schema, and values that are valid or not.
  private struct Group {
    let name: String
    let schema: JSONValue
    let tests: [(name: String, value: JSONValue, isValid: Bool)]
  }

  /// The reasons why a group, or one test of it, has another verdict here; the keys are prefixes of `file: group:
  /// test`.
  private static let known: [JSONSchema.Dialect: [String: String]] = [
    .draft202012: [
      "vocabulary.json: schema that uses custom metaschema with with no validation vocabulary":
        "schemas with a metaschema of their own are read as 2020-12",
      "optional/dependencies-compatibility.json": "2020-12 has no keyword `dependencies`",
      "optional/format-assertion.json": "`format` refuses nothing",
    ],
    .draft07: [
      "optional/content.json": "`contentEncoding` and `contentMediaType` refuse nothing"
    ],
  ]

  @Test(arguments: [
    (JSONSchema.Dialect.draft07, "tests/draft7"),
    (JSONSchema.Dialect.draft202012, "tests/draft2020-12"),
  ])
  func everyVerdictIsTheSuites(dialect: JSONSchema.Dialect, path: String) throws {
    let folder = try OfficialSuite.jsonSchema.folder().appendingPathComponent(path)
    var differences: [String] = []
    var (checked, refused) = (0, 0)
    for group in try Self.groups(in: folder) {
      guard let schema = try? JSONSchema(group.schema, dialect: dialect) else {
        // References stay inside a schema: only one that leaves it may be rejected.
        if Self.leaves(group.schema) { refused += 1 } else { differences.append(group.name) }
        continue
      }
      for test in group.tests {
        checked += 1
        if schema.violations(in: test.value).isEmpty != test.isValid {
          differences.append("\(group.name): \(test.name)")
        }
      }
    }
    let known = Self.known[dialect, default: [:]]
    let unknown = differences.filter { difference in
      !known.keys.contains(where: difference.hasPrefix)
    }
    #expect(unknown.isEmpty, "\(unknown.joined(separator: "\n"))")
    for reason in known.keys where !differences.contains(where: { $0.hasPrefix(reason) }) {
      Issue.record("no difference in: \(reason)")
    }
    #expect(checked > 950 && refused < 60, "\(checked) checked, \(refused) refused")
  }

  /// Whether a reference in the schema leads out of it.
  private static func leaves(_ schema: JSONValue) -> Bool {
    switch schema {
    case .object(let members):
      members.contains { name, member in
        if ["$ref", "$dynamicRef"].contains(name), case .string(let target) = member {
          return !target.hasPrefix("#")
        }
        return leaves(member)
      }
    case .array(let elements): elements.contains(where: leaves)
    default: false
    }
  }

  private static func groups(in folder: URL) throws -> [Group] {
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".json") && !$0.hasPrefix("optional/format/") }
    return try files.sorted().flatMap { file -> [Group] in
      let data = try Data(contentsOf: folder.appendingPathComponent(file))
      guard case .array(let groups) = try JSONValue(parsing: data) else { return [] }
      return groups.compactMap { group(in: file, $0) }
    }
  }

  private static func group(in file: String, _ value: JSONValue) -> Group? {
    guard case .object(let members) = value, case .string(let name) = members["description"],
      let schema = members["schema"], case .array(let tests) = members["tests"]
    else { return nil }
    return Group(
      name: "\(file): \(name)", schema: schema,
      tests: tests.compactMap { test in
        guard case .object(let test) = test, case .string(let name) = test["description"],
          let value = test["data"], case .bool(let isValid) = test["valid"]
        else { return nil }
        return (name, value, isValid)
      })
  }
}
