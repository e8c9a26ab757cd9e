import Foundation
import Testing

@testable import StubDBRemote

struct ObjectTests {
  private static let digest = ObjectDigest(of: Data("abc".utf8))
  private static let commit = RemoteCommit(
    catalog: digest, bytes: 3, parent: nil, at: "2026-11-22T17:00:00Z", by: "Ada", message: "Begin")

  @Test func onlyTheWrittenFormIsADigest() {
    let text = Self.digest.description
    #expect(ObjectDigest(parsing: text) == Self.digest)
    for wrong in [
      text.uppercased(), String(text.dropFirst(7)), text + "0", String(text.dropLast()), "sha256:",
      "sha256:" + String(repeating: "é", count: 32),
      "sha256:../" + String(repeating: "a", count: 61),
    ] {
      #expect(ObjectDigest(parsing: wrong) == nil, "\(wrong)")
    }
  }

  @Test func aCommitIsReadAsItWasWritten() throws {
    var second = Self.commit
    second.parent = Self.commit.digest
    for commit in [Self.commit, second] {
      #expect(try RemoteCommit(decoding: commit.encoded, of: commit.digest) == commit)
    }
    #expect(
      String(decoding: Self.commit.encoded, as: UTF8.self)
        == #"{"at":"2026-11-22T17:00:00Z","by":"Ada","bytes":3,"catalog":"\#(Self.digest)","message":"Begin","parent":null}"#
        + "\n")
  }

  @Test(arguments: [
    (#""bytes":3"#, #""bytes":-3"#, "/bytes: the number of bytes must be 0 or more, not -3"),
    (#""bytes":3"#, #""bytes":3,"x":1"#, #"/x: unknown key "x"; a commit has "at", "by", "#),
    (#""by":"Ada""#, #""by":null"#, "/by: expected a string, found null"),
    (
      #""parent":null"#, #""parent":"HEAD""#,
      "/parent: it must be sha256: and 64 hexadecimal digits"
    ),
    (#","parent":null"#, "", #""parent" is missing; a commit needs it"#),
    ("{", "", "not JSON"),
  ])
  func aCommitWithAMistakeIsRefused(part: String, replacement: String, problem: String) throws {
    let text = String(decoding: Self.commit.encoded, as: UTF8.self)
      .replacingOccurrences(of: part, with: replacement)
    let error = #expect(throws: RemoteError.self) {
      try RemoteCommit(decoding: Data(text.utf8), of: Self.digest)
    }
    #expect(error?.code == .damaged)
    #expect(error?.message.hasPrefix("the commit \(Self.digest)") == true)
    #expect(error?.message.contains(problem) == true, "\(String(describing: error))")
    #expect(error?.hints.isEmpty == !problem.contains("unknown key"))
  }

  @Test func commonAncestorsAreTheNewest() throws {
    // 0 ← 1 ← 2 ← 3, and 2 ← 4 ← 5; 6 stands alone.
    var commits: [ObjectDigest: RemoteCommit] = [:]
    var names: [ObjectDigest] = []
    for (number, parent) in [nil, 0, 1, 2, 2, 4, nil].enumerated() {
      var commit = Self.commit
      commit.message = "\(number)"
      commit.parent = parent.map { names[$0] }
      names.append(commit.digest)
      commits[commit.digest] = commit
    }
    var reads = 0
    let history = CommitHistory { digest throws(RemoteError) in
      reads += 1
      guard let commit = commits[digest] else { throw RemoteError(.missing, "\(digest)") }
      return commit
    }
    func ancestor(_ first: Int, _ second: Int) throws -> Int? {
      try history.commonAncestor(names[first], names[second]).flatMap(names.firstIndex)
    }
    #expect(try ancestor(3, 5) == 2 && ancestor(5, 3) == 2)
    #expect(try ancestor(1, 5) == 1 && ancestor(5, 1) == 1)
    #expect(try ancestor(4, 4) == 4)
    #expect(try ancestor(3, 6) == nil)
    reads = 0
    #expect(try ancestor(4, 5) == 4)
    #expect(reads <= 2, "the cost is the distance, not the length of the history")
    #expect(try history.commits(from: names[5], limit: 3).map(\.commit.message) == ["5", "4", "2"])
  }

  @Test func anEndlessHistoryIsNotFollowedForEver() throws {
    var reads = 0
    let history = CommitHistory(maximum: 50) { digest throws(RemoteError) in
      reads += 1
      var commit = Self.commit
      commit.parent = ObjectDigest(of: Data("\(digest)".utf8))
      return commit
    }
    let error = #expect(throws: RemoteError.self) { try history.commits(from: Self.digest) }
    #expect(error?.message.hasSuffix(": it has more than 50 commits") == true)
    #expect(reads == 50)
    #expect(throws: RemoteError.self) { try history.commits(from: Self.digest) { _ in false } }
    #expect(reads == 100)
    #expect(try history.commits(from: Self.digest, limit: 50).count == 50)
    let other = ObjectDigest(of: Data("other".utf8))
    #expect(throws: RemoteError.self) { try history.commonAncestor(Self.digest, other) }
    #expect(reads <= 250)
  }

  @Test func thePointerIsReadStrictly() throws {
    let pointer = CatalogPointer(commit: Self.digest)
    #expect(try CatalogPointer(decoding: pointer.encoded, at: "x") == pointer)
    for text in ["", "{}", #"{"version":2,"commit":"\#(Self.digest)"}"#, "[]", "<html></html>"] {
      #expect(throws: RemoteError.self) { try CatalogPointer(decoding: Data(text.utf8), at: "x") }
    }
  }
}
