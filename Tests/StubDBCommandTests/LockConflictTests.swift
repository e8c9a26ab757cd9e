import Foundation
import StubDBTestSupport
import Testing

/// A lock file that does not belong to its catalog: after a merge of git, or after a process was killed between the two.
struct LockConflictTests {
  /// A repository with a branch `x` on which `x/x` was pushed, and a branch `y` from the same commit on which `y/y` was.
  private func diverged() throws -> Sandbox {
    let box = try Sandbox()
    try box.mustGit(["init", "-q", "-b", "main", "--template="])
    try box.must("init", "shop.stubdb")
    try add("a/base", in: box)
    let store = box.folder.deletingLastPathComponent().appendingPathComponent("store")
    try box.must("push", "file://\(store.path)/shop")
    try box.commit("Base")
    for branch in ["x", "y"] {
      try box.mustGit(["switch", "-q", "-c", branch, "main"])
      try add("\(branch)/\(branch)", in: box)
      try box.must("push")
      try box.commit(branch)
    }
    return box
  }

  private func add(_ scenario: String, in box: Sandbox) throws {
    try box.must("add", scenario, "--url", "https://api.shop.test/\(scenario)", "--text", "a")
  }

  private func published(_ box: Sandbox) throws -> [String] {
    try box.must("remote", "show", "shop", "--output", "../published.stubdb")
    defer {
      try? FileManager.default.removeItem(atPath: box.folder.path + "/../published.stubdb")
    }
    let list = try box.run("list", "--catalog", "../published.stubdb")
    return list.out.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
  }

  @Test(arguments: [("x", "y"), ("y", "x")])
  func whatGitLeftInALockFileLosesNoScenario(ours: String, theirs: String) throws {
    let box = try diverged()
    try box.mustGit(["switch", "-q", ours])
    #expect(try box.git("merge", "-q", theirs).code == 1)
    let push = try box.run("push", environment: Sandbox.gitEnvironment)
    #expect(push.code == 1 && push.err.contains("git left both versions in it"), "\(push)")
    let hint = try firstMatch(of: /is lost: (stubdb pull --update)\n/, in: push.err).1
    let pull = try box.shell(String(hint), environment: Sandbox.gitEnvironment)
    #expect(pull.code == 0 && pull.err.contains("the older of both commits"), "\(pull)")
    let told = try firstMatch(of: /are merged: (git add .*)\n/, in: pull.err).1
    #expect(told == "git add stubdb.lock shop.stubdb")
    #expect(try box.shell(String(told), environment: Sandbox.gitEnvironment).code == 0)
    try box.mustGit(["commit", "-q", "-m", "Merge"])
    try add("x/more", in: box)
    let pushed = try box.run("push", environment: Sandbox.gitEnvironment)
    #expect(pushed.code == 0 && pushed.err.hasPrefix("+ x/more (1 stub)\nPushed "), "\(pushed)")
    #expect(try published(box) == ["a/base", "x/more", "x/x", "y/y"])
  }

  /// Both branches have what is in no store, which a merge with the store cannot bring.
  @Test func whatWasNotPushedIsMergedByTheCommandsThatArePrinted() throws {
    let box = try diverged()
    try commitUnpushed(in: box) { try add("local/\($0)", in: box) }
    let merged = try mergedAsPrinted(in: box)
    #expect(merged.code == 0, "\(merged)")
    let told = try firstMatch(of: /\nTo tell .* are merged: (git add .*)\n/, in: merged.err).1
    #expect(told == "git add stubdb.lock shop.stubdb")
    #expect(try box.shell(String(told), environment: Sandbox.gitEnvironment).code == 0)
    try box.mustGit(["commit", "-q", "-m", "Merge"])
    #expect(try box.run("push", environment: Sandbox.gitEnvironment).code == 0)
    #expect(try published(box) == ["a/base", "local/x", "local/y", "x/x", "y/y"])
  }

  @Test func conflictsAreSettledBeforeGitIsTold() throws {
    let box = try diverged()
    let key = try firstMatch(of: /"key": "(.*)"/, in: box.run("show", "a/base", "--json").out).1
    try commitUnpushed(in: box) { branch in
      try box.must("set", "a/base", String(key), "--response", "1", "--text", branch)
    }
    let merged = try mergedAsPrinted(in: box)
    #expect(merged.code == 2 && merged.err.contains("has 1 conflict to settle"), "\(merged)")
    let resolve = try firstMatch(of: /settle them: (stubdb resolve)\n/, in: merged.err).1
    let told = try firstMatch(of: /\nThen, to tell .* are merged: (git add .*)\n/, in: merged.err).1
    for command in ["\(resolve) --all --ours", String(told), "git commit -q -m Merge"] {
      let result = try box.shell(command, environment: Sandbox.gitEnvironment)
      #expect(result.code == 0, "\(command): \(result)")
    }
    let push = try box.run("push", environment: Sandbox.gitEnvironment)
    #expect(push.code == 0, "\(push)")
    #expect(try published(box) == ["a/base", "x/x", "y/y"])
  }

  /// Edits each branch without a push.
  private func commitUnpushed(in box: Sandbox, _ edit: (String) throws -> Void) throws {
    for branch in ["y", "x"] {
      try box.mustGit(["switch", "-q", branch])
      try edit(branch)
      try box.commit("Edit \(branch)")
    }
  }

  /// Merges the branch `y` into `x`, with the commands that `pull --update` prints.
  private func mergedAsPrinted(in box: Sandbox) throws -> CommandResult {
    #expect(try box.git("merge", "-q", "y").code == 1)
    let pull = try box.run("pull", "--update", environment: Sandbox.gitEnvironment)
    #expect(pull.code == 0 && pull.err.contains("git has not merged shop.stubdb: "), "\(pull)")
    let merge = try firstMatch(of: /edited since: (stubdb git install && .*)\n/, in: pull.err).1
    return try box.shell(String(merge), environment: Sandbox.gitEnvironment)
  }

  @Test func aLockFileThatCannotBeUsedIsTheReasonWhyANameIsNotFound() throws {
    let box = try diverged()
    try box.mustGit(["switch", "-q", "x"])
    #expect(try box.git("merge", "-q", "y").code == 1)
    for words in [["list", "--catalog", "pay"], ["match", "--catalog", "pay", "a/b", "GET", "/"]] {
      let result = try box.run(executable: Sandbox.binary, arguments: words)
      #expect(result.code == 1 && result.err.contains("git left both versions in it"), "\(result)")
      #expect(!result.err.contains("stubdb init"), "\(result)")
    }
    let path = try box.run("list", "--catalog", "none.stubdb")
    #expect(path.err.hasPrefix("Error: there is no catalog at none.stubdb\n"), "\(path)")
    try box.write("empty/note", "")
    try FileManager.default.removeItem(at: box.folder.appendingPathComponent("shop.stubdb"))
    let none = try box.run("list", in: "empty")
    #expect(none.code == 1 && none.err.contains("git left both versions in it"), "\(none)")
  }

  @Test func aPushSaysFirstWhatOthersLose() throws {
    let box = try diverged()
    try box.mustGit(["switch", "-q", "x"])
    #expect(try box.git("merge", "-q", "y").code == 1)
    try box.mustGit(
      ["checkout", "--ours", "shop.stubdb"], ["checkout", "--theirs", "stubdb.lock"])
    try box.commit("Merge")
    // Not like the one that goes away, which would be a new name for it.
    try box.must("add", "x/more", "--method", "POST", "--url", "/more", "--status", "202")
    let push = try box.run("push", environment: Sandbox.gitEnvironment)
    #expect(
      push.err.hasPrefix("- y/y (1 stub)\n+ x/more (1 stub)\nPushed shop.stubdb to "), "\(push)")
  }

  @Test func versionsThatDifferInMoreThanTheCommitAreSettledByHand() throws {
    let box = try diverged()
    let lock = try box.read("stubdb.lock")
    try box.write("stubdb.lock", lock.replacing("shop.stubdb", with: "other.stubdb"))
    try box.commit("Another path")
    #expect(try box.git("merge", "-q", "x").code == 1)
    let before = try box.read("stubdb.lock")
    let pull = try box.run("pull", "--update")
    #expect(pull.code == 1 && pull.err.contains("settle that in an editor"), "\(pull)")
    #expect(try box.read("stubdb.lock") == before)
  }

  /// The state that a process leaves which is killed after the merge, and before it writes the lock file.
  @Test(arguments: [false, true])
  func aMergeWithoutItsLockFileIsMergedAgain(hasConflict: Bool) throws {
    let (box, other) = (try diverged(), try Sandbox())
    let store = box.folder.deletingLastPathComponent().appendingPathComponent("store")
    try other.must("pull", "file://\(store.path)/shop", "--path", "shop.stubdb")
    let key = try firstMatch(of: /"key": "(.*)"/, in: other.run("show", "a/base", "--json").out).1
    try add("o/other", in: other)
    try other.must("set", "a/base", String(key), "--response", "1", "--text", "theirs")
    try other.must("push")
    if hasConflict {
      try box.must("set", "a/base", String(key), "--response", "1", "--text", "ours")
    }
    let before = try box.read("stubdb.lock")
    #expect(try box.run("pull", "--update").code == (hasConflict ? 2 : 0))
    try box.write("stubdb.lock", before)
    let push = try box.run("push", environment: Sandbox.gitEnvironment)
    if hasConflict {
      #expect(push.code == 2 && push.err.contains("1 conflict to settle"), "\(push)")
      try box.must("resolve", "--all", "--ours")
      // The same conflict once more, because the lock file does not know that it was settled.
      #expect(try box.run("push").code == 2)
      try box.must("resolve", "--all", "--ours")
      #expect(try box.run("push").code == 0)
    } else {
      #expect(push.code == 0, "\(push)")
    }
    #expect(try published(box) == ["a/base", "o/other", "x/x", "y/y"])
    #expect(try box.run("show", "a/base").out.contains(hasConflict ? "ours" : "theirs"))
  }
}
