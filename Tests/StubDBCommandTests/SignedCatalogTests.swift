import Foundation
import StubDBTestSupport
import Testing

/// Catalogs that are signed, published in a folder, and pulled elsewhere.
struct SignedCatalogTests {
  /// A store, and a person with a key and a catalog.
  private struct Team {
    let ada: Sandbox
    let store: String
    var url: String { "file://\(store)/shop" }

    init() throws {
      ada = try Sandbox.shop()
      let folder = ada.folder.deletingLastPathComponent().appendingPathComponent("store")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      store = folder.path
      try ok(ada.run("key", "create", "--name", "ada"))
    }

    /// The files of the store that are signatures.
    func signatures() throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: store).filter { $0.hasSuffix(".sig") }
    }

    /// A project of another person, with nothing but the lock file of the first.
    func reader() throws -> Sandbox {
      let box = try Sandbox()
      var lock = try ada.read("stubdb.lock")
      lock = lock.replacing(/\n *"path": "shop.stubdb",/, with: "")
      try box.write("stubdb.lock", lock)
      return box
    }
  }

  /// - Returns: What it printed on both outputs.
  @discardableResult
  private static func ok(
    _ result: CommandResult, _ location: SourceLocation = #_sourceLocation
  ) -> String {
    #expect(result.code == 0, "\(result)", sourceLocation: location)
    return result.out + result.err
  }

  private static func ok(_ result: CommandResult) { _ = ok(result, #_sourceLocation) }

  @Test func whatIsSignedIsRequiredToBeSignedFromThenOn() throws {
    let team = try Team()
    let pushed = try team.ada.run("push", team.url, "--sign")
    #expect(
      pushed.code == 0 && pushed.err.contains("\nSigned with ada (SHA256:")
        && pushed.err.contains("requires such a signature from now on"), "\(pushed)")
    #expect(try team.signatures().count == 1)
    let line = try team.ada.run("key", "show").out.trimmingCharacters(in: .newlines)
    #expect(try team.ada.read("stubdb.lock").contains("\"\(line)\""))
    let reader = try team.reader()
    #expect(try reader.run("pull").code == 0)
    #expect(try reader.run("pull", "--frozen").code == 0)

    // Without a signature nothing is pushed, and nothing changes in the store.
    _ = try team.ada.run("tag", "checkout/paid", "--add", "seen")
    let before = try FileManager.default.subpathsOfDirectory(atPath: team.store).sorted()
    let unsigned = try team.ada.run("push")
    #expect(unsigned.code == 1 && unsigned.err.contains("requires that shop is signed"))
    #expect(unsigned.err.contains("stubdb push --sign\n"), "\(unsigned)")
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: team.store).sorted() == before)
    Self.ok(try team.ada.run("push", "--sign"))
    let updated = try reader.run("pull", "--update")
    #expect(
      updated.code == 0 && updated.err.contains("\nIt is signed by ada (SHA256:"), "\(updated)")
    #expect(try reader.read("stubdb.lock").contains(line))
  }

  @Test func aSignatureThatIsMissingIsSaid() throws {
    let team = try Team()
    Self.ok(try team.ada.run("push", team.url, "--sign"))
    // Where none is required, a commit without one after one that has one is said.
    let eve = try Sandbox()
    let pull = Self.ok(try eve.run("pull", team.url, "--path", "shop.stubdb"), #_sourceLocation)
    #expect(pull.contains("\nIt is signed by SHA256:"), "\(pull)")
    Self.ok(try eve.run("tag", "checkout/paid", "--add", "seen"))
    let push = Self.ok(try eve.run("push"), #_sourceLocation)
    #expect(
      push.hasSuffix(
        "It is not signed, and the commit before it is.\nTo sign it: stubdb push --sign\n"),
      "\(push)")

    // Where one is required, and was lost, it is said that nobody would use what is there.
    let bea = try Team()
    Self.ok(try bea.ada.run("push", bea.url, "--sign"))
    for path in try bea.signatures() {
      try FileManager.default.removeItem(atPath: bea.store + "/" + path)
    }
    let removed = try bea.ada.shell("rm -r ../.cache/stubdb/signatures")
    #expect(removed.code == 0)
    let again = Self.ok(try bea.ada.run("push"), #_sourceLocation)
    #expect(
      again.contains("Warning: the commit ") && again.contains("is not signed by"), "\(again)")
    Self.ok(try bea.ada.run("push", "--sign"))
    #expect(try bea.signatures().count == 1)
  }

  @Test func whatNoTrustedKeySignedIsRefused() throws {
    let team = try Team()
    Self.ok(try team.ada.run("push", team.url, "--sign"))
    let reader = try team.reader()
    // Somebody else who can write to the store, and whose lock file requires nothing.
    let eve = try Sandbox()
    Self.ok(try eve.run("pull", team.url, "--path", "shop.stubdb"))
    Self.ok(try eve.run("tag", "checkout/paid", "--add", "evil"))
    Self.ok(try eve.run("push"))
    Self.ok(try eve.run("key", "create", "--name", "ada"))
    Self.ok(try eve.run("push", "--sign"))
    let lock = try reader.read("stubdb.lock")
    for words in [["pull", "--update"], ["sync"]] {
      let refused = try reader.run(executable: Sandbox.binary, arguments: words)
      #expect(refused.code == 1 && refused.out == "", "\(refused)")
      #expect(refused.err.contains("is not signed by a key that stubdb.lock trusts"))
      #expect(try reader.read("stubdb.lock") == lock)
    }
    // Nor is it merged into what is edited, or pushed further.
    let catalog = try Data(contentsOf: team.ada.folder.appendingPathComponent("shop.stubdb"))
    for words in [["pull", "--update"], ["push", "--sign"], ["sync", "--sign"]] {
      let refused = try team.ada.run(executable: Sandbox.binary, arguments: words)
      #expect(refused.code == 1, "\(refused)")
      #expect(refused.err.contains("is not signed by a key that stubdb.lock trusts"))
    }
    #expect(
      try Data(contentsOf: team.ada.folder.appendingPathComponent("shop.stubdb")) == catalog)
    // What the lock file names can still be had.
    Self.ok(try reader.run("pull"))
  }

  @Test func aSignatureThatIsTakenAwayIsMissed() throws {
    let team = try Team()
    Self.ok(try team.ada.run("push", team.url, "--sign"))
    for file in try team.signatures() {
      try FileManager.default.removeItem(atPath: "\(team.store)/\(file)")
    }
    let reader = try team.reader()
    let refused = try reader.run("pull")
    #expect(refused.code == 1 && refused.err.contains("Trusted: ada (SHA256:"), "\(refused)")
    // Who pushed it signs it again, and only then.
    let pushed = try team.ada.run("push")
    #expect(pushed.code == 0 && !pushed.err.contains("Signed"))
    let signed = try team.ada.run("push", "--sign")
    #expect(signed.code == 0 && signed.err.contains("Signed "), "\(signed)")
    Self.ok(try reader.run("pull"))
    Self.ok(try reader.run("pull", "--frozen"))
    // The same in the cache.
    let cache = reader.folder.deletingLastPathComponent().appendingPathComponent("cache")
    let environment = ["STUBDB_CACHE": cache.path]
    Self.ok(try reader.run("pull", environment: environment))
    try FileManager.default.removeItem(at: cache.appendingPathComponent("signatures"))
    let frozen = try reader.run("pull", "--frozen", environment: environment)
    #expect(frozen.code == 1 && frozen.err.contains("has no signature of the commit"), "\(frozen)")
    Self.ok(try reader.run("pull", environment: environment))
    Self.ok(try reader.run("pull", "--frozen", environment: environment))
  }

  @Test func aKeyIsReplacedByAnother() throws {
    let team = try Team()
    Self.ok(try team.ada.run("push", team.url, "--sign"))
    let reader = try team.reader()
    let old = try team.ada.run("key", "show").out
    let created = try team.ada.run("key", "create", "--name", "ada 2", "--replace")
    let path = try firstMatch(of: /--sign-with (\S+)/, in: created.err).1
    let key = created.out.trimmingCharacters(in: .newlines)
    #expect(created.out != old)

    // Alone, the new key is refused before anything is stored.
    Self.ok(try team.ada.run("tag", "checkout/paid", "--add", "seen"))
    let alone = try team.ada.run("push", "--sign")
    #expect(alone.code == 1 && alone.err.contains("does not trust ada 2 (SHA256:"), "\(alone)")
    #expect(try team.signatures().count == 1)
    Self.ok(try team.ada.run("push", "--sign", "--sign-with", String(path)))
    #expect(try team.signatures().count == 3)
    Self.ok(try reader.run("pull", "--update"))
    Self.ok(try reader.run("key", "trust", "shop", key))
    let distrusted = try reader.run("key", "distrust", "shop", "ada")
    #expect(distrusted.code == 0 && distrusted.err.contains("no longer trusts ada (SHA256:"))
    Self.ok(try reader.run("pull"))
    let list = try reader.run("key", "list")
    #expect(list.out.split(separator: "\n").count == 1 && list.out.contains("ada 2"), "\(list)")

    // The last key goes only if that is said.
    let lock = try reader.read("stubdb.lock")
    let last = try reader.run("key", "distrust", "shop", "ada 2")
    #expect(last.code == 1 && last.err.contains("stubdb key distrust shop --all"), "\(last)")
    #expect(try reader.read("stubdb.lock") == lock)
    Self.ok(try reader.run("key", "distrust", "shop", "--all"))
    #expect(try reader.run("key", "list", "shop").code == 2)
  }

  @Test func aNewCatalogIsTrustedFromTheFirstPullOn() throws {
    let team = try Team()
    Self.ok(try team.ada.run("push", team.url, "--sign"))
    let key = try team.ada.run("key", "show").out
    let reader = try Sandbox()
    try reader.write("ada.pub", key)
    Self.ok(try reader.run("key", "create"))
    let own = try reader.run("key", "show").out
    let refused = try reader.run("pull", team.url, "--trust", own)
    #expect(refused.code == 1 && refused.err.contains("is not signed by a key"), "\(refused)")
    #expect(!FileManager.default.fileExists(atPath: reader.folder.path + "/stubdb.lock"))
    let pulled = try reader.run("pull", team.url, "--trust", "ada.pub", "--path", "a.stubdb")
    #expect(pulled.code == 0 && pulled.err.contains("It is signed by ada ("), "\(pulled)")
    #expect(try reader.read("stubdb.lock").contains(key.trimmingCharacters(in: .newlines)))
  }

  @Test func aLockFileThatWasEditedIsNotObeyed() throws {
    let team = try Team()
    Self.ok(try team.ada.run("push", team.url, "--sign"))
    let eve = try Sandbox()
    Self.ok(try eve.run("pull", team.url, "--path", "shop.stubdb"))
    Self.ok(try eve.run("tag", "checkout/paid", "--add", "evil"))
    Self.ok(try eve.run("push"))
    let theirs = try eve.read("stubdb.lock")
    // The commit, or the catalog beneath a signed commit, is exchanged in a pull request.
    for members in [["commit", "digest", "bytes"], ["digest", "bytes"]] {
      let reader = try team.reader()
      var lock = try reader.read("stubdb.lock")
      for member in members {
        let line = try Regex("\"\(member)\": [^,]*,", as: Substring.self)
        let other = try firstMatch(of: line, in: theirs)
        lock = lock.replacing(line, with: String(other))
      }
      try reader.write("stubdb.lock", lock)
      let refused = try reader.run("pull")
      #expect(refused.code == 1 && refused.err.contains("signed"), "\(refused)")
      #expect(try reader.run("pull", "--frozen").code == 1)
    }
  }

  @Test func whoSignedACommitIsShown() throws {
    let team = try Team()
    Self.ok(try team.ada.run("push", team.url, "--sign"))
    let eve = try Sandbox()
    Self.ok(try eve.run("pull", team.url, "--path", "shop.stubdb"))
    Self.ok(try eve.run("tag", "checkout/paid", "--add", "evil"))
    Self.ok(try eve.run("push", "--message", "signed by ada"))
    let key = try firstMatch(of: /SHA256:\S+/, in: team.ada.run("key", "show").err)
    for (box, signer, name, trusted) in [
      (team.ada, "signed by ada", "\"ada\"", "true"),
      (eve, "signed by \(key) (not trusted)", "null", "false"),
    ] {
      let log = try box.run("remote", "log")
      let lines = log.out.split(separator: "\n")
      #expect(log.code == 0 && lines.count == 2, "\(log)")
      #expect(lines[0].contains("  unsigned  "), "\(log)")
      #expect(lines[1].contains("  \(signer)  "), "\(log)")
      let json = try box.run("remote", "log", "--json").out
      #expect(json.contains("\"signedBy\": []"), "\(json)")
      #expect(
        json.contains("\"name\": \(name)") && json.contains("\"fingerprint\": \"\(key)\"")
          && json.contains("\"trusted\": \(trusted)"), "\(json)")
      let first = String(lines[1].dropFirst(2).prefix(10))
      #expect(try box.run("remote", "show", "shop", first).out.contains("  \(signer)  "))
    }
    #expect(try eve.run("remote", "show").out.contains("  unsigned  "))
    #expect(try eve.run("remote", "show", "--json").out.contains("\"signedBy\": []"))

    // A signature counts if it is valid, and its name alone does not, and many names hide none.
    let file = try #require(try team.signatures().first)
    let signature = URL(fileURLWithPath: "\(team.store)/\(file)")
    for number in 0..<30 {
      let digits = String(repeating: "0", count: 62) + String(number + 10)
      let name = "\(signature.lastPathComponent.prefix { $0 != "." }).\(digits).sig"
      try FileManager.default.copyItem(
        at: signature, to: signature.deletingLastPathComponent().appendingPathComponent(name))
    }
    let cache = ["STUBDB_CACHE": team.ada.folder.appendingPathComponent("cache").path]
    #expect(try team.ada.run("remote", "log", environment: cache).out.contains("signed by ada  "))
    try Data("-----BEGIN SSH SIGNATURE-----".utf8).write(
      to: URL(fileURLWithPath: "\(team.store)/\(file)"))
    #expect(try eve.run("remote", "log").out.split(separator: "\n")[1].contains("  unsigned  "))
  }

  private static let hasAgent = ["ssh-agent", "ssh-add"].allSatisfy { name in
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      access("\($0)/\(name)", X_OK) == 0
    }
  }

  @Test(.enabled(if: hasAgent, "ssh-agent or ssh-add is not installed"))
  func aKeyThatOnlyAnAgentHasSigns() throws {
    let team = try Team()
    // The path of a socket may have some hundred characters. Threads of tests have blocked other signals, and the agent
    // inherits that.
    let signed = try team.ada.shell(
      """
      set -e
      folder=$(mktemp -d /tmp/stubdb-agent-XXXXXX)
      eval "$(ssh-agent -s -a "$folder/socket")" >/dev/null
      trap 'kill -9 "$SSH_AGENT_PID"; rm -r "$folder"' EXIT
      ssh-keygen -q -t ed25519 -N '' -C agent@shop.test -f key
      ssh-add -q key
      rm key
      stubdb push '\(team.url)' --sign-with key.pub
      stubdb tag checkout/paid --add seen
      stubdb push --sign-with "$(cat key.pub)"
      ssh-add -q -D
      stubdb tag checkout/paid --add again
      if stubdb push --sign-with key.pub; then exit 3; fi
      """)
    #expect(signed.code == 0, "\(signed)")
    #expect(signed.err.components(separatedBy: "Signed with agent@shop.test (").count == 3)
    #expect(signed.err.contains("Error: cannot sign with "), "\(signed)")
    #expect(try team.signatures().count == 2)
    let reader = try team.reader()
    Self.ok(try reader.run("pull"))
    #expect(try reader.run("remote", "log").out.contains("  signed by agent@shop.test  "))
  }
}
