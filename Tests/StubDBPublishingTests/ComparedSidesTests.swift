import Foundation
import StubDBChanges
import StubDBModel
import StubDBPublishing
import Testing

/// What the words of a comparison stand for.
struct ComparedSidesTests {
  private let desk: Desk
  private let other: Desk

  init() throws {
    desk = try Desk("checkout/paid")
    try desk.add("checkout/declined", "b")
    other = try Desk("checkout/paid")
    try other.add("orders/open")
  }

  private func sides(
    _ words: String..., revision: String? = nil
  ) throws -> ComparedSides {
    try ComparedSides(
      words.first, words.dropFirst().first, revision: revision, of: desk.catalog.path)
  }

  @Test func twoFilesAreCatalogs() throws {
    let differences = try sides(desk.catalog.path, other.catalog.path).differences()
    #expect(
      Set(differences.map(\.name.rawValue)) == ["checkout/declined", "orders/open"])
    #expect(try sides(desk.catalog.path, desk.catalog.path).differences().isEmpty)
  }

  @Test func twoNamesAreScenariosOfTheCatalog() throws {
    let differences = try sides("checkout/paid", "checkout/declined").differences()
    #expect(differences.map { $0.before?.rawValue } == ["checkout/paid"])
    #expect(differences.map { $0.after?.rawValue } == ["checkout/declined"])
    #expect(try sides("checkout/paid", "checkout/paid").differences().isEmpty)
  }

  @Test(
    arguments: [
      (["other.stubdb", "checkout/paid"], nil, "compare two catalogs or two scenarios."),
      (["checkout/paid", "other.stubdb"], nil, "compare two catalogs or two scenarios."),
      (["a.stubdb", "b.stubdb"], "HEAD", "--rev does not go with two catalogs."),
      (["checkout/paid", "checkout/declined"], "HEAD", "--rev does not go with two scenarios."),
      (["a b c ", "checkout/declined"], nil, "is neither a file nor a scenario name"),
      ([], "a..b..c", "--rev takes a revision, or two as A..B."),
      (["checkout/piad", "checkout/paid"], nil, "Did you mean checkout/paid?"),
    ] as [([String], String?, String)])
  func wordsThatDoNotGoTogether(words: [String], revision: String?, reason: String) throws {
    let problem = Desk.problem {
      _ = try ComparedSides(
        words.first, words.dropFirst().first, revision: revision, of: desk.catalog.path)
    }
    #expect(try #require(problem).contains(reason))
  }
}
