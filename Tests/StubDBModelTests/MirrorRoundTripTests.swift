import Foundation
import StubDBMirror
import StubDBModel
import StubDBTestSupport
import Testing

struct MirrorRoundTripTests {
  /// Names that some file system folds, reserves, hides or truncates.
  private static let names =
    [
      "a", "A", "a/b", "a/B", "A/b", "con", "a/NUL.x", "a.", "a./b", "a.json/b", "a.files/b",
      ".git/x",
      ".stubdb-mirror", "x.json", "Com1/LPT9", "q/w/E", "Q/w/e", "deep/er/and/deep/er",
    ] + [String(repeating: "n", count: 200), String(repeating: "N", count: 200)]

  @Test(arguments: [1, 2, 3] as [UInt64])
  func whatIsMirroredComesBackAsItWas(seed: UInt64) throws {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let mirror = MirrorFolder(at: folder.appendingPathComponent("m"), name: "m")
    var random = RandomScenario(seed: seed)
    var scenarios: [ScenarioName: Scenario] = [:]
    // Each round changes, adds and removes some scenarios.
    for round in 0..<8 {
      for (index, text) in Self.names.enumerated() {
        let name = try #require(ScenarioName(text))
        switch (index + round * 7) % 5 {
        case 0: scenarios[name] = nil
        case 1, 2:
          scenarios[name] = random.next()
          scenarios[name]?.name = name
          scenarios[name]?.stubs.append(longBodies(round))
        default: continue
        }
      }
      let names = scenarios.keys.sorted()
      let comparison = try mirror.compare(names) { scenarios[$0] }
      _ = try mirror.write(
        comparison, marker: MirrorMarker(catalog: "c"), overwriting: false,
        isEarlier: { _ in false }, scenario: { scenarios[$0] })
      #expect(try mirror.content().scenarios == names.compactMap { scenarios[$0] })
      let after = try mirror.compare(names) { scenarios[$0] }
      #expect(after.differences.isEmpty)
      #expect(after.foreign.isEmpty)
      let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      #expect(Set(files.map { $0.lowercased() }).count == files.count)
    }
  }

  /// Bodies that get files of their own, and some that look alike and cannot.
  private func longBodies(_ round: Int) -> Stub {
    let lines = String(repeating: "line \(round)\r\n", count: 10 + round)
    let bodies: [ResponseBody] = [
      .text(lines), .text("\u{FEFF}" + lines), .text(lines + "\u{0}"), .data(Data(lines.utf8)),
      .data(Data([0xFF, 0, UInt8(round)])), .data(Data()), .text(""),
      .text(String(repeating: "x", count: 3_000)),
    ]
    return Stub(
      key: "Ä/../..\\long: \(round)", responses: bodies.map { StubResponse(body: $0) })
  }
}
