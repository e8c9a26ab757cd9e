internal import Foundation
package import StubDBJSON

// The parts of a stub as compact JSON objects, defaults left out: what a catalog keeps in a column.
// The keys are those of a document, with the URL always in its parts.

extension RequestPattern {
  /// Decodes a pattern from a row, whose values were checked when they were written.
  package init(row: JSONObject) throws(DocumentError) {
    self = try row.isEmpty ? RequestPattern() : DocumentNode(row: row).requestPattern()
  }
}

extension StubResponse {
  /// Decodes a response from a row, whose values were checked when they were written.
  package init(row: JSONObject) throws(DocumentError) {
    self = try row.isEmpty ? StubResponse() : DocumentNode(row: row).response()
  }
}

extension FlowStep {
  /// Decodes a step from a row, whose values were checked when they were written.
  package init(row: JSONObject) throws(DocumentError) {
    self = try DocumentNode(row: row).flowStep()
  }
}

extension Stub.Recording {
  /// Decodes a recording from a row, whose values were checked when they were written.
  package init(row: JSONObject) throws(DocumentError) {
    self = try DocumentNode(row: row).recording()
  }
}

extension Capture {
  /// Decodes captures from a row, whose values were checked when they were written.
  package static func captures(row: JSONObject) throws(DocumentError) -> [Capture] {
    try DocumentNode(row: row).captures()
  }
}

extension DocumentNode {
  fileprivate init(row: JSONObject) {
    self.init(
      value: .object(row), place: .root(JSONPointer()),
      context: DocumentContext(validation: .trusted, rules: nil))
  }
}
