package import Foundation
package import StubDBJSON
package import StubDBModel

// Whole stubs and scenarios as JSON values, for comparing and merging.

extension Stub {
  /// The stub as in a document.
  package var documentValue: JSONValue { OrderedJSON.stub(self).jsonValue }

  /// The stub as in a document, with `request` and `responses` even if they have their defaults.
  package var completeValue: JSONValue {
    guard case .object(var members) = documentValue else { return documentValue }
    if members["request"] == nil { members["request"] = [:] }
    if members["responses"] == nil { members["responses"] = [[:]] }
    return .object(members)
  }

  /// The same with the URL in parts, so that every part has a place.
  package var partsValue: JSONValue {
    guard case .object(var members) = completeValue else { return completeValue }
    let rest = OrderedJSON.resource(of: self)?.rest ?? self
    members["request"] = .object(rest.request.jsonObject)
    return .object(members)
  }

  /// Throws if no document can hold the stub: if decoding would refuse what encoding writes.
  ///
  /// Contents of responses are left out, because a document can hold any other than the items of a resource, and so is
  /// whether expressions compile.
  package func requireDocumentForm() throws(DocumentError) {
    var bare = self
    let contents = resource == nil ? bare.responses.indices : bare.responses.indices.dropLast()
    for index in contents where bare.responses[index].body != nil {
      bare.responses[index].body = .text("")
    }
    _ = try DocumentNode(whole: bare.documentValue, validation: .values).stub()
  }

  /// Decodes a stub in any form that documents allow; `readFile` reads the files of bodies.
  package init(
    documentValue value: JSONValue,
    readFile: @escaping (String) throws -> Data = ScenarioDocument.refuseFile
  ) throws(DocumentError) {
    self = try DocumentNode(whole: value, readFile: readFile).stub()
  }
}

extension Stub.Recording {
  /// Decodes a recording as in a document.
  package init(documentValue value: JSONValue) throws(DocumentError) {
    self = try DocumentNode(whole: value).recording()
  }
}

extension Scenario {
  /// The scenario as in a document.
  package var documentValue: JSONValue { OrderedJSON.scenario(self).jsonValue }

  /// The scenario as in a document, without its stubs.
  package var headerValue: JSONValue {
    var header = self
    header.stubs = []
    guard case .object(var members) = header.documentValue else { return header.documentValue }
    members["stubs"] = nil
    return .object(members)
  }

  /// Throws if no document can hold the scenario, whatever its stubs are.
  package func requireDocumentForm() throws(DocumentError) {
    _ = try DocumentNode(whole: headerValue, validation: .values).scenario()
  }

  /// Decodes a scenario in any form that documents allow.
  package init(documentValue value: JSONValue) throws(DocumentError) {
    self = try DocumentNode(whole: value).scenario()
  }
}

extension DocumentNode {
  /// A value that is read in the way of documents, as a whole.
  package init(
    whole value: JSONValue, validation: DocumentValidation = .full,
    readFile: @escaping (String) throws -> Data = ScenarioDocument.refuseFile
  ) {
    self.init(
      value: value, place: .root(JSONPointer()),
      context: DocumentContext(validation: validation, rules: WholeDocument(readFile: readFile)))
  }
}
