#if os(Linux)
  import Foundation
  import FoundationNetworking
  import StubDBSweeps
  import StubDBTestSupport
  import StubDBTesting
  import StubDBVariations
  import Testing

  /// Test runs of a client with defects, in processes of their own.
  @Suite struct SweptProcessTests {
    /// The lines of all sweep files in a ledger.
    private func lines(inLedger ledger: URL) throws -> [SweepLine] {
      let folder = URL(fileURLWithPath: SweepLine.folder(inLedger: ledger.path))
      let files = try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil)
      return try files.flatMap { SweepLine.lines(of: try Data(contentsOf: $0)) }
    }

    @Test func aCrashIsReportedByTheNextRunAndCanBeSkipped() throws {
      try withTemporaryFolder { ledger in
        let environment = ["STUBDB_LEDGER": ledger.path]
        let name = "SweptDefects/crashes"
        let first = try DefectRun.test(name, environment)
        #expect(first.code != 0)
        #expect(!first.text.contains("in an earlier run"))
        let under = try lines(inLedger: ledger).last
        #expect(under?.state == .begun)
        #expect(under?.variation == "cart/empty")

        let second = try DefectRun.test(name, environment)
        #expect(second.code != 0)
        #expect(
          second.text.contains(
            "cart/empty: The process ended in this variation in an earlier run; it is tried again."),
          "\(second.text)")

        // Two more variations of the same stub end the process, one in each run.
        var third = try DefectRun.test(
          name, environment.merging(["STUBDB_SWEEP_SKIP_CRASHED": "1"]) { $1 })
        #expect(third.text.contains("cart/empty: The process ended"), "\(third.text)")
        #expect(third.text.contains("it is left out"), "\(third.text)")
        for _ in 0..<2 {
          third = try DefectRun.test(
            name, environment.merging(["STUBDB_SWEEP_SKIP_CRASHED": "1"]) { $1 })
        }
        #expect(third.text.contains("with 2 issues"), "\(third.text)")
        let tried = try lines(inLedger: ledger)
        #expect(tried.contains { $0.variation == "charge/500" && $0.state == .survived })
        #expect(
          Set(tried.filter { $0.state == .skipped }.map(\.variation)) == [
            "cart/empty", "cart/captive-portal",
          ])
      }
    }

    /// The command that a finding prints repeats it, and nothing else.
    @Test func whatAFindingPrintsRepeatsIt() throws {
      try withTemporaryFolder { ledger in
        let all = try DefectRun.test("SweptDefects/asksElsewhere", ["STUBDB_LEDGER": ledger.path])
        #expect(all.text.contains("with 3 issues"), "\(all.text)")
        let printed = try #require(
          all.text.split(separator: "\n").first { $0.contains("STUBDB_SWEEP=charge/401") })
        // The filter is the last word, in quotes.
        let filter = try #require(printed.split(separator: "'").last.map(String.init))
        #expect(printed.contains("STUBDB_SWEEP=charge/401 swift test --filter '\(filter)'"))
        let alone = try DefectRun.test(
          filter, ["STUBDB_LEDGER": ledger.path, "STUBDB_SWEEP": "charge/401"])
        #expect(alone.text.contains("with 1 issue"), "\(alone.text)")
        #expect(alone.text.contains("charge/401: POST https://other.shop.test/charges was sent"))
        let none = try DefectRun.test(
          filter, ["STUBDB_LEDGER": ledger.path, "STUBDB_SWEEP": "none"])
        #expect(none.code == 0, "\(none.text)")
      }
    }

    // MARK: Names

    @Test func aNameThatNoTestHasIsSaidAtTheEnd() throws {
      try withTemporaryFolder { ledger in
        let run = try DefectRun.test(
          "SweptDefects/asksElsewhere",
          ["STUBDB_LEDGER": ledger.path, "STUBDB_SWEEP": "charge/402"])
        #expect(run.code == 0, "\(run.text)")
        #expect(
          run.text.contains(
            "stubdb: no test has the variation charge/402, which STUBDB_SWEEP names; the sweeps of one test have tried "
              + "nothing. Did you mean charge/401 of StubDBSweepsTests/SweptDefects/asksElsewhere()"
          ),
          "\(run.text)")
      }
    }

    @Test func aNameIsSaidWhereNoTestThatRanHasASweep() throws {
      let run = try DefectRun.test("SweptNames/Inner", ["STUBDB_SWEEP": "charge/500"])
      #expect(run.code == 0, "\(run.text)")
      #expect(
        run.text.contains(
          "stubdb: no test has the variation charge/500, which STUBDB_SWEEP names; those that ran have no sweep"
        ),
        "\(run.text)")
    }

    /// Most tests do not have the variation of one.
    @Test func aNameThatOneTestHasIsNotMissedInOthers() throws {
      try withTemporaryFolder { ledger in
        let run = try DefectRun.test(
          "SweptSuite/", ["STUBDB_LEDGER": ledger.path, "STUBDB_SWEEP": "charge/500"])
        #expect(run.text.contains("with 1 issue"), "\(run.text)")
        #expect(!run.text.contains("no test has the variation"), "\(run.text)")
        let tried = try lines(inLedger: ledger)
        #expect(Set(tried.map(\.variation)) == ["charge/500"])
      }
    }

    @Test func aNameWithoutASweepFailsTheTest() throws {
      let run = try DefectRun.test("SweptNames/", [:])
      #expect(run.code != 0, "\(run.text)")
      #expect(
        run.text.contains(#"hasNoSweep() has .only("charge/timeout"), and no sweep"#), "\(run.text)"
      )
      #expect(run.text.contains("Test hasNoSweepEither() passed"), "\(run.text)")
      #expect(
        run.text.contains(
          "stubdb: no test of the suite StubDBSweepsTests/SweptNames/Inner has the variation charge/timeout, which its "
            + ".only names; those that ran have no sweep, or have failed before it."),
        "\(run.text)")
    }

    /// What one suite has is not what another one has.
    @Test func aNameOfASuiteIsLookedForInThatSuite() throws {
      try withTemporaryFolder { ledger in
        let run = try DefectRun.test("SweptSuites/", ["STUBDB_LEDGER": ledger.path])
        let start = "stubdb: no test of the suite StubDBSweepsTests/SweptSuites/"
        #expect(run.text.contains(start + "Search has the variation orders/500"), "\(run.text)")
        #expect(!run.text.contains(start + "Orders"), "\(run.text)")
        #expect(
          run.text.contains(
            "stubdb: no case of StubDBSweepsTests/SweptSuites/sends(text:) has the variation order=a,ab, which its .only "
              + "names; the sweeps of one test have tried nothing."),
          "\(run.text)")
        #expect(run.code == 0, "\(run.text)")
      }
    }
  }

  /// Tests that only processes of their own run.
  @Suite(.enabled(if: DefectRun.isOn), .catalog(SweptCatalog.path), .scenario("shop/orders"))
  struct SweptNames {
    @Test(.only("charge/timeout")) func hasNoSweep() {}

    /// The trait of a suite is meant for those of its tests that have sweeps.
    @Suite(.only("charge/timeout")) struct Inner {
      @Test func hasNoSweepEither() {}
    }
  }

  /// Tests that only processes of their own run.
  @Suite(.enabled(if: DefectRun.isOn), .catalog(SweptCatalog.path))
  struct SweptSuites {
    private static func send(_ path: String) async throws {
      let url = try #require(URL(string: "https://api.shop.test/\(path)"))
      _ = try? await URLSession.stubbed.data(from: url)
    }

    @Suite(.scenario("shop/orders"), .everyFailure, .only("orders/500")) struct Orders {
      @Test func sends() async throws { try await SweptSuites.send("orders") }
    }

    @Suite(.scenario("shop/search"), .everyFailure, .only("orders/500")) struct Search {
      @Test func sends() async throws { try await SweptSuites.send("search?q=a") }
    }

    /// The order begins with the request of the case, which is not followed by another one.
    @Test(.scenario("shop/search"), .everyOrder, .only("order=a,ab"), arguments: ["a"])
    func sends(text: String) async throws { try await SweptSuites.send("search?q=\(text)") }
  }

  /// Tests that only processes of their own run.
  @Suite(
    .enabled(if: DefectRun.isOn), .catalog(SweptCatalog.path), .scenario("shop/paid"),
    .everyFailure)
  struct SweptDefects {
    @Test func crashes() async throws {
      #expect(try await SweptShop(defect: .crashes).buy() == "ch_1")
    }

    @Test func asksElsewhere() async throws {
      #expect(try await SweptShop(defect: .asksElsewhere).buy() == "ch_1")
    }
  }
#endif
