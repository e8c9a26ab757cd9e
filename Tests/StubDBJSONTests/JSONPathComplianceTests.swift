import Foundation
import StubDBJSON
import StubDBTestSupport
import Testing

/// The compliance test suite of the JSONPath working group, and tests of what it does not cover.
struct JSONPathComplianceTests {
  @Test(.enabled(if: OfficialSuite.jsonPath.isExpected, "get it with: scripts/fetch-suites"))
  func everyCaseOfTheSuiteHolds() throws {
    let file = try OfficialSuite.jsonPath.folder().appendingPathComponent("cts.json")
    let suite = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    let cases = try #require(suite["tests"] as? [[String: Any]])
    #expect(cases.count == 703)
    for test in cases {
      let name = test["name"] as? String ?? "?"
      let selector = try #require(test["selector"] as? String)
      if test["invalid_selector"] as? Bool == true {
        #expect(throws: JSONPathSyntaxError.self, "\(name): \(selector)") {
          try JSONPath(selector)
        }
        continue
      }
      let document = AnyJSON(try #require(test["document"]))
      let selected = try JSONPath(selector).values(in: document)
      let expected =
        try test["results"] as? [[Any]] ?? [#require(test["result"] as? [Any])]
      #expect(
        try expected.map(text).contains(text(selected.map(\.value))),
        "\(name): \(selector) selected \(selected.map(\.value))")
    }
  }

  private func text(_ values: [Any]) throws -> String {
    String(
      decoding: try JSONSerialization.data(withJSONObject: values, options: .sortedKeys),
      as: UTF8.self)
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

/// The value of Foundation's parser, as a query sees it.
private struct AnyJSON: JSONPathValue {
  let value: Any

  init(_ value: Any) {
    self.value = value
  }

  var jsonPathContent: JSONPathContent<AnyJSON> {
    switch value {
    case let text as String: .string(text)
    case let number as NSNumber:
      String(cString: number.objCType) == "c"
        ? .bool(number.boolValue) : .number(number.doubleValue)
    case let elements as [Any]: .array(elements.map(AnyJSON.init))
    case let members as [String: Any]: .object(members.mapValues(AnyJSON.init))
    default: .null
    }
  }
}
