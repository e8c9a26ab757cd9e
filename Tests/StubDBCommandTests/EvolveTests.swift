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

  /// An answer of 260 objects with a number each, and a list of 60 objects of which only the last has a note.
  private func largeBox() throws -> Sandbox {
    let box = try Sandbox()
    try box.must("init", "shop.stubdb")
    let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)
    let members = letters.flatMap { first in letters.prefix(10).map { first + $0 } }
      .map { "\"has_\($0)\":{\"cents\":1}" }
    let items = (1...60).map { #"{"id":\#($0)\#($0 == 60 ? #","note":{"text":"x"}"# : "")}"# }
    try box.must(
      "add", "shop/large", "--key", "large", "--url", "https://api.shop.test/large", "--json",
      "{\(members.joined(separator: ",")),\"items\":[\(items.joined(separator: ","))]}")
    return box
  }

  @Test func whatALimitLeavesOutIsSaid() throws {
    let listed = try largeBox().run("evolve", "shop/large", "--list")
    // 500, and the parameter of the media type.
    #expect(listed.out.split(separator: "\n").count == 501, "\(listed.err)")
    #expect(
      listed.err == """
        501 compatible changes in 1 of 1 answer of shop/large.
        Cut: response 1 of large: 50 of 60 elements of /items.
        Cut: response 1 of large: 500 of 526 changes.
        By itself, a test tries no more than this. To list the rest, add --all.

        """)
  }

  @Test func programsAreToldWhatIsLeftOut() throws {
    let box = try largeBox()
    let listed = try box.run("evolve", "shop/large", "--list", "--json")
    guard case .object(let members) = try JSONValue(parsing: Data(listed.out.utf8)) else {
      Issue.record("no object: \(listed)")
      return
    }
    #expect(
      members["cut"]
        == (try JSONValue(
          parsing: Data(
            """
            [{"scenario":"shop/large","key":"large","response":1,"limit":"elements","pointer":"/items",
              "kept":50,"total":60},
             {"scenario":"shop/large","key":"large","response":1,"limit":"changes","kept":500,"total":526}]
            """.utf8))))
    let small = try self.box().run("evolve", "shop/orders", "--list", "--json")
    guard case .object(let none) = try JSONValue(parsing: Data(small.out.utf8)) else {
      Issue.record("no object: \(small)")
      return
    }
    #expect(none["cut"] == .array([]))
  }

  @Test func theRestIsListedToo() throws {
    let listed = try largeBox().run("evolve", "shop/large", "--list", "--all")
    #expect(listed.out.contains("large/items-59-note=member"), "\(listed.err)")
    #expect(
      listed.err == """
        529 compatible changes in 1 of 1 answer of shop/large.
        By itself, a test tries 501 of these; it tries any other one that .only or STUBDB_SWEEP names.

        """)
    // Nothing is left out where there is little.
    let small = try box().run("evolve", "shop/orders", "--list", "--all")
    #expect(small.err.hasPrefix("9 compatible changes in 1 of 2 answers of shop/orders.\n"))
    #expect(!small.err.contains("By itself"), "\(small.err)")
  }
}
