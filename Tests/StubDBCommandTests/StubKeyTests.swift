import Foundation
import Testing

/// Two keys that compose a character differently are two keys, for every command.
struct StubKeyTests {
  private let composed = "caf\u{E9}"
  private let decomposed = "cafe\u{301}"

  private func sandbox() throws -> Sandbox {
    let box = try Sandbox.shop()
    for (key, path) in [(composed, "/1"), (decomposed, "/2")] {
      let added = try box.run("add", "a/b", "--key", key, "--url", path)
      #expect(added.code == 0, "\(added)")
    }
    return box
  }

  @Test func bothAreKeptAndShown() throws {
    let box = try sandbox()
    for (key, path) in [(composed, "/1"), (decomposed, "/2")] {
      let shown = try box.run("show", "a/b", key)
      #expect(shown.code == 0 && shown.out.contains(path), "\(shown)")
    }
    #expect(try box.run("check").code == 0)
    let document = try box.run("show", "a/b", "--json").out
    try box.write("a.json", document)
    #expect(try box.run("add", "--file", "a.json", "--replace").code == 0)
    #expect(try box.run("show", "a/b", "--json").out == document)
  }

  @Test func oneIsRenamedReplacedAndRemovedWithoutTheOther() throws {
    let box = try sandbox()
    let taken = try box.run("rename", "a/b", "--key", composed, decomposed)
    #expect(taken.code == 1 && taken.err.contains("already has a stub"), "\(taken)")
    #expect(try box.run("set", "a/b", decomposed, "--status", "204").code == 0)
    #expect(try box.run("rename", "a/b", "--key", composed, "tea").code == 0)
    #expect(try box.run("show", "a/b", "tea").out.contains("/1"))
    #expect(try box.run("rename", "a/b", "--key", "tea", composed).code == 0)
    #expect(try box.run("rm", "a/b", composed).code == 0)
    let left = try box.run("show", "a/b", "--json").out
    #expect(left.contains("/2") && left.contains("204") && !left.contains("/1"), "\(left)")
    // The other way of writing is another key now.
    #expect(try box.run("show", "a/b", composed).code == 1)
    #expect(try box.run("rename", "a/b", "--key", decomposed, composed).code == 0)
    #expect(try box.run("show", "a/b", composed).out.contains("/2"))
  }
}
