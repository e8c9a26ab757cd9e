import Foundation
import Testing

struct MirrorTests {
  @Test func theFolderAndTheCatalogComeFromEachOther() throws {
    let box = try Sandbox.shop()
    let written = try box.run("mirror", "texts")
    #expect(
      written
        == CommandResult(
          out: """
            added  texts/.gitattributes
            added  texts/.stubdb-mirror
            added  texts/checkout/paid.json
            added  texts/session/signed-in.json

            """, err: "texts is in step with shop.stubdb: 2 scenarios.\n"))
    #expect(try box.read("texts/checkout/paid.json") == ShopDocuments.paid)
    #expect(
      try box.run("mirror", "texts", "--check")
        == CommandResult(err: "texts is in step with shop.stubdb: 2 scenarios.\n"))
    let original = try Data(contentsOf: box.folder.appendingPathComponent("shop.stubdb"))
    // As after a clone of a repository that holds the texts only.
    try FileManager.default.removeItem(at: box.folder.appendingPathComponent("shop.stubdb"))
    #expect(
      try box.run("mirror", "texts", "--from-text")
        == CommandResult(
          out: "added  checkout/paid\nadded  session/signed-in\n",
          err: "shop.stubdb says what texts says: 2 scenarios.\n"))
    #expect(try Data(contentsOf: box.folder.appendingPathComponent("shop.stubdb")) == original)
  }

  @Test func checkListsTheDifferencesAndWritesNothing() throws {
    let box = try Sandbox.shop()
    _ = try box.run("mirror", "texts")
    _ = try box.run("set", "session/signed-in", "me", "--status", "409")
    _ = try box.run("add", "a/new", "--url", "/x")
    let before = try box.read("texts/session/signed-in.json")
    let result = try box.run("mirror", "texts", "--check")
    #expect(
      result
        == CommandResult(
          out: """
            a/new: only in the catalog; texts/a/new.json is missing
            session/signed-in: texts/session/signed-in.json differs
              stub me: /responses/0/status

            """,
          err: """
            texts is not in step with shop.stubdb: 2 differences.
            To write the catalog's side: stubdb mirror texts
            To take the documents' side: stubdb mirror texts --from-text

            """, code: 2))
    #expect(try box.read("texts/session/signed-in.json") == before)
    let json = try box.run("mirror", "texts", "--check", "--json")
    #expect(json.code == 2)
    #expect(json.out.contains(#""difference": "missing""#))
    #expect(
      try box.run("mirror", "texts").out
        == "added  texts/a/new.json\nupdated  texts/session/signed-in.json\n")
  }

  @Test func handEditedTextGoesIntoTheCatalogOrNothingDoes() throws {
    let box = try Sandbox.shop()
    _ = try box.run("mirror", "texts")
    let signedIn =
      #"{"stubs": [{"key": "me", "request": {"url": "/v2/me"}}],"scenario": "session/signed-in"}"#
    try box.write("texts/session/signed-in.json", signedIn)
    let refused = try box.run("mirror", "texts")
    #expect(refused.code == 1)
    #expect(refused.err.contains("texts/session/signed-in.json"))
    #expect(try box.read("texts/session/signed-in.json") == signedIn)

    try box.write("texts/broken.json", "{\n  \"scenario\": \"x\",\n  \"stubs\": [{}]\n}")
    let before = try box.run("show", "session/signed-in", "--json").out
    let failed = try box.run("mirror", "texts", "--from-text")
    #expect(failed.code == 1)
    #expect(failed.err.contains("texts/broken.json:3: /stubs/0: "))
    #expect(try box.run("show", "session/signed-in", "--json").out == before)

    try FileManager.default.removeItem(at: box.folder.appendingPathComponent("texts/broken.json"))
    try FileManager.default.removeItem(
      at: box.folder.appendingPathComponent("texts/checkout/paid.json"))
    #expect(
      try box.run("mirror", "texts", "--from-text").out
        == "updated  session/signed-in\nremoved  checkout/paid\n")
    #expect(try box.run("mirror", "texts").out == "updated  texts/session/signed-in.json\n")
  }

  @Test func aFolderOfAnotherCatalogIsNotWrittenOver() throws {
    let box = try Sandbox.shop()
    _ = try box.run("mirror", "texts")
    _ = try box.run("init", "other.stubdb")
    let result = try box.run("mirror", "texts", "--catalog", "other.stubdb")
    #expect(result.code == 1)
    #expect(result.err.contains("texts is a mirror of ../shop.stubdb"))
    #expect(try box.run("mirror", "nowhere", "--check", "--catalog", "shop.stubdb").code == 1)
    #expect(
      try box.run("mirror", "nowhere", "--from-text", "--catalog", "shop.stubdb").err.contains(
        "there is no folder nowhere"))
    #expect(try box.run("mirror", "texts", "--check", "--from-text").code == 64)
  }
}
