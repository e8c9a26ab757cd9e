import Foundation
import StubDBSupport
import StubDBTestSupport
import StubDBVariations
import Testing

@testable import StubDBSweeps

/// Names that several tests are asked for.
@Suite struct NamedVariationsTests {
  private static let asked = NamedVariations.Asking(name: "cart/timout", origin: .variable)
  private static let place = NamedVariations.Place(catalog: nil, module: "ShopTests")

  @Test func oneTestThatHasItIsEnough() {
    var names = NamedVariations()
    names.note(Self.asked, isKnown: false, in: "a", near: ["cart/timeout"], at: Self.place)
    #expect(names.unknown.count == 1)
    names.note(Self.asked, isKnown: true, in: "b", near: [], at: Self.place)
    names.note(Self.asked, isKnown: false, in: "c", near: [], at: Self.place)
    #expect(names.unknown.isEmpty)
  }

  @Test func whatNoTestHasIsSaidWithNearNames() {
    var names = NamedVariations()
    names.note(Self.asked, isKnown: false, in: "a", near: ["cart/timeout"], at: Self.place)
    names.note(
      Self.asked, isKnown: false, in: "b", near: ["cart/timeout", "card/timeout"], at: Self.place)
    #expect(
      names.unknown.map(\.message) == [
        "no test has the variation cart/timout, which STUBDB_SWEEP names; the sweeps of 2 tests have tried nothing."
          + " Did you mean cart/timeout of a, or card/timeout of b?"
      ])
  }

  @Test func namesOfASuiteAndOfCasesAreApart() {
    var names = NamedVariations()
    for origin in [NamedVariations.Origin.suite("S"), .suite("T"), .test("a")] {
      names.note(
        NamedVariations.Asking(name: "x/500", origin: origin), isKnown: false, in: "a", near: [],
        at: Self.place)
    }
    #expect(
      names.unknown.map(\.message) == [
        "no case of a has the variation x/500, which its .only names; the sweeps of one test have tried nothing.",
        "no test of the suite S has the variation x/500, which its .only names; the sweeps of one test have tried nothing.",
        "no test of the suite T has the variation x/500, which its .only names; the sweeps of one test have tried nothing.",
      ])
  }

  @Test func aSuiteWithoutASweepIsToldToAddOne() {
    let asking = NamedVariations.Asking(name: "x/500", origin: .suite("S"))
    var names = NamedVariations()
    names.noteWithoutSweep(asking)
    #expect(
      names.unknown.map(\.message) == [
        "no test of the suite S has the variation x/500, which its .only names; those that ran have no sweep, or have failed"
          + " before it. Add .everyFailure, .everyEvolution or .everyOrder."
      ])
    #expect(names.unknown.map(\.places) == [[]])
    names.note(asking, isKnown: true, in: "a", near: [], at: Self.place)
    names.noteWithoutSweep(asking)
    #expect(names.unknown.isEmpty)
  }

  /// Of all tests of the process, some have sweeps, and none of these ran.
  @Test func aProcessWithoutASweepSaysWhatItWasAskedFor() {
    func said(_ variables: [String: String], _ arguments: [String] = []) -> [String] {
      let said = Locked([String]())
      let logs = SweepLogs(environment: [:]) { text in said.withLock { $0.append(text) } }
      logs.noteWithoutSweep(
        ofProcess: SweepFilter(only: nil, environment: variables), arguments: arguments)
      logs.close()
      return said.withLock(\.self)
    }
    let named = ["STUBDB_SWEEP": "cart/timeout"]
    #expect(
      said(named) == [
        "no test has the variation cart/timeout, which STUBDB_SWEEP names; those that ran have no sweep, or have failed"
          + " before it. Add .everyFailure, .everyEvolution or .everyOrder."
      ])
    #expect(said(named, ["--list-tests"]).isEmpty)
    #expect(said(["STUBDB_SWEEP": "none"]).isEmpty)
    // A trait names a variation.
    #expect(SweepFilter(only: "none", environment: [:]).allowsAny)
    #expect(!SweepFilter(only: nil, environment: ["STUBDB_SWEEP": "none"]).allowsAny)
    #expect(said([:]).isEmpty)
  }

  @Test func theEndOfTheProcessSaysIt() throws {
    try withTemporaryFolder { ledger in
      let said = Locked([String]())
      let logs = SweepLogs(environment: ["STUBDB_LEDGER": ledger.path]) { text in
        said.withLock { $0.append(text) }
      }
      logs.note(
        Self.asked, isKnown: false, in: "a", near: [], ofCatalog: "/tmp/shop.stubdb",
        module: "ShopTests")
      logs.close()
      #expect(said.withLock(\.self).count == 1)
      let folder = URL(fileURLWithPath: SweepLine.folder(inLedger: ledger.path))
      let files = try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil)
      let notes = try files.flatMap { SweepNote.notes(of: try Data(contentsOf: $0)) }
      #expect(notes.map(\.variation) == ["cart/timout"])
      #expect(notes.map(\.kind) == [.unknown])
      #expect(notes.first?.message == said.withLock(\.first))
    }
  }

  @Test func aNoteIsReadAsItWasWritten() {
    let note = SweepNote(
      .nothing, time: 12.5, test: "ShopTests/CartTests/buys()", catalog: "shop.stubdb",
      sweep: .order, message: "nothing")
    #expect(SweepNote.notes(of: Data(note.text.utf8)) == [note])
    #expect(SweepLine.lines(of: Data(note.text.utf8)).isEmpty)
    #expect(SweepNote.notes(of: Data(SweepLine.end.utf8)).isEmpty)
  }
}
