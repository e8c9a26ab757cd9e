import Foundation
import Testing

@testable import StubDBCommand

struct DemoTests {
  @Test func theDemoTellsTheWholeStory() throws {
    let box = try Sandbox()
    let result = try box.run("demo")
    #expect(result.code == 0)
    for number in 1...8 { #expect(result.out.contains("\n\(number). ")) }
    for customer in 1...4 {
      #expect(
        result.out.contains(
          "  customer \(customer): 402 {\"error\":\"card_declined\"}, then 201 {\"id\":\"ch_1\"}\n")
      )
    }
    #expect(result.out.contains("✗ body /item"))
    #expect((result.out + result.err).split(separator: "\n").count < 105)
    let commands = result.out.split(separator: "\n").filter {
      $0.hasPrefix("$ ") || $0.hasSuffix(" \\")
    }
    #expect(commands.allSatisfy { $0.count <= 80 }, "\(commands)")
    // Nothing is left behind, neither in the current folder nor in the temporary one.
    #expect(try FileManager.default.contentsOfDirectory(atPath: box.folder.path) == [])
    #expect(try box.temporaryFiles().filter { $0.contains("stubdb") } == [])
  }

  /// The binary copied to an empty folder, which is all that a user who installed it has.
  @Test func theDemoNeedsNoOtherProgram() throws {
    let box = try Sandbox()
    let alone = box.folder.appendingPathComponent("stubdb")
    try FileManager.default.copyItem(at: Sandbox.binary, to: alone)
    let result = try box.run(executable: alone, arguments: ["demo"])
    #expect(result.code == 0, "\(result)")
    #expect(result.out.contains("\n6. Four customers at once, each with a run of its own\n"))
    #expect(result.out.contains("(Played by the engine in this program;"))
    for customer in 1...4 {
      #expect(
        result.out.contains(
          "  customer \(customer): 402 {\"error\":\"card_declined\"}, then 201 {\"id\":\"ch_1\"}\n")
      )
    }
    #expect(result.out.contains("  export PATH="))
  }

  @Test func theDemoDoesNotTouchTheCatalogInTheEnvironment() throws {
    let box = try Sandbox.shop()
    let file = box.folder.appendingPathComponent("shop.stubdb")
    let before = try Data(contentsOf: file)
    #expect(try box.run("demo", environment: ["STUBDB_CATALOG": file.path]).code == 0)
    #expect(try Data(contentsOf: file) == before)
  }

  /// `scripts/embed-files` writes the Swift file that this test compares.
  @Test func theEmbeddedDocumentsAreThoseOfTheExamples() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Examples/scenarios")
    let files = try #require(FileManager.default.enumerator(atPath: folder.path))
    let paths = files.compactMap { $0 as? String }.filter { $0.hasSuffix(".json") }.sorted()
    #expect(DemoDocuments.all.map(\.path) == paths, "run scripts/embed-files")
    for document in DemoDocuments.all {
      let file = folder.appendingPathComponent(document.path)
      #expect(
        try document.text == String(contentsOf: file, encoding: .utf8), "run scripts/embed-files"
      )
    }
  }
}
