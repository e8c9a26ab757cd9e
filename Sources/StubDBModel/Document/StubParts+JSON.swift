internal import Foundation
package import StubDBJSON

// The parts of a stub as compact JSON objects, defaults left out: what a catalog keeps in a column.
// The keys are those of a document, with the URL always in its parts.

extension RequestPattern {
  /// The pattern as the members of a JSON object, defaults left out.
  package var jsonObject: [String: JSONValue] {
    OrderedJSON.jsonObject(OrderedJSON.requestMembers(self, isURLWhole: false))
  }

  package init(
    jsonObject: [String: JSONValue], at pointer: JSONPointer = JSONPointer(),
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
  package init(
    jsonObject: [String: JSONValue], at pointer: JSONPointer = JSONPointer(),
    validation: DocumentValidation = .full
  ) throws(DocumentError) {
    self = try DocumentNode(jsonObject, at: pointer, validation).stub()
  }
}

extension StubResponse {
  /// The response as the members of a JSON object, defaults left out.
  package func jsonObject(includingBody: Bool) -> [String: JSONValue] {
    OrderedJSON.jsonObject(
      OrderedJSON.responseMembers(self, includingBody: includingBody))
  }

  package init(
    jsonObject: [String: JSONValue], at pointer: JSONPointer = JSONPointer(),
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
  package var jsonObject: [String: JSONValue] {
    OrderedJSON.jsonObject(OrderedJSON.flowMembers(self))
  }

  package init(
    jsonObject: [String: JSONValue], at pointer: JSONPointer = JSONPointer(),
    validation: DocumentValidation = .full
  ) throws(DocumentError) {
    self = try DocumentNode(jsonObject, at: pointer, validation).flowStep()
  }
}

extension Stub.Recording {
  /// The recording as the members of a JSON object.
  package var jsonObject: [String: JSONValue] {
    OrderedJSON.jsonObject(OrderedJSON.recordingMembers(self))
  }

  package init(
    jsonObject: [String: JSONValue], at pointer: JSONPointer = JSONPointer(),
    validation: DocumentValidation = .full
  ) throws(DocumentError) {
    self = try DocumentNode(jsonObject, at: pointer, validation).recording()
  }
}

extension Capture {
  /// Captures as the members of a JSON object.
  package static func jsonObject(_ captures: [Capture]) -> [String: JSONValue] {
    OrderedJSON.jsonObject(OrderedJSON.captureMembers(captures))
  }

  package static func captures(
    jsonObject: [String: JSONValue], at pointer: JSONPointer = JSONPointer(),
    validation: DocumentValidation = .full
  ) throws(DocumentError) -> [Capture] {
    try DocumentNode(jsonObject, at: pointer, validation).captures()
  }
}

extension DocumentNode {
  fileprivate init(
    _ members: [String: JSONValue], at pointer: JSONPointer, _ validation: DocumentValidation
  ) {
    self.init(
      value: .object(members), place: .root(pointer),
      context: DocumentContext(validation: validation, readFile: ScenarioDocument.refuseFile))
  }
}
