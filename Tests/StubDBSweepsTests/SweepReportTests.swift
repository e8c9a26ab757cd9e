#if os(Linux)
  import Foundation
  import StubDBJSON
  import StubDBSweeps
  import StubDBTestSupport
  import StubDBTesting
  import Testing

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// `stubdb sweep --report`, about files that tests of a process of their own have written.
  @Suite struct SweepReportTests {
    /// What the command prints, notes last.
    private func report(_ ledger: URL, _ options: String...) throws -> String {
      try DefectRun.run(
        Program.built("stubdb"),
        ["sweep", "--report", "--catalog", SweptCatalog.path, "--ledger", ledger.path] + options
      ).text
    }

    private func lines(_ text: String) -> [[String]] {
      text.split(separator: "\n").map { line in
        line.split(separator: "  ").map { $0.trimmingCharacters(in: .whitespaces) }
          .filter { !$0.isEmpty }
      }
    }

    @Test func testsFindingsAndStubsAreReported() throws {
      try withTemporaryFolder { ledger in
        let run = try DefectRun.test("SweptSuite/", ["STUBDB_LEDGER": ledger.path])
        #expect(run.text.contains("with 3 issues"), "\(run.text)")
        let text = try report(ledger)
        let name = "StubDBSweepsTests/SweptSuite/"
        let found = lines(text)
        #expect(
          Array(found.prefix(6)) == [
            ["TEST", "STUB", "FAILURES", "CHANGES", "SURVIVED", "FOUND", "CRASHED", "SKIPPED"],
            [name + "asksElsewhere()", "cart", "2", "0", "2", "0", "0", "0"],
            [name + "asksElsewhere()", "charge", "2", "0", "1", "1", "0", "0"],
            [name + "asksElsewhere()", "metrics", "2", "0", "2", "0", "0", "0"],
            [name + "ordersAreListed()", "orders", "0", "10", "9", "1", "0", "0"],
            [name + "theLastResultIsShown()", "(6 orders)", "-", "-", "2", "4", "0", "0"],
          ], "\(text)")
        #expect(found.contains { $0.prefix(2) == [name + "asksElsewhere()", "charge/500"] })
        #expect(
          found.contains { $0.prefix(2) == [name + "theLastResultIsShown()", "order=ab,abc,a"] })
        #expect(
          found.contains([
            "shop/paid", "charge", "1 test", "1 test", "1 of 2 survived", "-",
          ]), "\(text)")
        #expect(
          found.contains(["shop/search", "abcd", "0 tests", "0 tests", "-", "-"]), "\(text)")
        #expect(text.contains("22 variations of 3 tests with "), "\(text)")
        #expect(text.contains("were tried: 16 survived, 6 found a defect."), "\(text)")
        #expect(
          text.contains(
            "Answered tests, but never varied: shop/search a, shop/search ab, shop/search abc."),
          "\(text)")
      }
    }

    @Test func programsAndJobsGetTheSame() throws {
      try withTemporaryFolder { ledger in
        _ = try DefectRun.test("SweptSuite/asksElsewhere", ["STUBDB_LEDGER": ledger.path])
        let text = try report(ledger, "--format", "json")
        guard case .object(let members) = try JSONValue(parsing: Data(text.utf8)),
          case .array(let tests)? = members["tests"], case .object(let test)? = tests.first,
          case .array(let outcomes)? = test["outcomes"], case .array(let stubs)? = members["stubs"]
        else {
          Issue.record("no report: \(text)")
          return
        }
        #expect(outcomes.count == 6)
        #expect(
          outcomes.first
            == (try JSONValue(
              parsing: Data(
                """
                {"variation":"cart/timeout","kind":"failure","scenario":"shop/paid","key":"cart",
                 "failure":"timeout","state":"survived"}
                """.utf8))))
        #expect(
          stubs.first
            == (try JSONValue(
              parsing: Data(
                """
                {"scenario":"shop/paid","key":"cart","answered":["StubDBSweepsTests/SweptSuite/asksElsewhere()"],
                 "varied":["StubDBSweepsTests/SweptSuite/asksElsewhere()"],
                 "failures":{"tried":["timeout","500"],"survived":["timeout","500"]},
                 "changes":{"tried":0,"survived":0}}
                """.utf8))))
        #expect(members["staleOutcomes"] == .number(JSONNumber(0)))

        let page = try report(ledger, "--format", "markdown")
        #expect(page.contains("| stub | timeout | 500 | changes |"), "\(page)")
        #expect(page.contains("| `charge` | ✓ | ✗ | - |"), "\(page)")
      }
    }

    @Test func aCrashIsReported() throws {
      try withTemporaryFolder { ledger in
        _ = try DefectRun.test("SweptDefects/crashes", ["STUBDB_LEDGER": ledger.path])
        let text = try report(ledger)
        #expect(
          lines(text).contains([
            "StubDBSweepsTests/SweptDefects/crashes()", "cart/empty", "the process ended",
          ]), "\(text)")
        #expect(text.contains("1 ended the process."), "\(text)")
      }
    }

    @Test func aNameThatNoTestHadIsReportedUntilOneIsTried() throws {
      try withTemporaryFolder { ledger in
        func run(_ name: String) throws {
          _ = try DefectRun.test(
            "SweptSuite/asksElsewhere", ["STUBDB_LEDGER": ledger.path, "STUBDB_SWEEP": name])
        }
        try run("charge/5000")
        let text = try report(ledger)
        let missing = "No test has the variation charge/5000, which STUBDB_SWEEP names"
        #expect(text.contains("0 variations of 0 tests with "), "\(text)")
        #expect(text.contains(missing), "\(text)")
        #expect(
          text.contains("Did you mean charge/500 of StubDBSweepsTests/SweptSuite/"), "\(text)")
        #expect(!text.contains("cannot be read") && !text.contains("TEST  "), "\(text)")
        #expect(try report(ledger, "--format", "json").contains("charge/5000"))
        #expect(
          try report(ledger, "--format", "markdown").contains("has the variation charge/5000"))

        try run("charge/500")
        let later = try report(ledger)
        #expect(later.contains("1 variation of 1 test with "), "\(later)")
        #expect(!later.contains("charge/5000"), "\(later)")
      }
    }

    @Test func aSweepThatHadNothingToVaryIsReported() throws {
      try withTemporaryFolder { ledger in
        let run = try DefectRun.test("SweptSilence/", ["STUBDB_LEDGER": ledger.path])
        #expect(run.text.contains("Test sendsNothing() failed"), "\(run.text)")
        let text = try report(ledger)
        #expect(
          text.contains(
            "StubDBSweepsTests/SweptSilence/sendsNothing(): .everyFailure has tried nothing: the test sent no request"
          ),
          "\(text)")
      }
    }

    @Test func whatALimitLeavesOutIsReported() throws {
      try withTemporaryFolder { ledger in
        let run = try DefectRun.test("SweptLimit/", ["STUBDB_LEDGER": ledger.path])
        #expect(run.code == 0, "\(run.text)")
        let cut =
          ".everyEvolution has tried no more than 500 of 522 changes of many. The rest is listed by stubdb evolve "
          + "shop/many --list --all, and tried by its names, with .only or STUBDB_SWEEP."
        #expect(run.text.contains(cut), "\(run.text)")
        let orders =
          ".everyOrder has tried 1 order of answers, and there are more. To try more, add limit: 2."
        #expect(run.text.contains(orders), "\(run.text)")
        let text = try report(ledger)
        #expect(text.contains("502 variations of 2 tests with "), "\(text)")
        #expect(
          text.contains("StubDBSweepsTests/SweptLimit/manyOrdersAreStood(): " + orders), "\(text)")
        #expect(
          text.contains("StubDBSweepsTests/SweptLimit/manyMembersAreRead(): " + cut), "\(text)")
      }
    }

    @Test func whatIsMissingOrStaleIsSaid() throws {
      try withTemporaryFolder { ledger in
        #expect(try report(ledger).contains("has no sweep of a test with"))
        #expect(
          try report(ledger.appendingPathComponent("none")).contains("there is no usage ledger"))
        _ = try DefectRun.test("SweptSuite/asksElsewhere", ["STUBDB_LEDGER": ledger.path])
        let catalog = ledger.appendingPathComponent("swept.stubdb")
        try FileManager.default.copyItem(
          at: URL(fileURLWithPath: SweptCatalog.path), to: catalog)
        let stubdb = Program.built("stubdb")
        _ = try DefectRun.run(
          stubdb, ["remove", "shop/paid", "cart", "--catalog", catalog.path, "--no-undo"])
        let text = try DefectRun.run(
          stubdb,
          ["sweep", "--report", "--catalog", catalog.path, "--ledger", ledger.path]
        ).text
        #expect(text.contains("Varied, but no longer in the catalog: shop/paid cart."), "\(text)")
        #expect(text.contains("The catalog has changed since these sweeps"), "\(text)")
      }
    }
  }

  private enum ClosedStatus: String, Decodable { case open, paid }

  private struct ClosedOrders: Decodable {
    struct Order: Decodable { var status: ClosedStatus }
    var orders: [Order]
  }

  /// A test that only processes of their own run.
  @Suite(.enabled(if: DefectRun.isOn), .catalog(SweptCatalog.path))
  struct SweptSilence {
    @Test(.scenario("shop/orders"), .everyFailure) func sendsNothing() {}
  }

  /// A test that only processes of their own run.
  @Suite(.enabled(if: DefectRun.isOn), .catalog(SweptCatalog.path))
  struct SweptLimit {
    @Test(.scenario("shop/many"), .everyEvolution) func manyMembersAreRead() async throws {
      let url = try #require(URL(string: "https://api.shop.test/many"))
      #expect(!(try await URLSession.stubbed.data(from: url).0.isEmpty))
    }

    @Test(.scenario("shop/search"), .everyOrder(limit: 1)) func manyOrdersAreStood() async throws {
      try await SearchModel(.stubbed, isStale: false).type(all: ["a", "ab"])
    }
  }

  /// Tests that only processes of their own run.
  @Suite(.enabled(if: DefectRun.isOn), .catalog(SweptCatalog.path))
  struct SweptSuite {
    @Test(.scenario("shop/paid"), .everyFailure([.timeout, .serverError]))
    func asksElsewhere() async throws {
      #expect(try await SweptShop(defect: .asksElsewhere).buy() == "ch_1")
    }

    @Test(.scenario("shop/orders"), .everyEvolution)
    func ordersAreListed() async throws {
      let url = try #require(URL(string: "https://api.shop.test/orders"))
      let (data, _) = try await URLSession.stubbed.data(from: url)
      #expect(try JSONDecoder().decode(ClosedOrders.self, from: data).orders.count > 0)
    }

    @Test(.scenario("shop/search"), .everyOrder)
    func theLastResultIsShown() async throws {
      let model = SearchModel(.stubbed, isStale: true)
      try await model.type(all: ["a", "ab", "abc"])
      #expect(await model.shown == "abc")
    }
  }
#endif
