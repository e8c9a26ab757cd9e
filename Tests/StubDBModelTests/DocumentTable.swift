import Foundation
import StubDBJSON
import StubDBModel
import Testing

/// The rows of `Tests/Documents/good.json` and `bad.json`, which python's jsonschema reads too.
struct DocumentTable {
  struct Row: Sendable, CustomTestStringConvertible {
    var kind: String
    var value: JSONValue
    var canonical: JSONValue?
    var error: String
    /// Whether the JSON Schema accepts what the decoder refuses.
    var isAcceptedBySchema = false
    var testDescription: String { "\(kind) \(value.canonicalText)" }

    var document: Data { Data(wrap(value).canonicalText.utf8) }

    /// The value inside a whole document.
    func wrap(_ value: JSONValue) -> JSONValue {
      switch kind {
      case "stub": stub(value)
      case "request": stub(["request": value])
      case "value": stub(["request": ["query": ["q": value]]])
      case "body": stub(["request": ["body": value]])
      case "response": stub(["responses": [value]])
      default: value
      }
    }

    /// The place of the value in the document.
    var pointer: String {
      switch kind {
      case "stub": "/stubs/0"
      case "request": "/stubs/0/request"
      case "value": "/stubs/0/request/query/q"
      case "body": "/stubs/0/request/body"
      case "response": "/stubs/0/responses/0"
      default: ""
      }
    }

    private func stub(_ members: JSONValue) -> JSONValue {
      guard case .object(var stub) = members else { return .null }
      stub["key"] = "k"
      return ["scenario": "s", "stubs": [.object(stub)]]
    }
  }

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func rows(_ name: String) throws -> [Row] {
    let url = root.appending(path: "Tests/Documents/\(name).json")
    guard case .array(let rows) = try JSONValue(parsing: Data(contentsOf: url)) else { return [] }
    return rows.compactMap { row in
      guard case .object(let row) = row, case .string(let kind)? = row["in"],
        let value = row["value"]
      else { return nil }
      var error = ""
      if case .string(let text)? = row["error"] { error = text }
      return Row(
        kind: kind, value: value, canonical: row["canonical"], error: error,
        isAcceptedBySchema: row["schema"] == "accepts")
    }
  }
}
