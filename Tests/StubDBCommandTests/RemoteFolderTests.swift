import Foundation
import StubDBTestSupport
import Testing

/// `stubdb push`, `pull` and `sync` with a folder as the store.
struct RemoteFolderTests {
  private let shared = Result { try Sandbox() }

  private var url: String {
    get throws { "file://\(try shared.get().folder.path)/store/shop" }
  }

  /// A project with a catalog of its own cache.
  private func project(_ text: String) throws -> Sandbox {
    let box = try Sandbox()
    try box.must("init", "shop.stubdb")
    try add("checkout/paid", text, in: box)
    return box
  }

  private func add(_ scenario: String, _ text: String, in box: Sandbox) throws {
    try box.must(
      "add", scenario, "--key", "pay", "--url", "https://api.shop.test/\(scenario)", "--text", text)
  }

  @Test func whatIsPushedIsPulled() throws {
    let url = try url
    let ada = try project("paid")
    let pushed = try ada.run("push", url)
    #expect(pushed.code == 0 && pushed.out == "", "\(pushed)")
    #expect(pushed.err.hasPrefix("Pushed shop.stubdb to \(url) as "))
    #expect(try ada.run("push").err.contains("has all of shop.stubdb already"))
    let bea = try Sandbox()
    let pulled = try bea.run("pull", url, "--path", "shop.stubdb")
    #expect(pulled.code == 0, "\(pulled)")
    #expect(
      try Data(contentsOf: bea.folder.appendingPathComponent("shop.stubdb"))
        == Data(contentsOf: ada.folder.appendingPathComponent("shop.stubdb")))
    #expect(try bea.read("stubdb.lock") == ada.read("stubdb.lock"))
    try add("orders/open", "open", in: bea)
    try add("orders/closed", "closed", in: ada)
    try bea.must("push", "--message", "Orders")
    let check = try ada.run("pull", "--check")
    #expect(check.code == 2 && check.out.hasPrefix("shop  locked: "), "\(check)")
    let both = try ada.run("sync")
    #expect(both.code == 0 && both.out == "+ orders/open (1 stub)\n", "\(both)")
    let update = try bea.run("pull", "--update")
    #expect(update.code == 0 && update.out == "+ orders/closed (1 stub)\n", "\(update)")
    #expect(try bea.run("push").err.contains("has all of"))
    let log = try bea.run("remote", "log")
    #expect(log.code == 0 && log.out.split(separator: "\n").count == 3, "\(log)")
    #expect(log.out.hasPrefix("* "))
  }

  /// A project, and another one that edits the same catalog.
  private func two() throws -> (ada: Sandbox, bea: Sandbox) {
    let (ada, bea) = (try project("paid"), try Sandbox())
    try ada.must("push", try url)
    try bea.must("pull", try url, "--path", "shop.stubdb")
    return (ada, bea)
  }

  @Test func aConflictIsSettledAsAfterAMergeOfGit() throws {
    let (ada, bea) = try two()
    try ada.must("set", "checkout/paid", "pay", "--response", "1", "--text", "from Ada")
    try bea.must("set", "checkout/paid", "pay", "--response", "1", "--text", "from Bea")
    try ada.must("push")
    let before = try shared.get().contents().map(\.path)
    let push = try bea.run("push")
    #expect(push.code == 2, "\(push)")
    #expect(push.err.contains(", but for 1 conflict.\nTo see them: stubdb resolve\n"), "\(push)")
    // Nothing was stored, and nothing is until it is settled.
    let again = try bea.run("push")
    #expect(again.code == 2 && again.err.contains("1 conflict to settle; nothing was pushed"))
    #expect(try bea.run("pull", "--update").code == 0)
    #expect(try bea.run("sync").code == 2)
    #expect(try shared.get().contents().map(\.path) == before)
    try bea.must("resolve", "--all", "--ours")
    #expect(try bea.run("push").code == 0)
    #expect(try ada.run("pull", "--update").out.contains("from Bea"))
  }

  @Test func aCatalogWithSecretsIsNotPushed() throws {
    let box = try project("paid")
    try box.must(
      "add", "session/open", "--url", "https://api.shop.test/me", "--header",
      "Authorization: Bearer ghp_16C7e42F292c6912E7710c838347Ae178B4a")
    let result = try box.run("push", try url)
    #expect(result.code == 1 && result.err.contains("in shop.stubdb; nothing was pushed"))
    #expect(result.err.contains("stubdb redact --findings"))
    #expect(!result.err.contains("ghp_"))
    #expect(try shared.get().contents().isEmpty)
    try box.must("scan", "--accept", "of a test")
    #expect(try box.run("push", try url).code == 0)
  }

  @Test func ofManyFirstPushesAtOnceOneIsPublished() throws {
    let boxes = try (0..<4).map { number in
      let box = try Sandbox()
      try box.must("init", "shop.stubdb")
      try add("orders/\(number)", "\(number)", in: box)
      return box
    }
    let started = try boxes.map { box in
      let process = Process()
      process.executableURL = Sandbox.binary
      process.arguments = ["push", try url]
      process.currentDirectoryURL = box.folder
      process.environment = box.base
      process.standardError = FileHandle.nullDevice
      try process.start()
      return process
    }
    for process in started { process.waitUntilExit() }
    #expect(started.map(\.terminationStatus).sorted() == [0, 1, 1, 1])
    for (box, process) in zip(boxes, started) where process.terminationStatus == 1 {
      #expect(try !box.contents().contains { $0.path == "stubdb.lock" })
      // What it was told, and would be told again, keeps both.
      let refused = try box.run("push", url)
      let hint = try firstMatch(of: /first: (stubdb pull .*)\n/, in: refused.err).1
      #expect(try box.shell(String(hint)).code == 0)
      try box.must("push")
    }
    let reader = try Sandbox()
    try reader.must("pull", try url, "--path", "shop.stubdb")
    #expect(try reader.run("list").out.split(separator: "\n").count == 4)
  }

  @Test func whatIsNotWhereTheLockSaysIsExplained() throws {
    let ada = try project("paid")
    try ada.must("push", try url)
    try FileManager.default.moveItem(
      at: ada.folder.appendingPathComponent("shop.stubdb"),
      to: ada.folder.appendingPathComponent("store.stubdb"))
    let push = try ada.run("push")
    #expect(push.code == 1, "\(push)")
    #expect(
      push.err.contains("If store.stubdb was shop.stubdb before: write its new path"), "\(push)")
    try ada.write(
      "stubdb.lock", ada.read("stubdb.lock").replacing("shop.stubdb", with: "store.stubdb"))
    #expect(try ada.run("push").code == 0)
    let pull = try ada.run("pull", "./store/shop")
    #expect(pull.code == 1 && pull.err.contains("that of a folder is file:// and"), "\(pull)")
  }

  @Test func frozenNeverNeedsTheStore() throws {
    let (ada, bea) = (try project("paid"), try Sandbox())
    try ada.must("push", try url)
    try bea.must("pull", try url)
    let store = try shared.get().folder.appendingPathComponent("store")
    try FileManager.default.moveItem(at: store, to: store.appendingPathExtension("away"))
    #expect(try bea.run("pull", "--frozen").code == 0)
    #expect(try bea.run("pull").code == 0)
    #expect(try bea.run("pull", "--update").code == 1)
    // Another machine has another cache.
    let other = try Sandbox(holding: bea.contents())
    let frozen = try other.run("pull", "--frozen")
    #expect(frozen.code == 1 && frozen.err.contains("To bring it: stubdb pull shop"), "\(frozen)")
    try FileManager.default.moveItem(at: store.appendingPathExtension("away"), to: store)
    #expect(try other.run("pull").err.hasPrefix("Downloaded shop, as of "))
    #expect(try other.run("pull", "--frozen").code == 0)
  }

  @Test func aCatalogThatIsOnlyReadIsListedAndShownByItsName() throws {
    let (ada, bea) = (try project("paid"), try Sandbox())
    try ada.must("push", try url)
    try bea.must("pull", try url, "--as", "payments")
    let none = try bea.run("list")
    #expect(none.code == 1, "\(none)")
    let hint = try firstMatch(of: /names: (--catalog payments)\n/, in: none.err).1
    for words in [
      "list", "show checkout/paid", "search paid", "export --format curl checkout/paid",
    ] {
      let result = try bea.shell("stubdb \(words) \(hint)")
      #expect(result.code == 0 && result.out.contains("checkout/paid"), "\(words): \(result)")
      #expect(!result.err.contains(".cache"), "\(words): \(result)")
    }
    for words in ["add a/b --url /x", "set checkout/paid pay --status 500", "remove checkout/paid"]
    {
      let result = try bea.shell("stubdb \(words) --catalog payments")
      #expect(result.code == 1, "\(words): \(result)")
      #expect(
        result.err.contains("stubdb pull payments --path payments.stubdb"), "\(words): \(result)")
    }
    #expect(try bea.run("pull", "--frozen").code == 0)
    // A folder of that name, as one with its tests, is no catalog, and so does not hide it.
    try bea.write("payments/note", "")
    try bea.write("other/note", "")
    try bea.must("show", "checkout/paid", "--catalog", "payments")
    #expect(try bea.run("list", "--catalog", "other").err.contains("it is a folder"))
    let other = try Sandbox(holding: bea.contents())
    let missing = try other.run("list", "--catalog", "payments")
    #expect(missing.code == 1 && missing.err.contains("stubdb pull payments\n"), "\(missing)")
  }

  @Test func aTornFileOfTheCacheIsBroughtAnew() throws {
    let (ada, bea) = (try project("paid"), try Sandbox())
    try ada.must("push", try url)
    try bea.must("pull", try url)
    let listed = try bea.run("cache", "list", "--json")
    #expect(listed.code == 0 && listed.out.contains("sha256:"))
    let shell = "find ../.cache/stubdb/sha256 -type f -exec chmod u+w {} + "
    let torn = try bea.shell(
      shell + "&& find ../.cache/stubdb/sha256 -type f -exec cp /dev/null {} \\;")
    #expect(torn.code == 0, "\(torn)")
    #expect(try bea.run("pull", "--frozen").code == 1)
    #expect(try bea.run("pull").code == 0)
    #expect(try bea.run("pull", "--frozen").code == 0)
  }

  @Test func commitsAreShownAndGotBack() throws {
    let (ada, _) = try two()
    let first = try Data(contentsOf: ada.folder.appendingPathComponent("shop.stubdb"))
    try add("orders/open", "open", in: ada)
    try ada.must("push", "--message", "Orders can be open")
    let log = try ada.run("remote", "log", "shop", "--json")
    let hits = log.out.matches(of: /"commit": "sha256:([0-9a-f]{64})"/).map { String($0.1) }
    #expect(hits.count == 2 && log.out.contains("Orders can be open"), "\(log)")
    let shown = try ada.run("remote", "show")
    #expect(shown.out.hasSuffix("Orders can be open\n+ orders/open (1 stub)\n"), "\(shown)")
    let older = try ada.run(
      "remote", "show", "shop", String(hits[1].prefix(8)), "--output", "first.stubdb")
    #expect(older.code == 0 && older.out.hasSuffix("+ checkout/paid (1 stub)\n"), "\(older)")
    #expect(try Data(contentsOf: ada.folder.appendingPathComponent("first.stubdb")) == first)
    let again = ["remote", "show", "shop", String(hits[1].prefix(8)), "--output"]
    #expect(
      try ada.run(executable: Sandbox.binary, arguments: again + ["first.stubdb"]).code == 0)
    let mine = try Data(contentsOf: ada.folder.appendingPathComponent("shop.stubdb"))
    let refused = try ada.run(executable: Sandbox.binary, arguments: again + ["shop.stubdb"])
    #expect(
      refused
        == CommandResult(
          err: """
            Error: "shop.stubdb" is there with other content; nothing was written
            To replace it, remove it first

            """, code: 1))
    #expect(try Data(contentsOf: ada.folder.appendingPathComponent("shop.stubdb")) == mine)
    let list = try ada.run("remote", "list", "file://\(shared.get().folder.path)/store/")
    #expect(list.out == "shop  \(try url)\n", "\(list)")
    let kept = try ada.run("cache", "prune", "--unused-for", "0")
    #expect(kept.code == 0 && kept.err.hasPrefix("Removed "), "\(kept)")
    #expect(try ada.run("cache", "list").out.split(separator: "\n").count == 2)
  }

  /// Kills a command again and again at any point, and then lets it end.
  private func kill(_ words: [String], in box: Sandbox, rounds: Int) throws {
    var random = SeededRandom(seed: 7)
    for _ in 0..<rounds {
      let process = Process()
      process.executableURL = Sandbox.binary
      process.arguments = words
      process.currentDirectoryURL = box.folder
      process.environment = box.base
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.start()
      usleep(UInt32(random.next() % 60_000))
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      #expect(try box.run("check", "--catalog", "shop.stubdb").code == 0)
    }
    let result = try box.run(executable: Sandbox.binary, arguments: words)
    #expect(result.code == 0, "\(result)")
  }

  @Test func aKilledPushOrPullIsDoneByTheNextOne() throws {
    let (ada, bea) = try two()
    for number in 0..<3 {
      try add("orders/\(number)", "ada", in: ada)
      try add("returns/\(number)", "bea", in: bea)
      try kill(["push"], in: ada, rounds: 4)
      try kill(["pull", "--update"], in: bea, rounds: 4)
      try kill(["push"], in: bea, rounds: 4)
      try kill(["pull", "--update"], in: ada, rounds: 2)
    }
    let lists = try [ada, bea].map { try $0.run("list").out }
    #expect(lists[0] == lists[1] && lists[0].split(separator: "\n").count == 7, "\(lists)")
    #expect(try ada.run("push").err.contains("has all of"))
    let files = try ada.contents().map(\.path) + bea.contents().map(\.path)
    #expect(files.allSatisfy { ["shop.stubdb", "stubdb.lock"].contains($0) }, "\(files)")
  }

  @Test func whatIsInTheCacheNeedsNoPlaceToWrite() throws {
    let (ada, bea) = (try project("paid"), try Sandbox())
    try ada.must("push", try url)
    let cache = bea.folder.deletingLastPathComponent().appendingPathComponent("cache")
    let environment = ["STUBDB_CACHE": cache.path]
    #expect(try bea.run("pull", url, environment: environment).code == 0)
    // As in an image, in which no lock can be made.
    try FileManager.default.removeItem(at: cache.appendingPathComponent("locks"))
    try Data().write(to: cache.appendingPathComponent("locks"))
    for words in [["pull"], ["pull", "shop"], ["pull", "--frozen"], ["pull", "--check"]] {
      let result = try bea.run(
        executable: Sandbox.binary, arguments: words, environment: environment)
      #expect(result.code == 0, "\(result)")
    }
    let update = try bea.run("pull", "--update", environment: environment)
    #expect(update.code == 1 && update.err.contains("export STUBDB_CACHE=PATH"), "\(update)")
  }

  @Test func whatAStoreLostIsSaidAfterWhatItHas() throws {
    let ada = try project("paid")
    try ada.must("push", try url)
    let first = try firstMatch(of: /"commit": "sha256:(\w+)"/, in: ada.read("stubdb.lock")).1
    try add("orders/open", "open", in: ada)
    try ada.must("push")
    // Somebody has old objects removed after some time.
    let store = try shared.get().folder.appendingPathComponent("store")
    let object = "objects/sha256/\(first.prefix(2))/\(first.dropFirst(2)).json"
    try FileManager.default.removeItem(at: store.appendingPathComponent(object))
    let reader = try Sandbox()
    try reader.must("pull", try url)
    let log = try reader.run("remote", "log")
    #expect(log.code == 1 && log.out.hasPrefix("* "), "\(log)")
    #expect(log.err.contains("does not have the commit sha256:\(first)"), "\(log)")

    // A pointer that nothing can be read from says how to go on.
    try Data().write(to: store.appendingPathComponent("shop.json"))
    let push = try ada.run("push")
    #expect(push.code == 1 && push.err.contains("remove shop.json from the store"), "\(push)")
    try FileManager.default.removeItem(at: store.appendingPathComponent("shop.json"))
    try FileManager.default.removeItem(at: ada.folder.appendingPathComponent("stubdb.lock"))
    #expect(try ada.run("push", url).code == 0)
  }

  @Test func nothingIsWrittenOutsideOfTheProject() throws {
    let (ada, bea) = (try project("paid"), try project("other"))
    try ada.must("push", try url)
    let before = try Data(contentsOf: bea.folder.appendingPathComponent("shop.stubdb"))
    try bea.write("inner/.git/HEAD", "")
    for path in ["../shop.stubdb", "../new.stubdb", "bad\u{1B}.stubdb"] {
      let pull = try bea.run("pull", url, "--path", path, in: "inner")
      #expect(pull.code == 1, "\(pull)")
    }
    #expect(
      try bea.contents().map(\.path) == ["inner", "inner/.git", "inner/.git/HEAD", "shop.stubdb"])
    #expect(try Data(contentsOf: bea.folder.appendingPathComponent("shop.stubdb")) == before)
  }
}
