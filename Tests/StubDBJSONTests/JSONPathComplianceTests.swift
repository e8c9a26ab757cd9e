import Foundation
import StubDBTestSupport
import Testing

@testable import StubDBJSON

/// The compliance test suite of the JSONPath working group, and tests of what it does not cover.
struct JSONPathComplianceTests {
  @Test(.enabled(if: OfficialSuite.jsonPath.isExpected, "get it with: scripts/fetch-suites"))
  func everyCaseOfTheSuiteHolds() throws {
    let file = try OfficialSuite.jsonPath.folder().appendingPathComponent("cts.json")
    let suite = try JSONValue(parsing: Data(contentsOf: file))
    let cases = try #require(suite["tests"]?.elements)
    #expect(cases.count == 703)
    for test in cases {
      guard case .string(let name)? = test["name"], case .string(let selector)? = test["selector"]
      else { continue }
      if test["invalid_selector"] == true {
        #expect(throws: JSONPathSyntaxError.self, "\(name): \(selector)") {
          try JSONPath(selector)
        }
        continue
      }
      let document = try #require(test["document"])
      var limit = Int.max
      let selected = try #require(
        try JSONPath(selector).locatedValues(in: document, visiting: &limit))
      let expected = try test["results"]?.elements ?? [#require(test["result"])]
      let values = selected.map(\.value)
      #expect(
        expected.contains { $0.isSemanticallyEqual(to: .array(values)) },
        "\(name): \(selector) selected \(values)")
      for found in selected { #expect(document.value(at: found.pointer) == found.value) }
      #expect(try JSONPath(selector).values(in: document) == values)
    }
  }

  @Test func nestingIsBounded() {
    let deep = "$" + String(repeating: "[?@", count: 200) + String(repeating: "]", count: 200)
    #expect(throws: JSONPathSyntaxError.self) { try JSONPath(deep) }
  }

  @Test(arguments: [
    ("$.a[", "expected a selector at character 5"),
    ("$[?lenght(@) > 1]", "unknown function lenght() at character 4"),
    ("a.b", "a query begins with '$' at character 1"),
  ])
  func errorsNameTheirPlace(query: String, message: String) {
    let error = #expect(throws: JSONPathSyntaxError.self) { try JSONPath(query) }
    #expect(error?.description == message)
  }
}

extension JSONValue {
  fileprivate subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }

  fileprivate var elements: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }
}
