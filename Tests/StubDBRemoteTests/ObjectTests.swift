import Foundation
import Testing

@testable import StubDBRemote

struct ObjectTests {
  private static let digest = ObjectDigest(of: Data("abc".utf8))
  private static let commit = RemoteCommit(
    catalog: digest, bytes: 3, parent: nil, at: "2026-11-22T17:00:00Z", by: "Ada", message: "Begin")

  @Test(arguments: [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000])
  func digestsAreThoseOfTheStandardForEveryRest(count: Int) {
    let known = [
      0: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      1: "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb",
      55: "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318",
      56: "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a",
      63: "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34",
      64: "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb",
      65: "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0",
      119: "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb",
      120: "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c",
      1000: "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3",
    ]
    let text = SHA256Bytes.hexadecimal(of: Data(repeating: UInt8(ascii: "a"), count: count))
    #expect(text == known[count])
  }

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
    (#""bytes":3"#, #""bytes":-3"#, #""bytes" must be a number of bytes"#),
    (
      #""bytes":3"#, #""bytes":3,"x":1"#,
      #""x" is unknown; a newer version of stubdb may have written it"#
    ),
    (#""by":"Ada""#, #""by":null"#, #""by" must be a string"#),
    (
      #""parent":null"#, #""parent":"HEAD""#, #""parent" must be sha256: and 64 hexadecimal digits"#
    ),
    (#","parent":null"#, "", #""parent" must be a string"#),
    ("{", "", "not JSON"),
  ])
  func aCommitWithAMistakeIsRefused(part: String, replacement: String, problem: String) throws {
    let text = String(decoding: Self.commit.encoded, as: UTF8.self)
      .replacingOccurrences(of: part, with: replacement)
    let error = #expect(throws: RemoteError.self) {
      try RemoteCommit(decoding: Data(text.utf8), of: Self.digest)
    }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains(problem) == true, "\(String(describing: error))")
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

  @Test func thePointerIsReadStrictly() throws {
    let pointer = CatalogPointer(commit: Self.digest)
    #expect(try CatalogPointer(decoding: pointer.encoded, at: "x") == pointer)
    for text in ["", "{}", #"{"version":2,"commit":"\#(Self.digest)"}"#, "[]", "<html></html>"] {
      #expect(throws: RemoteError.self) { try CatalogPointer(decoding: Data(text.utf8), at: "x") }
    }
  }
}
