import Foundation
import StubDBTestSupport
import Testing

struct UndoTests {
  /// Outside of git, which would be found above the build folder.
  private func show(_ box: Sandbox) throws -> String { try box.run("list").out }

  /// The folder of the only catalog.
  private func slot(_ box: Sandbox) throws -> URL {
    let root = box.folder.deletingLastPathComponent()
    let caches = ["/.cache/stubdb", "/Library/Caches/stubdb"].map { root.path + $0 }
    let cache = try #require(caches.first(where: FileManager.default.fileExists))
    let undo = URL(fileURLWithPath: "\(cache)/undo-\(getuid())")
    let names = try FileManager.default.contentsOfDirectory(atPath: undo.path)
    return undo.appendingPathComponent(try #require(names.first))
  }

  private func copies(_ box: Sandbox) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: slot(box).path)
      .filter { $0.hasSuffix(".stubdb") }
  }

  private func permissions(_ url: URL) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }

  @Test func undoBringsBackAndIsUndone() throws {
    let box = try Sandbox.shop()
    let before = try show(box)
    try box.must("remove", "checkout/paid")
    let after = try show(box)
    let undo = try box.run("undo")
    #expect(undo.code == 0 && undo.out == "", "\(undo)")
    #expect(undo.err.hasPrefix("Undoing stubdb remove checkout/paid ("), "\(undo)")
    #expect(
      undo.err.hasSuffix(
        ") changes shop.stubdb:\n+ checkout/paid (1 stub)\nUndone.\nTo have it again: stubdb undo\n"
      ),
      "\(undo)")
    #expect(try show(box) == before)
    #expect(try box.run("undo").code == 0)
    #expect(try show(box) == after && before != after)
  }

  @Test func theCopyIsPrivateAndTheOnlyOne() throws {
    let box = try Sandbox.shop()
    try box.must("tag", "checkout/paid", "--add", "one")
    try box.must("tag", "checkout/paid", "--add", "two")
    let slot = try slot(box)
    let copy = try #require(try copies(box).first)
    #expect(try copies(box).count == 1)
    #expect(try permissions(slot) == 0o700)
    #expect(try permissions(slot.deletingLastPathComponent()) == 0o700)
    #expect(try permissions(slot.appendingPathComponent(copy)) == 0o600)
    #expect(try permissions(slot.appendingPathComponent("record.json")) == 0o600)
    // The catalog has the permissions that it had.
    #expect(try permissions(box.folder.appendingPathComponent("shop.stubdb")) == 0o644)
  }

  @Test func whatSomethingElseChangedIsNotLost() throws {
    let box = try Sandbox.shop()
    let catalog = box.folder.appendingPathComponent("shop.stubdb")
    let first = try Data(contentsOf: catalog)
    try box.must("tag", "checkout/paid", "--add", "one")
    try box.must("tag", "checkout/paid", "--add", "two", "--catalog", "shop.stubdb")
    let kept = try Data(contentsOf: catalog)
    // As git checkout does.
    try first.write(to: catalog)
    let refused = try box.run("undo")
    #expect(refused.code == 1 && refused.err.contains("was changed since"), "\(refused)")
    #expect(try Data(contentsOf: catalog) == first)
    #expect(try box.shell("stubdb undo --force").code == 0)
    #expect(try box.run("list", "--json").out.contains("\"one\""))
    // The undo kept what it replaced.
    #expect(try box.run("undo").code == 0)
    #expect(try Data(contentsOf: catalog) == first && first != kept)
  }

  @Test func whoeverDoesNotWantACopyHasNone() throws {
    let box = try Sandbox.shop()
    try box.must("tag", "checkout/paid", "--add", "one")
    try box.must("tag", "checkout/paid", "--add", "two", "--no-undo")
    let nothing = try box.run("undo")
    #expect(nothing.code == 1 && nothing.err.contains("there is nothing to undo"), "\(nothing)")
    #expect(
      try box.run(
        "tag", "checkout/paid", "--add", "three", environment: ["STUBDB_UNDO": "never"]
      ).code == 0)
    #expect(try box.run("undo").code == 1)
    // What redact takes out is in no copy.
    try box.must("add", "a/b", "--url", "https://x.test/", "--json", #"{"t": "Bearer abc"}"#)
    try box.must("redact", "--regex", "Bearer [a-z]+")
    #expect(try box.run("undo").code == 1)
  }

  @Test func aDryRunChangesNothing() throws {
    let box = try Sandbox.shop()
    try box.must("remove", "checkout/paid")
    let after = try show(box)
    let result = try box.run("undo", "--dry-run")
    #expect(
      result.code == 0 && result.err.hasSuffix("changes shop.stubdb:\n+ checkout/paid (1 stub)\n"),
      "\(result)")
    #expect(try show(box) == after)
  }

  @Test func aLinkThatAKilledCommandLeftIsNoHindrance() throws {
    let box = try Sandbox.shop()
    try box.must("tag", "checkout/paid", "--add", "one")
    let left = try slot(box).appendingPathComponent("left.stubdb")
    try FileManager.default.linkItem(
      at: box.folder.appendingPathComponent("shop.stubdb"), to: left)
    let result = try box.run("tag", "checkout/paid", "--add", "two")
    #expect(result.code == 0, "\(result)")
    #expect(try copies(box).count == 1)
  }
}
