import Foundation
import StubDBTestSupport
import Testing

/// Commands that succeed on a catalog that is damaged where they do not read it say so.
struct DamageElsewhereTests {
  private func project() throws -> Sandbox {
    let box = try Sandbox()
    try box.must("init", "shop.stubdb")
    try box.must("add", "a/good", "--method", "GET", "--url", "/good", "--key", "g", "--text", "t")
    try box.must(
      "add", "b/bad", "--method", "POST", "--url", "/charge-1", "--json",
      #"{"error": "card_declined"}"#)
    return box
  }

  /// Exchanges bytes of a file, whose digests stay as they are.
  private func exchange(_ old: String, by new: String, of name: String, in box: Sandbox) throws {
    let file = box.folder.appendingPathComponent(name)
    var data = try Data(contentsOf: file)
    var start = data.startIndex
    while let place = data.range(of: Data(old.utf8), in: start..<data.endIndex) {
      data.replaceSubrange(place, with: Data(new.utf8))
      start = place.upperBound
    }
    try #require(start > data.startIndex)
    try data.write(to: file)
  }

  @Test(arguments: [
    ["set", "a/good", "g", "--status", "201"], ["tag", "a/good", "--add", "smoke"],
    ["rename", "a/good", "a/better"], ["cp", "a/good", "a/other"], ["rm", "a/good"],
    ["add", "a/good", "--method", "GET", "--url", "/more"],
  ])
  func anEditOfAnotherScenarioSaysSo(words: [String]) throws {
    let box = try project()
    #expect(
      try !box.run(executable: Sandbox.binary, arguments: words).err.contains("is damaged"))
    let damaged = try project()
    try exchange("card_declined", by: "card_accepted", of: "shop.stubdb", in: damaged)
    let result = try damaged.run(executable: Sandbox.binary, arguments: words)
    #expect(
      result.code == 0 && result.err.hasPrefix("Warning: shop.stubdb is damaged: "), "\(result)")
    let check = try firstMatch(of: /\nTo see which: (.*)\n/, in: result.err).1
    #expect(check == "stubdb check")
    // The damage did not get a digest by the edit.
    let found = try damaged.shell(String(check))
    #expect(found.code == 2 && found.out.contains("b/bad"), "\(found)")
  }

  @Test(arguments: [
    ("card_declined", "card_accepted"), ("/charge-1", "/charge-2"),
  ])
  func aMergeOfWhatIsDamagedSaysSo(old: String, new: String) throws {
    let box = try project()
    for name in ["base", "ours", "theirs"] {
      try FileManager.default.copyItem(
        at: box.folder.appendingPathComponent("shop.stubdb"),
        to: box.folder.appendingPathComponent("\(name).stubdb"))
    }
    try box.must("tag", "a/good", "--add", "smoke", "--catalog", "theirs.stubdb")
    let files = ["base.stubdb", "ours.stubdb", "theirs.stubdb"]
    let whole = try box.run(
      executable: Sandbox.binary, arguments: ["merge"] + files + ["-o", "merged.stubdb"])
    #expect(whole.err == "Merged into merged.stubdb.\n")
    try exchange(old, by: new, of: "ours.stubdb", in: box)
    let words = ["git", "merge-driver"] + files + ["main.stubdb", "7"]
    let driven = try box.run(executable: Sandbox.binary, arguments: words)
    #expect(
      driven.code == 0 && driven.err.hasPrefix("Warning: main.stubdb is damaged where the "),
      "\(driven)")
    #expect(driven.err.hasSuffix("To see which: stubdb check --catalog main.stubdb\n"))
    let merged = try box.run(executable: Sandbox.binary, arguments: ["merge"] + files)
    #expect(merged.code == 0 && merged.err.contains("ours.stubdb is damaged where"), "\(merged)")
    let check = try firstMatch(of: /\nTo see which: (.*)\n/, in: merged.err).1
    let found = try box.shell(String(check))
    #expect(found.code == 2 && found.out.contains("b/bad"), "\(found)")
  }
}
