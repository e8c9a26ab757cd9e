internal import Foundation
package import StubDBJSON
package import StubDBModel

// The parts of a stub as compact JSON objects, defaults left out: what a catalog keeps in a column.
// The keys are those of a document, with the URL always in its parts.

extension RequestPattern {
  /// The pattern as the members of a JSON object, defaults left out.
  package var jsonObject: JSONObject {
    OrderedJSON.jsonObject(OrderedJSON.requestMembers(self, isURLWhole: false))
  }

  package init(
    jsonObject: JSONObject, at pointer: JSONPointer = JSONPointer(),
    validation: DocumentValidation = .full
  ) throws(DocumentError) {
    if jsonObject.isEmpty {
      self.init()
    } else {
      self = try DocumentNode(jsonObject, at: pointer, validation).requestPattern()
    }
  }
}

extension Stub {
  /// Makes a stub of the members of a JSON object, as in a document.
  package init(jsonObject: JSONObject) throws(DocumentError) {
    self = try DocumentNode(jsonObject, at: JSONPointer()).stub()
  }
}

extension StubResponse {
  /// The response as the members of a JSON object, defaults left out.
  package func jsonObject(includingBody: Bool) -> JSONObject {
    OrderedJSON.jsonObject(
      OrderedJSON.responseMembers(self, includingBody: includingBody))
  }

  package init(
    jsonObject: JSONObject, at pointer: JSONPointer = JSONPointer(),
    validation: DocumentValidation = .full
  ) throws(DocumentError) {
    if jsonObject.isEmpty {
      self.init()
    } else {
      self = try DocumentNode(jsonObject, at: pointer, validation).response()
    }
  }
}

extension FlowStep {
  /// The step as the members of a JSON object, defaults left out.
  package var jsonObject: JSONObject {
    OrderedJSON.jsonObject(OrderedJSON.flowMembers(self))
  }

  package init(
    jsonObject: JSONObject, at pointer: JSONPointer = JSONPointer(),
    validation: DocumentValidation = .full
  ) throws(DocumentError) {
    self = try DocumentNode(jsonObject, at: pointer, validation).flowStep()
  }
}

extension Stub.Recording {
  /// The recording as the members of a JSON object.
  package var jsonObject: JSONObject {
    OrderedJSON.jsonObject(OrderedJSON.recordingMembers(self))
  }

  package init(jsonObject: JSONObject, at pointer: JSONPointer) throws(DocumentError) {
    self = try DocumentNode(jsonObject, at: pointer).recording()
  }
}

extension Capture {
  /// Captures as the members of a JSON object.
  package static func jsonObject(_ captures: [Capture]) -> JSONObject {
    OrderedJSON.jsonObject(OrderedJSON.captureMembers(captures))
  }

  package static func captures(
    jsonObject: JSONObject, at pointer: JSONPointer
  ) throws(DocumentError) -> [Capture] {
    try DocumentNode(jsonObject, at: pointer).captures()
  }
}

extension DocumentNode {
  fileprivate init(
    _ members: JSONObject, at pointer: JSONPointer, _ validation: DocumentValidation = .full
  ) {
    self.init(
      value: .object(members), place: .root(pointer),
      context: DocumentContext(validation: validation, rules: WholeDocument()))
  }
}
