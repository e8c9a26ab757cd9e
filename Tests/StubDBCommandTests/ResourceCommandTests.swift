import Foundation
import Testing

/// Resources from a document to what the command line shows of them and answers.
struct ResourceCommandTests {
  private func box() throws -> Sandbox {
    let box = try Sandbox.shop()
    try box.write(
      "items.json",
      """
      {"scenario": "items/two", "stubs": [
        {"key": "items", "resource": {"at": "https://api.shop.test/v1/items", "id": "integer",
          "seed": [{"id": 1, "name": "Ada"}, {"id": 2}], "page": {"limit": "limit", "offset": "from"}}},
        {"key": "me", "request": {"method": "GET", "url": "/me"}}]}
      """)
    let added = try box.run("add", "--file", "items.json")
    #expect(added.code == 0)
    #expect(!added.err.contains("any method") && !added.out.contains("any method"))
    return box
  }

  @Test func showSaysWhatAResourceHas() throws {
    #expect(
      try box().run("show", "items/two", "items").out == """
        items
          any method https://api.shop.test/v1/items
          -> resource of 2 items
             id: id, a whole number that counts up
             pages: by limit and from

        """)
  }

  @Test func expandedListsTheMethodsAndURLsOfResources() throws {
    let box = try box()
    let lines = try box.run("show", "items/two", "--expanded").out.split(separator: "\n")
    let starts = [
      "items  GET https://api.shop.test/v1/items ", "items  POST https://api.shop.test/v1/items ",
      "items  any method https://api.shop.test/v1/items ",
      "items  GET https://api.shop.test/v1/items/{id} ",
      "items  PUT https://api.shop.test/v1/items/{id} ",
      "items  PATCH https://api.shop.test/v1/items/{id} ",
      "items  DELETE https://api.shop.test/v1/items/{id} ",
      "items  any method https://api.shop.test/v1/items/{id} ", "me     GET /me ",
    ]
    #expect(lines.count == starts.count)
    for (line, start) in zip(lines, starts) { #expect(line.hasPrefix(start)) }
    #expect(lines[0].hasSuffix("items that the query selects, in pages by limit and from"))
    #expect(lines[8].hasSuffix("status 200"))
    let json = try box.run("show", "items/two", "items", "--expanded", "--json").out
    let routes = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: String]]
    #expect(routes?.count == 8)
    #expect(routes?[6]["request"] == "DELETE https://api.shop.test/v1/items/{id}")
    #expect(try box.run("show", "items/two", "--expanded", "--with-includes").code == 64)
    #expect(try box.run("show", "items/", "--expanded").code == 64)
  }

  @Test func playKeepsTheItemsFromRequestToRequest() throws {
    let box = try box()
    try box.write(
      "try.http",
      """
      POST https://api.shop.test/v1/items

      {"name": "Bob"}

      ###
      GET https://api.shop.test/v1/items?name=Bob
      """)
    let played = try box.run("play", "items/two", "try.http").out
    #expect(played.contains("Location: https://api.shop.test/v1/items/3\n"))
    #expect(played.contains(#"[{"id":3,"name":"Bob"}]"#))
    // Each run begins with the seed.
    #expect(try box.run("play", "items/two", "try.http").out == played)
  }

  @Test func badItemsAreRefusedWithTheirPlace() throws {
    let box = try box()
    try box.write(
      "bad.json",
      """
      {"scenario": "items/bad", "stubs": [
        {"key": "items", "resource": {"at": "/v1/items", "seed": [
          {"id": "a"},
          {"id": "a"}]}}]}
      """)
    let refused = try box.run("add", "--file", "bad.json")
    #expect(refused.code == 1)
    #expect(refused.err.contains("bad.json:4: /stubs/0/resource/seed/1: the item"))
    let rewritten = try box.run(
      "rewrite", "items/**", "--where", "response $[0].id", "--set", "2", "--yes")
    #expect(rewritten.code == 1)
    #expect(rewritten.err.contains("/resource/seed/1: the item /resource/seed/0 has the id"))
  }
}
