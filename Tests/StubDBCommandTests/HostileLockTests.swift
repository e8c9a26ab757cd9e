import Foundation
import StubDBTestSupport
import Testing

/// Lock files and stores of somebody who wants something else than to share a catalog.
struct HostileLockTests {
  /// A project that a published catalog was pulled into, and its store.
  private func project() throws -> (box: Sandbox, store: URL) {
    let ada = try Sandbox.shop()
    let box = try Sandbox()
    let store = box.folder.deletingLastPathComponent().appendingPathComponent("store")
    let pushed = try ada.run("push", "file://\(store.path)/shop")
    try #require(pushed.code == 0, "\(pushed)")
    let pulled = try box.run("pull", "file://\(store.path)/shop", "--path", "a/shop.stubdb")
    try #require(pulled.code == 0, "\(pulled)")
    return (box, store)
  }

  @Test func aLockFileChoosesNoOtherFileToWrite() throws {
    let (box, _) = try project()
    let lock = try box.read("stubdb.lock")
    let outside = box.folder.deletingLastPathComponent().appendingPathComponent("outside")
    try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: box.folder.appendingPathComponent("link"), withDestinationURL: outside)
    for path in [
      "link/shop.stubdb", "link/new/shop.stubdb", ".bashrc", ".git/hooks/post-checkout", ".stubdb",
      "../shop.stubdb", "/tmp/shop.stubdb", "\\u001b[2Jshop.stubdb",
    ] {
      try box.write("stubdb.lock", lock.replacing("a/shop.stubdb", with: path))
      for words in [["pull"], ["pull", "--update"], ["sync"]] {
        let result = try box.run(executable: Sandbox.binary, arguments: words)
        #expect(result.code == 1 && !result.err.contains("\u{1B}"), "\(path): \(result)")
      }
      #expect(!FileManager.default.fileExists(atPath: box.folder.path + "/" + path))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == [])
    // A folder that is missing is made, and a link within the project is followed.
    try box.write("stubdb.lock", lock.replacing("a/shop.stubdb", with: "b/c/shop.stubdb"))
    #expect(try box.run("pull").code == 0)
    try FileManager.default.createSymbolicLink(
      atPath: box.folder.path + "/inside", withDestinationPath: "b")
    try box.write("stubdb.lock", lock.replacing("a/shop.stubdb", with: "inside/shop.stubdb"))
    #expect(try box.run("pull").code == 0)
  }

  @Test func whatIsNoCatalogOfThisVersionIsNotWritten() throws {
    let (project, store) = try project()
    // The store is removed together with the project's sandbox.
    defer { withExtendedLifetime(project) {} }
    let url = "file://\(store.path)/shop"
    // A commit of other bytes: a text, or a catalog with another version in the header of SQLite.
    let script = """
      import hashlib, json, os, sys
      store, kind = sys.argv[1:]
      def put(data, ending):
          name = hashlib.sha256(data).hexdigest()
          os.makedirs(f"{store}/objects/sha256/{name[:2]}", exist_ok=True)
          open(f"{store}/objects/sha256/{name[:2]}/{name[2:]}.{ending}", "wb").write(data)
          return "sha256:" + name
      def read(name, ending):
          return open(f"{store}/objects/sha256/{name[7:9]}/{name[9:]}.{ending}", "rb").read()
      commit = json.loads(read(json.load(open(f"{store}/shop.json"))["commit"], "json"))
      data = read(commit["catalog"], "stubdb")
      data = b"#!/bin/sh" if kind == "text" else data[:60] + bytes([0, 0, 3, 231]) + data[64:]
      commit.update(catalog=put(data, "stubdb"), bytes=len(data))
      name = put(json.dumps(commit).encode(), "json")
      json.dump({"commit": name, "version": 1}, open(f"{store}/{kind}.json", "w"))
      """
    for (kind, problem) in [("text", "not"), ("newer", "install a newer stubdb")] {
      let box = try Sandbox()
      let made = try box.run(
        executable: URL(fileURLWithPath: "/usr/bin/env"),
        arguments: ["python3", "-c", script, store.path, kind])
      try #require(made.code == 0, "\(made)")
      let other = url.replacing("/shop", with: "/\(kind)")
      let result = try box.run("pull", other, "--path", "a/shop.stubdb")
      #expect(result.code == 1, "\(result)")
      #expect(
        result.err.hasPrefix(
          "Error: a/shop.stubdb was not written, because what is published cannot be used: "),
        "\(result)")
      #expect(result.err.contains(problem), "\(result)")
      #expect(try box.contents().isEmpty)
      // The same with a lock file that somebody else has made.
      try #require(try box.run("pull", other).code == 0)
      let lock = try box.read("stubdb.lock")
      try box.write(
        "stubdb.lock", lock.replacing("\"url\"", with: "\"path\": \"a/shop.stubdb\", \"url\""))
      let locked = try box.run("pull")
      #expect(locked.code == 1 && locked.err.contains(problem), "\(locked)")
      #expect(try box.contents().map(\.path) == ["stubdb.lock"])
    }
  }

  @Test func nothingOfALockFileOrAStoreMovesTheCursor() throws {
    let (box, store) = try project()
    let lock = try box.read("stubdb.lock")
    let url = "file://\(store.path)/shop"
    try box.write("stubdb.lock", lock.replacing(url, with: "file:///\\u001b[2J/shop"))
    for words in [["remote", "list"], ["pull", "--update"]] {
      let result = try box.run(executable: Sandbox.binary, arguments: words)
      #expect(result.code == 1 && !result.err.contains("\u{1B}"), "\(result)")
    }
    try box.write("stubdb.lock", lock)
    // A commit whose texts are orders to a terminal.
    let script = """
      import hashlib, json, os, sys
      store, escape = sys.argv[1], "\\x1b[2J"
      head = json.load(open(f"{store}/shop.json"))["commit"].split(":")[1]
      commit = json.load(open(f"{store}/objects/sha256/{head[:2]}/{head[2:]}.json"))
      commit.update(at=escape, by=escape, message=escape, parent="sha256:" + head)
      data = json.dumps(commit).encode()
      name = hashlib.sha256(data).hexdigest()
      os.makedirs(f"{store}/objects/sha256/{name[:2]}", exist_ok=True)
      open(f"{store}/objects/sha256/{name[:2]}/{name[2:]}.json", "wb").write(data)
      json.dump({"commit": "sha256:" + name, "version": 1}, open(f"{store}/shop.json", "w"))
      """
    let made = try box.run(
      executable: URL(fileURLWithPath: "/usr/bin/env"),
      arguments: ["python3", "-c", script, store.path])
    try #require(made.code == 0, "\(made)")
    for words in [["remote", "log"], ["remote", "show"], ["pull", "--update"]] {
      let result = try box.run(executable: Sandbox.binary, arguments: words)
      #expect(result.code == 0, "\(result)")
      #expect(!result.out.contains("\u{1B}") && !result.err.contains("\u{1B}"), "\(result)")
    }
    let hostile = store.appendingPathComponent("\u{1B}[2J.json")
    try Data().write(to: hostile)
    let list = try box.run("remote", "list", "file://\(store.path)/")
    #expect(list.code == 0 && list.out.contains("[2J"), "\(list)")
    #expect(!list.out.contains("\u{1B}"), "\(list)")
  }
}
