import Foundation
import StubDBTestSupport
import Testing

/// What `push` and `pull` leave in the cache, and where the cache and the lock file may be.
struct CachePrivacyTests {
  private static let token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"

  private func project() throws -> (box: Sandbox, url: String, cache: URL) {
    let box = try Sandbox.shop()
    let root = box.folder.deletingLastPathComponent()
    return (box, "file://\(root.path)/store/shop", root.appendingPathComponent("cache"))
  }

  private func permissions(_ url: URL) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }

  private func run(
    _ words: String..., in box: Sandbox, cache: String
  ) throws -> CommandResult {
    try box.run(
      executable: Sandbox.binary, arguments: words, environment: ["STUBDB_CACHE": cache])
  }

  @Test func aPushThatIsRefusedForASecretLeavesNothing() throws {
    let (box, url, cache) = try project()
    try box.must("add", "session/open", "--url", "/me", "--text", Self.token)
    let push = try run("push", url, in: box, cache: cache.path)
    #expect(push.code == 1 && push.err.contains("1 secret in shop.stubdb"), "\(push)")
    let left = FileManager.default.subpaths(atPath: cache.appendingPathComponent("sha256").path)
    #expect(left ?? [] == [])
    try box.must("scan", "--accept", "of a test")
    #expect(try run("push", url, in: box, cache: cache.path).code == 0)
  }

  @Test func aMessageWithASecretIsNotPushed() throws {
    let (box, url, cache) = try project()
    let push = try run("push", url, "--message", "see \(Self.token)", in: box, cache: cache.path)
    #expect(push.code == 1 && push.err.contains("the message has a secret"), "\(push)")
    #expect(!push.err.contains("ghp_"), "\(push)")
    #expect(!FileManager.default.fileExists(atPath: String(url.dropFirst(7)) + ".json"))
  }

  @Test func onlyTheUserCanReadTheCache() throws {
    let (box, url, cache) = try project()
    #expect(try run("push", url, in: box, cache: cache.path).code == 0)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: cache.path)
    #expect(paths.count > 6)
    for path in [""] + paths {
      let permissions = try #require(try permissions(cache.appendingPathComponent(path)))
      #expect(permissions & 0o077 == 0, "\(path)")
    }
    // One of an earlier version is closed by the next command.
    let objects = cache.appendingPathComponent("sha256")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: objects.path)
    #expect(try run("remote", "list", in: box, cache: cache.path).code == 0)
    #expect(try permissions(objects) == 0o700)
  }

  @Test func aLinkInTheCacheLeadsNowhere() throws {
    let (box, url, cache) = try project()
    #expect(try run("push", url, in: box, cache: cache.path).code == 0)
    let digest = try firstMatch(of: /"digest": "sha256:(\w+)"/, in: box.read("stubdb.lock")).1
    let folder = cache.appendingPathComponent("sha256/\(digest.prefix(2))")
    let object = folder.appendingPathComponent(String(digest.dropFirst(2)))
    let outside = cache.deletingLastPathComponent().appendingPathComponent("outside")
    let part = object.appendingPathExtension("part")
    for make in [
      { try FileManager.default.createSymbolicLink(at: part, withDestinationURL: outside) },
      { try FileManager.default.linkItem(at: outside, to: part) },
      { #expect(mkfifo(part.path, 0o600) == 0) },
    ] {
      try Data("mine".utf8).write(to: outside)
      try FileManager.default.removeItem(at: object)
      try make()
      let pull = try run("pull", url, "--as", "other", in: box, cache: cache.path)
      #expect(pull.code == 0, "\(pull)")
      #expect(try Data(contentsOf: outside) == Data("mine".utf8))
      let type = try FileManager.default.attributesOfItem(atPath: object.path)[.type]
      #expect(type as? FileAttributeType == .typeRegular)
    }
  }

  /// The bytes are right, and whoever owns what the link leads to can exchange them after they were compared.
  @Test func anObjectThatIsALinkIsReplaced() throws {
    let (box, url, cache) = try project()
    #expect(try run("push", url, in: box, cache: cache.path).code == 0)
    let digest = try firstMatch(of: /"digest": "sha256:(\w+)"/, in: box.read("stubdb.lock")).1
    let object = cache.appendingPathComponent("sha256/\(digest.prefix(2))/\(digest.dropFirst(2))")
    let outside = cache.deletingLastPathComponent().appendingPathComponent("outside")
    let reader = try Sandbox()
    #expect(try run("pull", url, in: reader, cache: cache.path).code == 0)
    for words in [["pull"], ["list", "--catalog", "shop"]] {
      try FileManager.default.moveItem(at: object, to: outside)
      try FileManager.default.createSymbolicLink(at: object, withDestinationURL: outside)
      let result = try reader.run(
        executable: Sandbox.binary, arguments: words, environment: ["STUBDB_CACHE": cache.path])
      #expect(result.code == (words == ["pull"] ? 0 : 1), "\(result)")
      #expect(try run("pull", in: reader, cache: cache.path).code == 0)
      let type = try FileManager.default.attributesOfItem(atPath: object.path)[.type]
      #expect(type as? FileAttributeType == .typeRegular)
      try FileManager.default.removeItem(at: outside)
    }
  }

  @Test(arguments: ["cache", "./cache", "~/cache"])
  func aRelativeCacheIsRefused(path: String) throws {
    let (box, url, _) = try project()
    let before = try box.contents().map(\.path)
    let push = try run("push", url, in: box, cache: path)
    #expect(
      push.code == 1 && push.err.contains("$STUBDB_CACHE is a relative path")
        && push.err.contains("export STUBDB_CACHE=\"$PWD/cache\""), "\(push)")
    #expect(try box.contents().map(\.path) == before)
  }

  @Test func aLockFileOfAFolderThatAllMayWriteToIsNotUsed() throws {
    let (box, url, cache) = try project()
    #expect(try run("push", url, in: box, cache: cache.path).code == 0)
    chmod(box.folder.path, 0o1777)
    for words in [["remote", "list"], ["pull"], ["push"]] {
      let result = try box.run(executable: Sandbox.binary, arguments: words)
      #expect(result.code == 1 && result.err.contains("stubdb.lock was not used"), "\(result)")
    }
    try FileManager.default.removeItem(at: box.folder.appendingPathComponent("stubdb.lock"))
    let push = try run("push", url, in: box, cache: cache.path)
    #expect(push.code == 1 && push.err.contains("a folder that all may write to"), "\(push)")
    #expect(try run("remote", "log", url, in: box, cache: cache.path).code == 0)
  }
}
