import Foundation
import StubDBCatalog
import StubDBModel
import StubDBSupport
import Testing

/// Commands on a catalog that includes scenarios of another one, `payments`.
struct OtherCatalogTests {
  private static let documents = """
    [{"scenario": "card", "stubs": [{"key": "limits", "request": {"url": "https://pay.test/limits"}}]},
     {"scenario": "card/declined", "includes": ["card"], "stubs": [
       {"key": "charge", "request": {"method": "POST", "url": "https://pay.test/charges"},
        "responses": [{"status": 402}, {"status": 201}]}]}]
    """

  /// The shop, and a copy of the other catalog below it that is edited there.
  private func box(including: Bool = true) throws -> Sandbox {
    let box = try Sandbox.shop()
    try box.write("shared/.keep", "")
    try box.must("init", "shared/payments.stubdb")
    let added = try box.run(
      "add", "--file", "-", "--catalog", "shared/payments.stubdb", input: Self.documents)
    try #require(added.code == 0, "\(added)")
    try lock(box, path: "shared/payments.stubdb")
    if including { try box.must("set", "checkout/paid", "--include", "payments:card/declined") }
    return box
  }

  private func lock(_ box: Sandbox, path: String?) throws {
    let data = try Data(contentsOf: box.folder.appendingPathComponent("shared/payments.stubdb"))
    let digest = "sha256:" + SHA256Digest.hexadecimal(of: data)
    try box.write(
      "stubdb.lock",
      """
      {"version": 1, "catalogs": {"payments": {"url": "s3://stubs/payments", "commit": "\(digest)",
        "digest": "\(digest)", "bytes": \(data.count)\(path.map { ", \"path\": \"\($0)\"" } ?? "")}}}
      """)
  }

  @Test func theOtherCatalogIsShownAndAnswers() throws {
    let box = try box()
    #expect(
      try box.run("show", "checkout/paid").out.contains(
        "includes: session/signed-in, payments:card/declined\n"))
    let shown = try box.run("show", "checkout/paid", "--with-includes").out
    #expect(shown.contains("payments:card/declined\n") && shown.contains("payments:card\n"))
    #expect(try box.run("list").out.contains("checkout/paid      1+?"))
    #expect(try box.run("check").code == 0)
    let answer = try box.run("match", "checkout/paid", "POST", "https://pay.test/charges")
    #expect(
      answer.out.contains(
        "Stub charge of payments:card/declined, which checkout/paid includes, answers:"))
    #expect(
      answer.err.contains(
        "stubdb show card/declined charge --catalog shared/payments.stubdb shows all"))
    let json = try box.run("match", "checkout/paid", "GET", "https://pay.test/limits", "--json")
    #expect(json.out.contains(#""scenario": "payments:card""#))
    let exported = try box.run("export", "checkout/paid", "--format", "wiremock", "-o", "out")
    #expect(exported.code == 0 || exported.code == 2, "\(exported)")
    try box.must("rename", "session/signed-in", "session/ada")
    #expect(
      try box.run("show", "checkout/paid", "--json").out.contains(
        #""includes": ["session/ada", "payments:card/declined"]"#))
    try box.must("set", "checkout/paid", "--no-include", "payments:card/declined")
    #expect(try box.run("list").out.contains("checkout/paid  1+1"))
  }

  @Test func whatCheckWouldReportIsRefused() throws {
    let box = try box(including: false)
    func refusal(_ arguments: String...) throws -> String {
      let result = try box.run(executable: Sandbox.binary, arguments: arguments)
      #expect(result.code == 1 || result.code == 64, "\(result)")
      return result.err
    }
    let missing = try refusal("set", "checkout/paid", "--include", "payments:card/declin")
    #expect(missing.contains("the catalog payments ("))
    #expect(missing.contains("did you mean \"payments:card/declined\"?"))
    #expect(
      try refusal("add", "a/b", "--include", "users:ada").contains(
        "stubdb.lock names no catalog \"users\"; to add it: stubdb pull URL --as users"))
    let document = #"{"scenario": "a/b", "includes": ["payments:x"], "stubs": []}"#
    try box.write("a.json", document)
    #expect(try refusal("add", "--file", "a.json").contains("payments:x"))
    #expect(try refusal("set", "checkout/paid", "--include", "a:b:c").contains("after ':'"))
    #expect(
      try refusal("rename", "payments:card/declined", "x").contains(
        "it is a scenario of the catalog payments, which only includes can name"))
    try FileManager.default.removeItem(at: box.folder.appendingPathComponent("stubdb.lock"))
    #expect(
      try refusal("set", "checkout/paid", "--include", "payments:card").contains(
        "there is no stubdb.lock beside or above"))
    #expect(try box.run("list").out.contains("checkout/paid      1+1"))
  }

  @Test func aCatalogOfTheCacheIsReadByItsDigest() throws {
    let box = try box()
    try lock(box, path: nil)
    let cache = ["STUBDB_CACHE": box.folder.appendingPathComponent("cache").path]
    let source = box.folder.appendingPathComponent("shared/payments.stubdb")
    let hexadecimal = SHA256Digest.hexadecimal(of: try Data(contentsOf: source))
    let missing = try box.run("check", environment: cache)
    #expect(missing.code == 2)
    #expect(
      missing.out.contains("not in the cache of this machine yet; to get it: stubdb pull payments"))
    #expect(try box.run("show", "checkout/paid", "--with-includes", environment: cache).code == 1)
    // Nothing is needed to change the catalog itself.
    #expect(try box.run("tag", "checkout/paid", "--add", "slow", environment: cache).code == 0)
    let folder = box.folder.appendingPathComponent("cache/sha256/\(hexadecimal.prefix(2))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      at: source, to: folder.appendingPathComponent(String(hexadecimal.dropFirst(2))))
    #expect(try box.run("check", environment: cache).code == 0)
    let shown = try box.run("show", "checkout/paid", "--with-includes", environment: cache)
    #expect(shown.out.contains("payments:card/declined\n"))
  }

  @Test func whatIsPublishedIsIncludedOncePulled() throws {
    let owner = try self.box(including: false)
    let url = "file://\(owner.folder.path)/store/payments"
    try FileManager.default.removeItem(at: owner.folder.appendingPathComponent("stubdb.lock"))
    func push() throws {
      let pushed = try owner.run("push", url, "--catalog", "shared/payments.stubdb")
      #expect(pushed.code == 0, "\(pushed)")
    }
    try push()
    let reader = try Sandbox.shop()
    try reader.must("pull", url)
    try reader.must("set", "checkout/paid", "--include", "payments:card/declined")
    // Another machine, which has the two files from git.
    let cache = ["STUBDB_CACHE": reader.folder.appendingPathComponent("cache").path]
    let missing = try reader.run("show", "checkout/paid", "--with-includes", environment: cache)
    #expect(missing.code == 1 && missing.err.hasSuffix("to get it: stubdb pull payments\n"))
    #expect(try reader.run("pull", "payments", environment: cache).code == 0)
    let shown = try reader.run("show", "checkout/paid", "--with-includes", environment: cache)
    #expect(shown.out.contains("payments:card/declined\n"), "\(shown)")
    // The lock moves when the reader says so, and not before.
    try owner.must(
      "rename", "card/declined", "card/refused", "--catalog", "shared/payments.stubdb")
    try push()
    #expect(try reader.run("check").code == 0)
    let update = try reader.run("pull", "--update")
    #expect(
      update.err.contains(
        "shop.stubdb: checkout/paid includes payments:card/declined, which payments does not have any "
          + "more"), "\(update)")
    let check = try reader.run("check")
    #expect(check.code == 2)
    #expect(
      check.out.contains("has no scenario \"payments:card/declined\", which is included"),
      "\(check)")
  }

  @Test func coverageAndPruneKnowWhatIsUsedThroughAnInclude() throws {
    let box = try box()
    try box.mustGit(["init", "-q"])
    try box.write(
      ".stubdb/ledger/1.jsonl",
      """
      {"ledger":1,"process":"1","began":"2026-11-20T08:00:00Z"}
      {"ledger":1,"process":"1","catalog":"shop.stubdb","scenario":"checkout/paid","test":"Shop/pays()",\
      "used":{"payments:card/declined":["charge"]}}
      {"ledger":1,"process":"1","catalog":"shared/payments.stubdb","scenario":"card/declined",\
      "overlays":["card"],"test":"Shop/pays()","used":{"card/declined":["charge"]}}
      {"ledger":1,"process":"1","ended":true}

      """)
    let own = try box.run("coverage")
    #expect(own.code == 0 && !own.err.contains("no longer in the catalog"), "\(own)")
    let other = try box.run("coverage", "--catalog", "shared/payments.stubdb")
    #expect(other.out.contains("card/declined  charge  1  Shop/pays()"), "\(other)")
    let pruned = try box.run("prune", "--catalog", "shared/payments.stubdb")
    #expect(!pruned.out.contains("card/declined"), "\(pruned)")
  }

  @Test func gitMergesIncludesOfOtherCatalogs() throws {
    let box = try Sandbox.repository()
    try box.must("git", "install")
    try box.commit("Merge catalogs by meaning")
    let other = try self.box(including: false)
    for path in ["shared/payments.stubdb", "stubdb.lock"] {
      let target = box.folder.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: other.folder.appendingPathComponent(path), to: target)
    }
    try box.commit("Add the payments")
    try box.mustGit(["switch", "-q", "-c", "theirs"])
    try box.must("rename", "session/signed-in", "session/ada")
    try box.commit("Rename")
    try box.mustGit(["switch", "-q", "main"])
    try box.must("set", "checkout/paid", "--include", "payments:card/declined")
    let difference = try box.run("diff", environment: Sandbox.gitEnvironment)
    #expect(difference.out.contains("payments:card/declined"), "\(difference)")
    try box.commit("Include")
    let merge = try box.git("merge", "-q", "theirs")
    #expect(merge.code == 0, "\(merge)")
    #expect(
      try box.run("show", "checkout/paid").out.contains(
        "includes: session/ada, payments:card/declined\n"))
    #expect(try box.run("log", "checkout/paid", environment: Sandbox.gitEnvironment).code == 0)
  }

  @Test func requestsOfAFileArePlayedThroughAnInclude() throws {
    let box = try box()
    try box.write(
      "pay.http", "POST https://pay.test/charges\n\n###\nGET https://pay.test/limits\n")
    let played = try box.run("play", "checkout/paid", "pay.http")
    #expect(played.code == 0, "\(played)")
    #expect(played.out.contains("status 402  (charge of payments:card/declined)"), "\(played)")
    #expect(played.out.contains("(limits of payments:card)"), "\(played)")
  }

  @Test func aMirrorHasTheIncludesOfOtherCatalogs() throws {
    let box = try box()
    #expect(try box.run("mirror", "texts", "--catalog", "shop.stubdb").code == 0)
    let text = try box.read("texts/checkout/paid.json")
    #expect(
      text.contains(#""includes": ["session/signed-in", "payments:card/declined"]"#), "\(text)")
    try box.must("set", "checkout/paid", "--no-include", "payments:card/declined")
    #expect(try box.run("mirror", "texts", "--check").code == 2)
    let back = try box.run("mirror", "texts", "--from-text")
    #expect(back.code == 0 && back.out == "updated  checkout/paid\n", "\(back)")
    #expect(
      try box.run("show", "checkout/paid").out.contains(
        "includes: session/signed-in, payments:card/declined\n"))
    #expect(try box.run("mirror", "texts", "--check").code == 0)
  }

  @Test func theToolsOfModelsKnowIncludesOfOtherCatalogs() throws {
    let box = try box()
    func call(_ tool: String, _ arguments: String) throws -> String {
      let line =
        #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
      let result = try box.run("mcp", "--allow-writes", input: line + "\n")
      #expect(result.code == 0, "\(result)")
      return result.out
    }
    let matched = try call(
      "match",
      #"{"scenario":"checkout/paid","method":"POST","url":"https://pay.test/charges"}"#)
    #expect(matched.contains("payments:card/declined") && matched.contains("402"), "\(matched)")
    #expect(try call("show_scenario", #"{"scenario":"checkout/paid"}"#).contains("payments:card/"))
    #expect(try call("list_scenarios", "{}").contains("payments:card/declined"))
    func put(_ include: String) throws -> String {
      try call(
        "put_scenario",
        #"{"document":{"scenario":"a/b","includes":["\#(include)"],"stubs":[{"key":"k","request":{"url":"https://a.test/"}}]}}"#
      )
    }
    let refused = try put("payments:card/declin")
    #expect(
      refused.contains(#""isError":true"#) && refused.contains("payments:card/declined"),
      "\(refused)")
    let made = try put("payments:card/declined")
    #expect(!made.contains(#""isError":true"#), "\(made)")
    #expect(try box.run("match", "a/b", "GET", "https://pay.test/limits").code == 0)
  }
}
