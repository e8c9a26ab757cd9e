import Foundation
import StubDBJSON
import Testing

/// `evolve`, as it is typed.
struct EvolveTests {
  private func box() throws -> Sandbox {
    let box = try Sandbox.shop()
    try box.must(
      "add", "shop/orders", "--key", "orders", "--url", "https://api.shop.test/orders", "--json",
      #"{"orders":[{"id":1,"status":"paid","note":"gift"},{"id":2,"status":"open"}]}"#)
    try box.must(
      "add", "shop/orders", "--key", "logo", "--url", "https://api.shop.test/logo", "--text",
      "a logo")
    return box
  }

  @Test func theChangesOfAScenarioAreListedWithTheirReasons() throws {
    let box = try box()
    let listed = try box.run("evolve", "shop/orders", "--list")
    #expect(listed.code == 0, "\(listed)")
    let lines = listed.out.split(separator: "\n").map { line in
      line.split(separator: "  ").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(
      lines.map(\.first) == [
        "orders/body=member", "orders/orders=longer", "orders/orders=empty",
        "orders/orders-0=member", "orders/orders-0-id=large", "orders/orders-0-note=absent",
        "orders/orders-0-status=unknown", "orders/body=order", "orders/content-type=parameter",
      ])
    #expect(
      lines[6] == [
        "orders/orders-0-status=unknown", "an unknown constant in /orders/0/status",
        #"the samples have "open", "paid" there"#,
      ])
    #expect(
      listed.err == """
        9 compatible changes in 1 of 2 answers of shop/orders.
        Left alone: response 1 of logo: its content is not JSON.

        """)
  }

  @Test func programsGetTheSame() throws {
    let listed = try box().run("evolve", "shop/orders", "--list", "--json")
    guard case .object(let members) = try JSONValue(parsing: Data(listed.out.utf8)),
      case .array(let variations)? = members["variations"],
      case .array(let left)? = members["leftAlone"]
    else {
      Issue.record("no object of two arrays: \(listed)")
      return
    }
    #expect(variations.count == 9)
    #expect(
      variations.first
        == (try JSONValue(
          parsing: Data(
            """
            {"variation":"orders/body=member","scenario":"shop/orders","key":"orders","response":1,
             "change":"member","pointer":"","reason":"clients ignore members that they do not know"}
            """.utf8))))
    #expect(
      left
        == [
          try JSONValue(
            parsing: Data(
              #"{"scenario":"shop/orders","key":"logo","response":1,"reason":"its content is not JSON"}"#
                .utf8))
        ])
  }

  @Test func withoutTheFlagItSaysWhatItIsFor() throws {
    let box = try box()
    let bare = try box.run("evolve", "shop/orders")
    #expect(bare.code == 64)
    #expect(bare.err.contains(".everyEvolution"), "\(bare)")
    #expect(bare.err.contains("stubdb evolve shop/orders --list"), "\(bare)")
    #expect(try box.run("evolve", "shop/order", "--list").err.contains("shop/orders"))
  }

  @Test func nothingToChangeIsANegativeAnswer() throws {
    let box = try box()
    try box.must("add", "shop/gone", "--url", "https://api.shop.test/x", "--status", "204")
    let listed = try box.run("evolve", "shop/gone", "--list")
    #expect(listed.code == 2 && listed.out.isEmpty, "\(listed)")
    #expect(listed.err.contains("it answers without content"), "\(listed)")
  }
}
