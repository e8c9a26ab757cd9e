import Foundation
import StubDBTestSupport
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
          err: "shop.stubdb now has the content of texts: 2 scenarios.\n"))
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

  @Test func anEmptyCatalogDoesNotEmptyItsMirror() throws {
    let box = try Sandbox.shop()
    try box.must("mirror", "texts")
    let before = try box.contents().filter { $0.path.hasPrefix("texts") }
    try FileManager.default.removeItem(at: box.folder.appendingPathComponent("shop.stubdb"))
    try box.must("init", "shop.stubdb")
    let mirror = try box.run("mirror", "texts")
    #expect(
      mirror
        == CommandResult(
          err: """
            Error: nothing was written: shop.stubdb has no scenarios, and all 2 documents of texts would be removed
            To have the documents in the catalog: stubdb mirror texts --from-text
            To remove them: stubdb mirror texts --force

            """, code: 1))
    let after = try box.contents().filter { $0.path.hasPrefix("texts") }
    #expect(
      after.map(\.path) == before.map(\.path) && after.map(\.content) == before.map(\.content))
    #expect(try box.run("mirror", "texts", "--force").code == 0)
    #expect(try box.contents().allSatisfy { !$0.path.hasPrefix("texts/checkout") })
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

  @Test func anEditInCanonicalFormIsNotOverwritten() throws {
    let box = try Sandbox.repository()
    try box.must("mirror", "texts")
    try box.commit("Mirror")
    // A clone has no record of what was written, but git has the catalog's earlier states.
    try FileManager.default.removeItem(
      at: box.folder.appendingPathComponent("texts/.stubdb-mirror-record"))
    try box.must("set", "checkout/paid", "charge", "--response", "1", "--status", "409")
    #expect(try box.run("mirror", "texts").out == "updated  texts/checkout/paid.json\n")
    try box.must("set", "checkout/paid", "charge", "--response", "1", "--status", "410")
    let before = try box.read("texts/checkout/paid.json")
    let edited = before.replacing("409", with: "418")
    try box.write("texts/checkout/paid.json", edited)
    let refused = try box.run("mirror", "texts")
    #expect(
      refused
        == CommandResult(
          err: """
            Error: nothing was written: a document says what the catalog does not, and stubdb did not \
            write it: texts/checkout/paid.json
            To see what they say: stubdb mirror texts --check
            To take them into the catalog: stubdb mirror texts --from-text
            To write over them: stubdb mirror texts --force

            """, code: 1))
    #expect(try box.read("texts/checkout/paid.json") == edited)
    #expect(try box.run("mirror", "texts", "--from-text").out == "updated  checkout/paid\n")
    try box.must("set", "checkout/paid", "charge", "--response", "1", "--status", "404")
    #expect(try box.run("mirror", "texts").out == "updated  texts/checkout/paid.json\n")
    #expect(try box.git("status", "--porcelain", "texts").out == " M texts/checkout/paid.json\n")
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

  @Test func aFolderWithOtherFilesDoesNotBecomeAMirrorByAccident() throws {
    let box = try Sandbox.shop()
    try box.write("notes/README.md", "about")
    #expect(
      try box.run("mirror", "notes")
        == CommandResult(
          err: """
            Error: nothing was written: notes is not a mirror, and contains README.md
            Give the mirror a folder of its own, such as: stubdb mirror shop-stubs
            To write beside them: stubdb mirror notes --force

            """, code: 1))
    #expect(try box.run("mirror", "notes", "--force").code == 0)
    #expect(try box.run("mirror", "notes").code == 0)
    try box.write("drafts/a.json", #"{"scenario": "a", "stubs": []}"#)
    let result = try box.run("mirror", "drafts")
    #expect(result.code == 1 && !result.err.contains("--force"), "\(result.err)")
  }

  @Test func aMirrorAboveIsNamed() throws {
    let box = try Sandbox.shop()
    _ = try box.run("mirror", "texts")
    try box.write("App/Tests/a.swift", "")
    #expect(
      try box.run("mirror", "texts", "--check", in: "App/Tests")
        == CommandResult(
          err: """
            Error: there is no mirror texts in this folder
            There is one above it: stubdb mirror ../../texts --check

            """, code: 1))
    #expect(try box.run("mirror", "../../texts", "--check", in: "App/Tests").code == 0)
  }

  @Test func theDocumentsOfAnotherCatalogAreNotTakenForThisOnes() throws {
    let box = try Sandbox.shop()
    try box.must("mirror", "texts")
    try box.must("init", "other.stubdb")
    try box.must("add", "keep/me", "--url", "/k", "--catalog", "other.stubdb")
    let before = try Data(contentsOf: box.folder.appendingPathComponent("other.stubdb"))
    let refused = try box.run("mirror", "texts", "--from-text", "--catalog", "other.stubdb")
    #expect(
      refused
        == CommandResult(
          err: """
            Error: texts is a mirror of ../shop.stubdb (seen from the folder), not of other.stubdb; \
            the scenarios of other.stubdb would be lost, so it was not changed
            To take the documents into their own catalog: \
            stubdb mirror texts --from-text --catalog shop.stubdb
            To write the documents of other.stubdb there: \
            stubdb mirror texts --force --catalog other.stubdb

            """, code: 1))
    #expect(
      try box.run(
        "mirror", "texts", "--from-text", environment: ["STUBDB_CATALOG": "other.stubdb"]
      ).code == 1)
    #expect(try Data(contentsOf: box.folder.appendingPathComponent("other.stubdb")) == before)
    try box.must("mirror", "texts", "--from-text", "--catalog", "shop.stubdb")
    // A catalog that is made from the documents loses nothing.
    try box.must("mirror", "texts", "--from-text", "--catalog", "new.stubdb")
  }

  @Test func aCatalogWithAnotherNameTakesItsMirrorAlong() throws {
    let box = try Sandbox.shop()
    try box.must("mirror", "texts")
    let manager = FileManager.default
    try manager.moveItem(
      at: box.folder.appendingPathComponent("shop.stubdb"),
      to: box.folder.appendingPathComponent("store.stubdb"))
    let refused = try box.run("mirror", "texts", "--from-text", "--catalog", "store.stubdb")
    #expect(refused.code == 1)
    let way =
      "rm texts/.stubdb-mirror && stubdb mirror texts --from-text --catalog store.stubdb"
    #expect(refused.err.contains("If store.stubdb has another name since: \(way)\n"))
    try manager.removeItem(at: box.folder.appendingPathComponent("texts/.stubdb-mirror"))
    #expect(
      try box.run("mirror", "texts", "--from-text", "--catalog", "store.stubdb")
        == CommandResult(err: "store.stubdb already had the same content.\n"))
  }

  @Test func aLinkToACatalogOrItsFolderIsTheSameCatalog() throws {
    let box = try Sandbox.shop()
    try box.must("mirror", "texts")
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: box.folder.appendingPathComponent("link.stubdb").path,
      withDestinationPath: "shop.stubdb")
    try manager.createSymbolicLink(
      atPath: box.folder.appendingPathComponent("seen").path, withDestinationPath: "texts")
    for (folder, catalog) in [("texts", "link.stubdb"), ("seen", "shop.stubdb")] {
      try box.must("mirror", folder, "--from-text", "--catalog", catalog)
      try box.must("mirror", folder, "--check", "--catalog", catalog)
    }
  }

  @Test func aDocumentThatIsALinkIsNeitherReplacedNorTakenForRemoved() throws {
    let box = try Sandbox.shop()
    try box.must("mirror", "texts")
    let manager = FileManager.default
    let document = box.folder.appendingPathComponent("texts/checkout/paid.json")
    try manager.moveItem(at: document, to: box.folder.appendingPathComponent("paid.json"))
    try manager.createSymbolicLink(
      atPath: document.path, withDestinationPath: "../../paid.json")
    for arguments in [[], ["--force"], ["--from-text"]] {
      let refused = try box.run(
        executable: Sandbox.binary,
        arguments: ["mirror", "texts"] + arguments + ["--catalog", "shop.stubdb"])
      #expect(refused.code == 1)
      #expect(refused.out == "")
      #expect(refused.err.contains("texts/checkout/paid.json"))
      #expect(refused.err.contains("symbolic link"))
      #expect(!refused.err.contains("Left alone"))
    }
    let checked = try box.run("mirror", "texts", "--check", "--catalog", "shop.stubdb")
    #expect(checked.code == 2)
    #expect(!checked.err.contains("Not part of the mirror"))
    #expect(try manager.destinationOfSymbolicLink(atPath: document.path) == "../../paid.json")
    #expect(try box.run("list").out.contains("checkout/paid"))
  }
}
