import Foundation
import StubDBJSON
import Testing

@testable import StubDBFormats

/// Files as other tools write them, one folder a format: `Tests/Fixtures/Imports/<format>`.
///
/// A format is registered with at least one fixture; a fixture is a file, or a folder that is imported whole.
@Suite struct ImportFixtureTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/Imports")

  private static func names(in folder: URL) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
      .filter { !$0.hasPrefix(".") }.sorted()
  }

  /// `har/chrome.har`, `wiremock/shop`.
  static let fixtures = names(in: root).flatMap { format in
    names(in: root.appendingPathComponent(format)).map { "\(format)/\($0)" }
  }

  private func run(_ fixture: String) throws -> ImportRun {
    var paths = [Self.root.appendingPathComponent(fixture)]
    // An environment belongs to a collection.
    if fixture.hasSuffix("environment.json") {
      paths.insert(paths[0].deletingLastPathComponent().appendingPathComponent("shop.json"), at: 0)
    }
    return try ImportRun(paths: paths)
  }

  @Test func everyFormatHasAFixture() {
    let formats = Set(Self.fixtures.map { String($0.prefix { $0 != "/" }) })
    #expect(Set(ImportFormats.all.map(\.name)).subtracting(formats) == [])
  }

  @Test(arguments: fixtures.filter { $0 != "har/0123.json" })
  func everyValueIsInExactlyOneBag(fixture: String) throws {
    let run = try run(fixture)
    let format = try #require(ImportFormats.named(String(fixture.prefix { $0 != "/" })))
    #expect(run.inputs.allSatisfy { format.recognizes($0) })
    #expect(run.unknown == [])
    for input in run.inputs {
      guard let tree = input.tree else { continue }
      let bags = Self.dispositions(of: tree)
      #expect(bags.filter { $0.disposition == .unread }.map(\.pointer.description) == [])
      let pointers = bags.map(\.pointer.description)
      #expect(Set(pointers).count == pointers.count)
      // JSON is walked a second time, by another reader.
      if let json = try? JSONValue(parsing: input.bytes) {
        #expect(pointers.sorted() == Self.leaves(of: json, at: JSONPointer()).sorted())
      }
      let lines = run.result.report.lines.filter { $0.file == input.file }
      for (pointer, disposition) in bags {
        // What is lost or changed has a line, at its place or around it.
        let level: ReportLevel? =
          switch disposition {
          case .dropped: .dropped
          case .changed: .changed
          case .kept, .ignored, .unread: nil
          }
        guard let level else { continue }
        #expect(
          lines.contains { $0.level == level && Self.isInside(pointer, $0.pointer ?? "") },
          "\(pointer.description) is \(level), and no line says so")
      }
    }
  }

  @Test(arguments: fixtures.filter { $0 != "har/0123.json" })
  func theSameFileGivesTheSameDocuments(fixture: String) throws {
    let (first, second) = (try run(fixture), try run(fixture))
    #expect(first.documents == second.documents)
    #expect(first.result.report.lines == second.result.report.lines)
  }

  /// What became of every scalar and every empty array or object.
  private static func dispositions(
    of tree: SourceTree
  ) -> [(pointer: JSONPointer, disposition: SourceTree.Disposition)] {
    tree.nodes.indices.compactMap { index in
      let node = tree.nodes[index]
      if node.isName { return nil }
      let isContainer = node.kind == .array || node.kind == .object
      if isContainer, Int(node.next) > index + 1 { return nil }
      return (tree.pointer(of: index), node.disposition)
    }
  }

  private static func isInside(_ pointer: JSONPointer, _ outer: String) -> Bool {
    outer.isEmpty || pointer.description == outer || pointer.description.hasPrefix(outer + "/")
  }

  /// The places of all scalars and empty containers.
  private static func leaves(of value: JSONValue, at pointer: JSONPointer) -> [String] {
    switch value {
    case .array(let elements) where !elements.isEmpty:
      elements.enumerated().flatMap { leaves(of: $1, at: pointer.appending($0)) }
    case .object(let members) where !members.isEmpty:
      members.flatMap { leaves(of: $1, at: pointer.appending($0)) }
    default: [pointer.description]
    }
  }
}
