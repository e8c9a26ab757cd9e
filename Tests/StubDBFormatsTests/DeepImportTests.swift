import Foundation
import StubDBFormats
import StubDBJSON
import StubDBModel
import Testing

/// Texts that nest 20,000 deep, where a format looks into a text.
///
/// Each of them is an error or a line of the report; the stub beside it stays.
@Suite struct DeepImportTests {
  /// What a text looks like.
  private enum Kind {
    case json, xml, expression, path, selection, template

    var texts: [String] {
      switch self {
      case .json:
        [
          Self.nested("[", "", "]"), Self.nested(#"{"a":"#, "1", "}"),
          Self.nested("[", "", ""),
        ]
      case .xml: [Self.nested("<a>", "", "</a>")]
      case .expression:
        [Self.nested("(", "a", ")"), Self.nested("(?:", "", "")]
      case .path:
        [
          "$" + Self.nested("[?(@.a", "", ")]"),
          "$[?" + Self.nested("(", "@.a", ")"),
        ]
      case .selection: ["query " + Self.nested("{a", "", "}")]
      case .template:
        [
          Self.nested("{{#if (body)}}", "", "{{/if}}"),
          Self.nested("{{", "", ""),
          "{{" + Self.nested("(upper ", "'a'", ")") + "}}",
        ]
      }
    }

    static func nested(_ open: String, _ inside: String, _ close: String) -> String {
      String(repeating: open, count: 20_000) + inside + String(repeating: close, count: 20_000)
    }
  }

  /// What a stub of MockServer asks for, and what stands for `TEXT` in it.
  private static let mockServer: [(String, Kind)] = [
    (#""body": {"type": "JSON", "json": TEXT}"#, .json),
    (#""body": {"type": "XML", "xml": TEXT}"#, .xml),
    (#""body": {"type": "XPATH", "xpath": TEXT}"#, .expression),
    (#""body": {"type": "REGEX", "regex": TEXT}"#, .expression),
    (#""body": {"type": "JSON_SCHEMA", "jsonSchema": TEXT}"#, .json),
    (#""body": {"type": "JSON_PATH", "jsonPath": TEXT}"#, .path),
    (#""body": {"type": "GRAPHQL", "query": TEXT}"#, .selection),
    (#""headers": {"X": [TEXT]}"#, .expression),
  ]

  /// The matchers of Hoverfly.
  private static let matchers: [(String, Kind)] = [
    ("glob", .expression), ("regex", .expression), ("json", .json), ("jsonpartial", .json),
    ("jsonpath", .path), ("xml", .xml), ("xpath", .expression), ("xmltemplated", .xml),
  ]

  /// Mockoon's routes.
  private static let routes: [(String, Kind)] = [
    (#""responses": [{"rules": [{"target": "body", "modifier": TEXT, "value": "x"}]}]"#, .path),
    (
      #""responses": [{"rules": [{"target": "body", "operator": "valid_json_schema", "value": "deep"}]}]"#,
      .json
    ),
    (
      #""responses": [{"rules": [{"target": "path", "operator": "regex", "value": TEXT}]}]"#,
      .expression
    ),
    (#""endpoint": TEXT, "responses": [{}]"#, .expression),
    (#""responses": [{"body": TEXT}]"#, .template), (#""responses": [{"body": TEXT}]"#, .json),
    (#""responses": [{"bodyType": "DATABUCKET", "databucketID": "deep"}]"#, .json),
  ]

  /// Expects that a text and a value in its place do no harm to a file.
  private func expectNoHarm(of kind: Kind, in file: String) throws {
    for text in kind.texts {
      let file = file.replacingOccurrences(of: "TEXT", with: JSONValue.string(text).canonicalText)
      let run = try ImportRun("a.json", file)
      #expect(run.stubs.contains { $0.key == "any-kept" }, "\(text.prefix(20))")
    }
    let deep = file.replacingOccurrences(of: "TEXT", with: Kind.nested("[", "", "]"))
    #expect(throws: FormatError.self) { try ImportRun("a.json", deep) }
  }

  @Test(arguments: mockServer.indices) func deepTextsDoNoHarmToExpectations(index: Int) throws {
    let (request, kind) = Self.mockServer[index]
    try expectNoHarm(
      of: kind,
      in:
        #"[{"httpRequest": {"path": "/a", \#(request)}}, {"httpRequest": {"path": "/kept"}}]"#)
  }

  @Test func deepContentDoesNoHarmToExpectations() throws {
    try expectNoHarm(
      of: .json,
      in:
        #"[{"httpRequest": {}, "httpResponse": {"body": TEXT}}, {"httpRequest": {"path": "/kept"}}]"#
    )
  }

  private func simulation(_ pair: String) -> String {
    #"""
    {"data": {"pairs": [\#(pair), {"request": {"path": [{"matcher": "exact", "value": "/kept"}]}, "response": {}}]},
     "meta": {"schemaVersion": "v5"}}
    """#
  }

  @Test(arguments: matchers.indices) func deepTextsDoNoHarmToSimulations(index: Int) throws {
    let (matcher, kind) = Self.matchers[index]
    try expectNoHarm(
      of: kind,
      in: simulation(
        #"{"request": {"body": [{"matcher": "\#(matcher)", "value": TEXT}]}, "response": {}}"#))
  }

  @Test func deepContentDoesNoHarmToSimulations() throws {
    let pair = simulation(#"{"request": {}, "response": {"templated": true, "body": TEXT}}"#)
    try expectNoHarm(of: .template, in: pair)
    try expectNoHarm(of: .json, in: pair)
  }

  @Test(arguments: routes.indices) func deepTextsDoNoHarmToEnvironments(index: Int) throws {
    let (route, kind) = Self.routes[index]
    try expectNoHarm(
      of: kind,
      in: #"""
        {"endpointPrefix": "", "data": [{"id": "deep", "name": "deep", "value": TEXT}],
         "routes": [{\#(route)}, {"endpoint": "kept", "method": "", "responses": [{}]}]}
        """#)
  }
}
