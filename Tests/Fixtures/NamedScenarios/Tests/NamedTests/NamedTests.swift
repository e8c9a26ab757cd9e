import StubDBTesting
import Testing
import XCTest

@Suite(.catalog("shop.stubdb"))
struct NamedTests {
  @Test(.scenario(.checkout.cardDeclined, options: .init(overlays: [.network.offline])))
  func aScenarioIsNamedInSwift() {
    #expect(StubInterceptor.current.scenario.name == .checkout.cardDeclined)
  }

  @Test(.scenario(.checkout.cardDeclined), arguments: [ScenarioName.network.offline, .checkout()])
  func aNameIsAValue(name: ScenarioName) {
    #expect(["network/offline", "checkout"].contains(name.rawValue))
  }

  @Test(.scenario(.checkout))
  func anAreaCanBeAScenario() {
    #expect(StubInterceptor.current.scenario.name == .checkout())
    #expect(StubInterceptor.current.scenario.name.rawValue == "checkout")
  }

  @Test(.scenario("checkout/card-declined"))
  func aTextStillNamesAScenario() {
    #expect(StubInterceptor.current.scenario.name == .checkout.cardDeclined)
  }
}

final class NamedXCTests: XCTestCase {
  func testAScenarioIsNamedInSwift() throws {
    let interceptor = try loadScenario(.checkout.cardDeclined, catalog: "shop.stubdb")
    XCTAssertEqual(interceptor.scenario.name, .checkout.cardDeclined)
  }
}
