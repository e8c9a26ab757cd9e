import Testing

@testable import StubDBSweeps

@Suite struct OrderNamesTests {
  private static let keys = [
    "a", "a.2", "a.2.2", "a#2", "a,b", "b", "@500ms", "@random-1", "500ms", "%40500ms", "a%2E2",
    "get-index.html", "v1.0-a", "a.½", "",
  ]

  @Test func noTwoRequestsHaveTheSameName() {
    var names: [String] = []
    for key in Self.keys {
      for target in 1...3 {
        let name = OrderNames.name(ofTarget: target, ofKey: key)
        names += (1...3).map { OrderNames.numbered(name, $0) }
      }
    }
    let sleep = OrderNames.name(ofSleep: .milliseconds(500))
    names += (1...3).map { OrderNames.numbered(sleep, $0) }
    #expect(Set(names).count == names.count, "\(names)")
    #expect(!names.contains { $0.contains(",") })
  }

  @Test func mostKeysStayAsTheyAre() {
    #expect(OrderNames.name(ofTarget: 1, ofKey: "get-index.html") == "get-index.html")
    #expect(OrderNames.name(ofTarget: 2, ofKey: "post-charges") == "post-charges#2")
    #expect(OrderNames.name(ofTarget: 1, ofKey: "v1.0") == "v1%2E0")
  }

  @Test(arguments: keys) func aNameBelongsToItsKeyAlone(key: String) {
    let name = OrderNames.numbered(OrderNames.name(ofTarget: 2, ofKey: key), 3)
    #expect(Self.keys.filter { OrderNames.isName(name, ofKey: $0) } == [key])
  }

  @Test func sleepsAreNamedByTheirLength() {
    #expect(OrderNames.name(ofSleep: .seconds(2)) == "@2000ms")
    #expect(OrderNames.name(ofSleep: .microseconds(1500)) == "@1.5ms")
  }
}
