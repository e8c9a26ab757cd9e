import Foundation
import HTTPTypes
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEngine
import StubDBGit
import StubDBModel
import StubDBTestSupport
import Testing

@testable import StubDBEditing
@testable import StubDBPlayback

/// The tests that a change of a catalog affects.
struct AffectedTestsTests {
  /// How much is generated; `STUBDB_AFFECTED=full` is the size that the documentation speaks of.
  private struct Size {
    var (scenarios, tests, edits) = (60, 200, 60)

    static var chosen: Size {
      ProcessInfo.processInfo.environment["STUBDB_AFFECTED"] == "full"
        ? Size(scenarios: 300, tests: 2_000, edits: 500) : Size()
    }
  }

  private func git(_ words: String..., in folder: URL) throws {
    let identity = [
      "-c", "user.name=Ada", "-c", "user.email=ada@shop.test", "-c", "commit.gpgsign=false",
    ]
    try #require(
      try Program.run("/usr/bin/env", ["git", "-C", folder.path] + identity + words) == 0)
  }

  private func copy(of catalog: Catalog, in folder: URL) throws -> Catalog {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appendingPathComponent("shop.stubdb")
    try FileManager.default.copyItem(at: catalog.url, to: url)
    return try Catalog(contentsOf: url)
  }

  /// Every test that notices an edit is selected, whichever state the ledger is of; of the tests of one scenario that
  /// changed, those that notice nothing mostly are not.
  @Test func everyTestWhoseAnswersChangeIsSelected() throws {
    let size = Size.chosen
    try withTemporaryFolder { folder in
      try git("init", "-q", in: folder)
      var suite = AffectedSuite(seed: 34, scenarios: size.scenarios)
      let base = try Catalog.create(at: folder.appendingPathComponent("shop.stubdb"))
      let scenarios = suite.scenarios
      try base.edit { editor in for scenario in scenarios { try editor.replace(scenario) } }
      try git("add", "shop.stubdb", in: folder)
      try git("commit", "-qm", "Add the catalog", in: folder)
      try suite.addCases(size.tests, in: base)

      let ledger = folder.appendingPathComponent("ledger")
      let usage = UsageLedger(
        environment: ["STUBDB_LEDGER": ledger.path], currentFolder: folder.path)
      let before = suite.playAll(in: base, keepingIn: usage)
      usage.close()

      var (shares, changedCount, selectedCount): ([Double], Int, Int) = ([], 0, 0)
      for number in 0..<size.edits {
        let edited = try copy(of: base, in: folder.appendingPathComponent("edit\(number)"))
        for _ in 0..<(number % 5 == 4 ? 3 : 1) { try suite.edit(edited) }
        var (old, new) = (base, edited)
        // The ledger may be of the older state, of the newer one, or of neither.
        if number % 4 == 1 { (old, new) = (edited, base) }
        if number % 4 == 2 {
          old = try copy(of: edited, in: folder.appendingPathComponent("older\(number)"))
          try suite.edit(new)
        }
        let committed = number % 4 == 0 ? try CatalogAtRevision("HEAD", of: base.url) : nil
        let affected = try withExtendedLifetime(committed) {
          try AffectedTests(
            LedgerReading(ledger, of: base), from: committed?.catalog ?? old, to: new)
        }
        let selected = Set(affected.tests.map(\.test))
        let (one, other) = (
          old.url == base.url ? before : suite.playAll(in: old),
          new.url == base.url ? before : suite.playAll(in: new)
        )
        for (index, test) in suite.cases.enumerated() where one[index] != other[index] {
          changedCount += 1
          #expect(selected.contains(test.name), "edit \(number): \(test)")
        }
        selectedCount += selected.count
        shares.append(Double(selected.count) / Double(size.tests))
        try FileManager.default.removeItem(at: edited.url)
      }
      #expect(changedCount > size.edits / 2)
      let median = shares.sorted()[shares.count / 2]
      #expect(median < 0.05, "\(selectedCount) selected, \(changedCount) changed")
    }
  }

  /// An overlay that no longer includes a scenario leaves its stubs behind those of the scenario under it.
  @Test func aStubThatComesLaterThanBeforeSelectsTheTestsThatItAnswered() throws {
    try withTemporaryFolder { folder in
      func scenario(_ name: String, answering status: Int?, including: [String] = []) -> Scenario {
        var scenario = Scenario(name: ScenarioName(unchecked: name))
        scenario.includes = including.map { ScenarioReference(ScenarioName(unchecked: $0)) }
        var stub = Stub(key: "k", request: RequestPattern(methods: [.get]))
        stub.request.path = .template(status == nil ? "/other" : "/a")
        stub.responses = [StubResponse(status: status ?? 200)]
        scenario.stubs = [stub]
        return scenario
      }
      let shared = scenario("base/shared", answering: 201)
      let under = scenario("base/shop", answering: 202, including: ["base/shared"])
      var over = scenario("over/slow", answering: nil, including: ["base/shared"])
      let base = try Catalog.create(at: folder.appendingPathComponent("shop.stubdb"))
      try base.edit { editor in for each in [shared, under, over] { try editor.replace(each) } }
      var options = PlaybackOptions()
      options.overlays = ["over/slow"]
      let test = AffectedSuite.Case(
        name: "ShopTests/Suite/test()", scenario: "base/shop", options: options,
        requests: [StubRequest(method: "GET", url: "https://api.shop.test/a")])
      let ledger = folder.appendingPathComponent("ledger")
      let usage = UsageLedger(
        environment: ["STUBDB_LEDGER": ledger.path], currentFolder: folder.path)
      let before = AffectedSuite.play(test, in: base, keepingIn: usage)
      usage.close()
      let edited = try copy(of: base, in: folder.appendingPathComponent("edited"))
      over.includes = []
      let changed = over
      try edited.edit { try $0.replace(changed) }
      #expect(AffectedSuite.play(test, in: edited) != before)
      let affected = try AffectedTests(LedgerReading(ledger, of: base), from: base, to: edited)
      #expect(affected.tests.flatMap(\.reasons).map(\.kind) == [.earlier])
    }
  }

  @Test func namesAreThoseOfSwiftTest() {
    let list = """
      Building for debugging...
      ShopTests.OldTests/testPays
      ShopTests.CheckoutTests/Inner/pays(amount:)
      ShopTests.CheckoutTests/`it's [a] (c) $x.y+z`()
      ShopTests.free()

      """
    let names = [
      "OldTests/testPays", "ShopTests/CheckoutTests/Inner/pays(amount:)",
      "ShopTests/CheckoutTests/`it's [a] (c) $x.y+z`()", "ShopTests/free()",
    ]
    #expect(TestFilter.names(in: list) == names)
    #expect(
      TestFilter.expression(names)
        == #"^(ShopTests\.CheckoutTests/Inner/pays\(amount:\)|"#
        + #"ShopTests\.CheckoutTests/`it's \[a\] \(c\) \$x\.y\+z`\(\)|ShopTests\.free\(\))(/|$)"#
        + #"|(^|\.)(OldTests/testPays)$"#)
    #expect(TestFilter.expression([]) == "^$")
  }
}
