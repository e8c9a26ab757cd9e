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
      entry = {"bytes": len(data), "commit": name, "digest": commit["catalog"], "path": "a/shop.stubdb",
          "url": f"file://{store}/{kind}"}
      print(json.dumps({"catalogs": {kind: entry}, "version": 1}))
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
      let read = try box.run("pull", other)
      #expect(read.code == 1 && read.err.contains(problem), "\(read)")
      #expect(try box.contents().isEmpty)
      try box.write("stubdb.lock", made.out)
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

  @Test func whatWasChangedByHandIsExplained() throws {
    let (box, store) = try project()
    let lock = try box.read("stubdb.lock")
    let url = "file://\(store.path)/shop"
    let back = "To have it as it was: git checkout -- stubdb.lock\n"
    for (old, new, message, hint) in [
      (url, "https://ada:hidden@h.test/shop", "credentials do not belong into a URL", back),
      (url, "https://h.test/shop?token=hidden", "has a query, which is for s3:// only", back),
      (url, "file://\(store.path)/", "ends with a slash, and names no catalog", back),
      ("a/shop.stubdb", "a/../shop.stubdb", "must lead to a file below the lock file", back),
      ("\"version\": 1", "\"version\": 2", "is not of version 1, the only one", "A newer stubdb"),
      ("\"version\": 1", "\"version\": 1,", "is not JSON: ", back),
      ("\"catalogs\"", "\"Catalogs\"", "stubdb.lock", back),
    ] {
      try box.write("stubdb.lock", lock.replacing(old, with: new))
      for words in [
        ["pull"], ["pull", "--check"], ["push"], ["remote", "list"], ["key", "list"],
      ] {
        let options = words == ["push"] ? ["--catalog", "a/shop.stubdb"] : []
        let result = try box.run(executable: Sandbox.binary, arguments: words + options)
        #expect(result.code == 1 && result.err.contains(message), "\(result)")
        #expect(result.err.contains(hint), "\(result)")
        #expect(!(result.out + result.err).contains("hidden"), "\(result)")
      }
    }
    // A path that is written in another way is the same one.
    try box.write("stubdb.lock", lock.replacing("a/shop.stubdb", with: "./a//shop.stubdb"))
    let push = try box.run("push", "--catalog", "a/shop.stubdb")
    #expect(push.code == 0 && push.err.contains("has all of a/shop.stubdb"), "\(push)")
    // A folder is no catalog.
    try box.write("folder.stubdb/x", "")
    try box.write("stubdb.lock", lock.replacing("a/shop.stubdb", with: "folder.stubdb"))
    let pull = try box.run("pull")
    #expect(pull.code == 1 && pull.err.contains("cannot write folder.stubdb"), "\(pull)")
  }

  @Test func aConflictOfGitInALockFileIsSettledAsItSays() throws {
    let (ada, store) = try project()
    let bea = try Sandbox.repository()
    try bea.must("pull", "file://\(store.path)/shop")
    try bea.commit("Lock")
    try bea.mustGit(["switch", "-q", "-c", "theirs"])
    for branch in ["theirs", "main"] {
      try ada.must("tag", "checkout/paid", "--add", branch, "--catalog", "a/shop.stubdb")
      try ada.must("push", "--catalog", "a/shop.stubdb")
      if branch == "main" { try bea.mustGit(["switch", "-q", "main"]) }
      try bea.must("pull", "--update")
      try bea.commit(branch)
    }
    #expect(try bea.git("merge", "-q", "theirs").code == 1)
    let pull = try bea.run("pull")
    #expect(pull.code == 1, "\(pull)")
    let hint = try firstMatch(of: /is lost: (stubdb pull --update)\n/, in: pull.err).1
    let update = try bea.shell(String(hint), environment: Sandbox.gitEnvironment)
    #expect(update.code == 0 && update.err.contains("the older of both commits"), "\(update)")
    let add = try firstMatch(of: /is merged: (git add stubdb\.lock)\n/, in: update.err).1
    #expect(try bea.shell(String(add), environment: Sandbox.gitEnvironment).code == 0)
    #expect(try bea.run("pull", "--update").err.contains("has the newest commit"))
  }
}
