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
}
