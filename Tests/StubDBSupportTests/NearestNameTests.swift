import StubDBSupport
import Testing

struct NearestNameTests {
  @Test(arguments: [
    ("methd", "method"), ("HEADERS", "headers"), ("haeders", "headers"), ("bdoy", "body"),
    ("zzz", nil), ("", nil), ("request-headers", nil),
  ])
  func theNearestNameIsFoundOnlyWhereOneIsNear(text: String, nearest: String?) {
    #expect(["method", "headers", "body", "query"].nearest(to: text) == nearest)
  }

  @Test func ofEquallyNearNamesTheFirstWins() {
    #expect(["cat", "bat"].nearest(to: "rat") == "cat")
  }
}
