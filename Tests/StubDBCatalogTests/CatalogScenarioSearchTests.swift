import Foundation
import HTTPTypes
import StubDBModel
import Testing

@testable import StubDBCatalog
@testable import StubDBCatalogEditing
@testable import StubDBEngine

/// The search for other scenarios that would have answered, which is only for a report.
struct CatalogScenarioSearchTests {
  @Test func allScenariosShareOneBudget() throws {
    try withCatalog { catalog in
      try catalog.edit { editor in
        for number in 0..<20 {
          let slow = Stub(
            key: "slow", request: RequestPattern(query: [NamedPattern("q", .matches("(a+)+b"))]))
          let quick = Stub(key: "quick", request: RequestPattern(path: .template("/a")))
          try editor.insert(
            Scenario(name: try name("other/\(number)"), stubs: number < 15 ? [slow] : [quick]))
        }
      }
      let request = StubRequest(url: "/a?q=" + String(repeating: "a", count: 60))
      let steps = 100_000
      let context = MatchContext(budget: WorkBudget(steps: steps))
      let search = CatalogScenarioSearch(catalog: catalog, besides: try name("played"))
      let found = search.scenarios(
        matching: request, PreparedRequest(request, context: context))
      #expect(found.map(\.rawValue) == ["other/15", "other/16", "other/17"])
      let allowances = 15 * 2 * WorkBudget.allowance
      #expect(context.budget.taken > 0)
      #expect(context.budget.taken <= steps + allowances)
    }
  }

  @Test func bodiesAreLeftInTheFile() throws {
    try withCatalog { catalog in
      let stub = Stub(
        key: "k", request: RequestPattern(path: .template("/a")),
        responses: [StubResponse(body: .text("card_declined"))])
      let template = Stub(
        key: "k", request: RequestPattern(path: .template("/{id}")),
        responses: [StubResponse(body: .text("{{request.path.id}}"), isTemplate: true)])
      try catalog.edit { editor in
        try editor.insert(Scenario(name: try name("damaged"), stubs: [stub]))
        try editor.insert(Scenario(name: try name("template"), stubs: [template]))
      }
      var bytes = try Data(contentsOf: catalog.url)
      let place = try #require(bytes.range(of: Data("card_declined".utf8)))
      bytes[place.lowerBound] = UInt8(ascii: "C")
      try bytes.write(to: catalog.url)
      #expect(throws: CatalogError.self) { try catalog.load("damaged") }
      let search = CatalogScenarioSearch(catalog: catalog, besides: try name("played"))
      #expect(
        search.scenarios(matching: StubRequest(url: "/a")).map(\.rawValue)
          == ["damaged", "template"])
    }
  }

  @Test func theStubThatAnswersCounts() throws {
    try withCatalog { catalog in
      let first = Stub(
        key: "next", request: RequestPattern(path: .template("/a")),
        responses: [StubResponse(delegation: .next)])
      let paid = Stub(
        key: "paid", request: RequestPattern(path: .template("/a")),
        flow: FlowStep(name: "order", requires: "paid"))
      try catalog.edit { editor in
        try editor.insert(Scenario(name: try name("blocked"), stubs: [paid]))
        try editor.insert(Scenario(name: try name("catch-all"), stubs: [first, Stub(key: "all")]))
        try editor.insert(
          Scenario(
            name: try name("found"),
            stubs: [first, Stub(key: "k", request: RequestPattern(path: .template("/{id}")))]))
      }
      let search = CatalogScenarioSearch(catalog: catalog, besides: try name("played"))
      #expect(search.scenarios(matching: StubRequest(url: "/a")).map(\.rawValue) == ["found"])
    }
  }
}
