import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBJobs
import StubDBModel
import StubDBTestSupport
import Testing

@testable import StubDBEditing

/// What words remove, and what is refused; the words are those of `stubdb remove`.
struct RemovalTests {
  private func removal(of words: [String]) throws -> Removal {
    try withTemporaryFolder { folder in
      let catalog = try Catalog.create(at: folder.appendingPathComponent("shop.stubdb"))
      let stubs = ["me", "cart"].map { Stub(key: Stub.Key(unchecked: $0)) }
      try catalog.edit { editor in
        for (name, included) in [("a/base", nil), ("a/all", "a/base"), ("me", nil)] {
          var scenario = Scenario(name: ScenarioName(unchecked: name), stubs: stubs)
          scenario.includes = included.map { [ScenarioReference(unchecked: $0)] } ?? []
          try editor.replace(scenario)
        }
      }
      let removal = try Removal(
        ScenarioSelection(argument: words[0]), Array(words.dropFirst()), in: catalog)
      try removal.requireNoIncluder(in: catalog)
      return removal
    }
  }

  @Test(arguments: [
    (["a/all"], ["a/all"], []), (["a/all", "me"], ["a/all"], ["me"]),
    (["a/"], ["a/all", "a/base"], []), (["a/all", "a/base"], ["a/all", "a/base"], []),
  ])
  func wordsAreKeysOrNames(words: [String], names: [String], keys: [String]) throws {
    let removal = try removal(of: words)
    #expect(removal.scenarios.map(\.name.rawValue).sorted() == names)
    #expect(removal.keys == keys)
  }

  @Test(arguments: [
    (["a/base"], "scenario a/base is included by a/all"),
    (["a/all", "mee"], #"there is no stub "mee" in scenario a/all"#),
    (["b/"], #"there is no scenario below "b/""#),
  ])
  func whatOthersNeedAndWhatIsMissingIsRefused(words: [String], message: String) {
    let error = #expect(throws: JobError.self) { _ = try removal(of: words) }
    #expect(error?.message.description == message)
    #expect(error?.hints.isEmpty == false)
  }
}
