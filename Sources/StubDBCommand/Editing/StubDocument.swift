import Foundation
import StubDBModel

/// Stubs as JSON, through the codec of documents.
enum StubDocument {
  /// The stub as a document writes it.
  static func object(_ stub: Stub) throws -> [String: JSONValue] {
    let text = ScenarioDocument.encode(stub)
    guard case .object(let members) = try JSONValue(parsing: text) else { return [:] }
    return members
  }

  /// The stub that a document would hold.
  static func stub(
    _ object: [String: JSONValue], readFile: @escaping (String) throws -> Data
  ) throws -> Stub {
    let text = Data(JSONValue.object(object).canonicalText.utf8)
    let content = try ScenarioDocument.decodeStubs(text, file: nil, readFile: readFile)
    guard case .stubs(let stubs) = content, let stub = stubs.first else {
      throw CommandFailure("the stub could not be put together")
    }
    return stub
  }
}
