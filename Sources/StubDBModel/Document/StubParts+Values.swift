package import Foundation
package import StubDBJSON

// Whole stubs and scenarios as JSON values: what is compared and merged.

extension Stub {
  /// The stub as a document has it.
  package var documentValue: JSONValue { DocumentTree.stub(self).jsonValue }

  /// The stub as a document has it, with `request` and `responses` also where it leaves them out.
  package var completeValue: JSONValue {
    guard case .object(var members) = documentValue else { return documentValue }
    if members["request"] == nil { members["request"] = [:] }
    if members["responses"] == nil { members["responses"] = [[:]] }
    return .object(members)
  }

  /// The same with the URL in its parts: every part has a place of its own.
  package var partsValue: JSONValue {
    guard case .object(var members) = completeValue else { return completeValue }
    members["request"] = .object(request.jsonObject)
    return .object(members)
  }

  /// Reads a stub in any form that a document may have; files of bodies are read with `readFile`.
  package init(
    documentValue value: JSONValue,
    readFile: @escaping (String) throws -> Data = ScenarioDocument.refuseFile
  ) throws(DocumentError) {
    self = try DocumentNode(whole: value, readFile: readFile).stub()
  }
}

extension Scenario {
  /// The scenario as a document has it.
  package var documentValue: JSONValue { DocumentTree.scenario(self).jsonValue }

  /// The scenario as a document has it, but for its stubs.
  package var headerValue: JSONValue {
    var header = self
    header.stubs = []
    guard case .object(var members) = header.documentValue else { return header.documentValue }
    members["stubs"] = nil
    return .object(members)
  }

  /// Reads a scenario in any form that a document may have.
  package init(documentValue value: JSONValue) throws(DocumentError) {
    self = try DocumentNode(whole: value).scenario()
  }
}

extension DocumentNode {
  fileprivate init(
    whole value: JSONValue,
    readFile: @escaping (String) throws -> Data = ScenarioDocument.refuseFile
  ) {
    self.init(
      value: value, place: .root(JSONPointer()),
      context: DocumentContext(validation: .full, readFile: readFile))
  }
}
