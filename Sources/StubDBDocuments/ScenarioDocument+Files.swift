internal import Foundation
internal import StubDBJSON
package import StubDBModel
internal import StubDBSupport

extension ScenarioDocument {
  /// The place of a body in a scenario.
  package struct BodyPlace: Hashable, Sendable {
    /// The index of the stub.
    package var stub: Int
    /// The index of the response in the stub.
    package var response: Int

    package init(stub: Int, response: Int) {
      self.stub = stub
      self.response = response
    }
  }

  /// The canonical text of a scenario, some of whose bodies are in files.
  ///
  /// `files` has the value of `file` for each of these bodies, a path relative to the document.
  package static func encode(_ scenario: Scenario, files: [BodyPlace: String]) -> String {
    guard !files.isEmpty else { return encode(scenario) }
    var scenario = scenario
    for place in files.keys {
      // The bytes are not written.
      scenario.stubs[place.stub].responses[place.response].body = .data(Data())
    }
    return OrderedJSON.scenario(scenario, files: files).text
  }
}

extension OrderedJSON {
  fileprivate static func scenario(
    _ scenario: Scenario, files: [ScenarioDocument.BodyPlace: String]
  ) -> OrderedJSON {
    OrderedJSON.scenario(scenario).mapping("stubs") { stub, tree in
      tree.mapping("responses") { response, tree in
        guard let path = files[.init(stub: stub, response: response)],
          case .object(let members) = tree
        else { return tree }
        return .object(members.map { $0.0 == "base64" ? ("file", .string(path)) : $0 })
      }
    }
  }

  /// Returns the object with each element of a list replaced.
  private func mapping(
    _ key: String, _ transform: (Int, OrderedJSON) -> OrderedJSON
  ) -> OrderedJSON {
    guard case .object(let members) = self else { return self }
    return .object(
      members.map { member in
        guard member.0 == key, case .array(let elements) = member.1 else { return member }
        return (key, .array(elements.enumerated().map(transform)))
      })
  }
}

extension DocumentNode {
  /// The content of the file, as text if it is text.
  func fileContent(
    _ readFile: (String) throws -> Data
  ) throws(DocumentError) -> ResponseBody {
    let path = try filledString("the file name")
    let data: Data
    do {
      data = try readFile(path)
    } catch {
      let reason = error is CocoaError ? error.localizedDescription : "\(error)"
      throw failure(.unreadableFile, "cannot read the file \"\(path)\": \(reason)")
    }
    if !data.contains(0), let text = String(strictUTF8: data) { return .text(text) }
    return .data(data)
  }
}
