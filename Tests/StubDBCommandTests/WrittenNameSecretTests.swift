import Foundation
import StubDBTestSupport
import Testing

/// Names, keys and tags that are secrets are said when they are written, as other secrets are.
struct WrittenNameSecretTests {
  private static let token = "ghp_" + "x9Kd82LqPz7RtVw3" + "YbNm5HcJf1GsAe4UoTi6"

  private func project() throws -> Sandbox {
    let box = try Sandbox()
    try box.must("init", "shop.stubdb")
    try box.must(
      "add", "a/b", "--key", "k", "--method", "GET", "--url", "https://h.test/x", "--text", "t")
    return box
  }

  @Test(arguments: [
    ["tag", "a/b", "--add", token], ["rename", "a/b", "\(token)/b"], ["mv", "a/", "\(token)/"],
    ["cp", "a/b", token], ["rename", "a/b", "--key", "k", token],
  ])
  func aNameThatIsASecretIsSaidWhenItIsWritten(words: [String]) throws {
    let box = try project()
    let result = try box.run(executable: Sandbox.binary, arguments: words)
    #expect(result.code == 0, "\(result)")
    let line = try firstMatch(of: /A secret is in the catalog now: (.*)\n/, in: result.err).1
    #expect(line.hasSuffix(": GitHub token, 40 bytes") && !line.contains(Self.token))
    let redact = try firstMatch(of: /To take it out: (stubdb redact .*)\n/, in: result.err).1
    #expect(try box.shell(String(redact)).code == 0)
    #expect(try box.run("scan").code == 0)
  }

  @Test func whatWasThereBeforeIsNotSaidAgain() throws {
    let box = try project()
    try box.must("tag", "a/b", "--add", Self.token)
    for words in [
      ["tag", "a/b", "--add", "smoke"], ["rename", "a/b", "a/c"], ["cp", "a/c", "a/d"],
      ["rename", "a/c", "--key", "k", "l"],
    ] {
      let result = try box.run(executable: Sandbox.binary, arguments: words)
      #expect(result.code == 0 && !result.err.contains("A secret"), "\(words): \(result)")
    }
  }
}
