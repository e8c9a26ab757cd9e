import Foundation
import StubDBTestSupport
import Testing

struct KeyTests {
  private func rights(_ path: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }

  @Test func aKeyIsMadeOnceAndItsPrivateHalfIsNotPrinted() throws {
    let box = try Sandbox()
    let none = try box.run("key", "show")
    #expect(none.code == 2 && none.err.contains("stubdb key create"))
    let made = try box.run("key", "create", "--name", "Ada Lovelace")
    #expect(made.code == 0 && made.out.hasSuffix(" Ada Lovelace\n"), "\(made)")
    let path = try firstMatch(of: /private half: (.*)\n/, in: made.err).1
    #expect(try rights(String(path)) == 0o600)
    let text = try String(contentsOfFile: String(path), encoding: .utf8)
    let secret = try #require(text.split(separator: "\n").dropFirst(2).first)
    let shown = try box.run("key", "show")
    #expect(shown.code == 0 && shown.out == made.out, "\(shown)")
    #expect(!"\(made)\(shown)".contains(secret))
    // What is printed is what ssh-keygen reads.
    try box.write("key.pub", shown.out)
    let listed = try box.run(
      executable: URL(fileURLWithPath: "/usr/bin/ssh-keygen"), arguments: ["-l", "-f", "key.pub"])
    #expect(listed.out.contains(shown.err.prefix { $0 != " " }), "\(listed)")
    let again = try box.run("key", "create")
    #expect(again.code == 1 && again.err.contains("stubdb key create --replace"), "\(again)")
    #expect(try box.run("key", "show").out == made.out)
  }

  @Test func whatIsNoPublicKeyIsNotRepeated() throws {
    let box = try Sandbox.shop()
    let store = box.folder.deletingLastPathComponent().path + "/store/shop"
    #expect(try box.run("push", "file://\(store)").code == 0)
    let path = try firstMatch(of: /private half: (.*)\n/, in: box.run("key", "create").err).1
    let text = try String(contentsOfFile: String(path), encoding: .utf8)
    let secret = try #require(text.split(separator: "\n").dropFirst(2).first)
    let lock = try box.read("stubdb.lock")
    try box.write("token", "hunter2 AAAAsecret")
    for key in [String(path), "token", "ssh-rsa AAAAhunter2", "absent"] {
      let refused = try box.run("key", "trust", "shop", key)
      #expect(refused.code == 1 && !refused.err.contains("hunter2"), "\(refused)")
      #expect(!refused.err.contains("BEGIN") && !refused.err.contains(secret), "\(refused)")
    }
    #expect(try box.read("stubdb.lock") == lock)
    #expect(try box.run("key", "trust", "other").code == 1)
    #expect(try box.run("key", "distrust", "shop").code == 64)
  }

  @Test func aKeyWithAPassphraseIsAskedForOnATerminalOnly() throws {
    let box = try Sandbox.shop()
    let url = "file://" + box.folder.deletingLastPathComponent().path + "/store/shop"
    let made = try box.run(
      executable: URL(fileURLWithPath: "/usr/bin/ssh-keygen"),
      arguments: ["-q", "-t", "ed25519", "-N", "open sesame", "-C", "ada", "-f", "locked"])
    try #require(made.code == 0, "\(made)")
    let words = ["push", url, "--sign-with", "locked"]
    let refused = try box.run(executable: Sandbox.binary, arguments: words)
    #expect(refused.code == 1 && refused.err.contains("passphrase"), "\(refused)")
    #expect(!FileManager.default.fileExists(atPath: box.folder.path + "/stubdb.lock"))
    let typed = try answering("open sesame", words, in: box)
    #expect(typed.code == 0 && typed.out.contains("Signed with ada ("), "\(typed)")
    #expect(!typed.out.contains("sesame"))
    let asked = try answering("open sesame", ["key", "create", "--passphrase"], in: box)
    #expect(asked.code == 0 && !asked.out.contains("sesame"), "\(asked)")
    #expect(try box.run("push", "--sign").code == 1)
    #expect(try box.run("key", "create", "--passphrase", "--replace").code == 1)
  }

  /// Runs the command on a terminal, and types an answer to each question for a passphrase.
  ///
  /// What is typed before a question is thrown away by who asks.
  private func answering(
    _ answer: String, _ words: [String], in box: Sandbox
  ) throws -> CommandResult {
    let script = """
      import os, pty, sys
      pid, terminal = pty.fork()
      if pid == 0:
          os.execv(sys.argv[2], sys.argv[2:])
      screen, answered = b"", 0
      while True:
          try:
              data = os.read(terminal, 4096)
          except OSError:
              break
          if not data:
              break
          screen += data
          while screen.count(b"assphrase") > answered and screen.rstrip(b" ").endswith(b":"):
              answered = screen.count(b"assphrase")
              os.write(terminal, sys.argv[1].encode() + b"\\n")
      _, status = os.waitpid(pid, 0)
      sys.stdout.write(screen.decode())
      sys.exit(os.WEXITSTATUS(status))
      """
    return try box.run(
      executable: URL(fileURLWithPath: "/usr/bin/env"),
      arguments: ["python3", "-c", script, answer, Sandbox.binary.path] + words,
      environment: ["TERM": "xterm", "STUBDB_PAGER": ""])
  }

  @Test func withoutSSHKeygenTheErrorSaysHowToGetIt() throws {
    let box = try Sandbox.shop()
    let url = "file://" + box.folder.deletingLastPathComponent().path + "/store/shop"
    #expect(try box.run("key", "create").code == 0)
    #expect(try box.run("push", url).code == 0)
    #expect(try box.run("key", "trust", "shop").code == 0)
    for words in [["push", "--sign"], ["key", "create", "--replace"]] {
      let result = try box.run(
        executable: Sandbox.binary, arguments: words, environment: ["PATH": "/nonexistent"])
      #expect(result.code == 1 && result.err.contains("ssh-keygen"), "\(result)")
      #expect(result.err.contains("apt-get install openssh-client"), "\(result)")
    }
    let shown = try box.run("key", "show")
    #expect(shown.code == 0)
  }

  /// What is left by a push that was killed is completed by the next one.
  @Test func aPushThatIsKilledWhileItSignsLeavesNothingToMend() throws {
    let box = try Sandbox.shop()
    let root = box.folder.deletingLastPathComponent()
    let url = "file://\(root.path)/store/shop"
    #expect(try box.run("key", "create").code == 0)
    #expect(try box.run("push", url, "--sign").code == 0)
    #expect(try box.run("tag", "checkout/paid", "--add", "seen").code == 0)
    let lock = try box.read("stubdb.lock")
    let pointer = try String(contentsOfFile: root.path + "/store/shop.json", encoding: .utf8)
    // A program that ends the command in place of signing.
    let programs = root.appendingPathComponent("programs")
    try box.write(
      "../programs/ssh-keygen", "#!/bin/sh\nkill -9 $STUBDB_PROCESS\n", executable: true)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let killed = try box.run(
      executable: URL(fileURLWithPath: "/bin/sh"),
      arguments: [
        "-c", "export STUBDB_PROCESS=$$; exec \"$0\" push --sign", Sandbox.binary.path,
      ], environment: ["PATH": "\(programs.path):\(path)"])
    #expect(killed.code == 9, "\(killed)")
    #expect(try box.read("stubdb.lock") == lock)
    #expect(
      try String(contentsOfFile: root.path + "/store/shop.json", encoding: .utf8) == pointer)
    let again = try box.run("push", "--sign")
    #expect(again.code == 0 && again.err.contains("Signed with "), "\(again)")
    #expect(try box.run("pull", "--update").code == 0)
  }
}
