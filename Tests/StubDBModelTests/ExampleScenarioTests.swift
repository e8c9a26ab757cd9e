import Foundation
import StubDBDocuments
import StubDBModel
import Testing

struct ExampleScenarioTests {
  static let folder = DocumentTable.root.appending(path: "Examples/scenarios")

  static func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".json") }.sorted()
  }

  @Test(arguments: try ExampleScenarioTests.names())
  func everyExampleIsCanonicalAndNamedAsItsFile(file: String) throws {
    let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
    let scenario = try ScenarioDocument.decode(Data(text.utf8), file: file)
    #expect(ScenarioDocument.encode(scenario) == text)
    #expect(scenario.name.rawValue + ".json" == file)
    #expect(scenario.summary != nil)
  }

  @Test func whatTheExamplesIncludeExists() throws {
    let names = try Self.names()
    #expect(names.count >= 6)
    for file in names {
      let data = try Data(contentsOf: Self.folder.appending(path: file))
      for include in try ScenarioDocument.decode(data).includes {
        #expect(names.contains(include.rawValue + ".json"), "\(file) includes \(include)")
      }
    }
  }
}
