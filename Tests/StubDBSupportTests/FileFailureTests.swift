import Foundation
import StubDBFiles
import StubDBSupport
import StubDBTestSupport
import Testing

struct FileFailureTests {
  private func failure(_ body: () throws -> Void) -> (any Error)? {
    do {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test func aFileThatCannotBeWrittenSaysWhy() throws {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("file")
    try Data("a".utf8).write(to: file)
    func writing(_ path: String) throws -> String {
      let url = folder.appendingPathComponent(path)
      return FileFailure.writing(
        try #require(failure { try Data("b".utf8).write(to: url, options: .atomic) }))
    }
    #expect(try writing("none/file") == "there is no such folder")
    let made = failure {
      try FileManager.default.createDirectory(
        at: file.appendingPathComponent("a/b"), withIntermediateDirectories: true)
    }
    #expect(
      FileFailure.writing(try #require(made))
        == "a part of the path that should be a folder is a file")
    #if os(Linux)
      let full = failure { try Data("b".utf8).write(to: URL(fileURLWithPath: "/dev/full")) }
      #expect(FileFailure.writing(try #require(full)) == "the disk is full")
    #endif
  }

  @Test func aFileThatCannotBeReadSaysWhy() throws {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let none = failure { _ = try Data(contentsOf: folder.appendingPathComponent("none")) }
    #expect(FileFailure.reading(try #require(none)) == "there is no such file")
    let reasons = [EISDIR, EACCES].map { FileFailure.reading(number: $0) }
    #expect(reasons == ["it is a folder", "its permissions forbid it"])
  }

  @Test func anotherErrorKeepsItsOwnDescription() {
    struct Odd: LocalizedError { var errorDescription: String? { "odd" } }
    #expect(FileFailure.writing(Odd()) == "odd" && FileFailure.reading(Odd()) == "odd")
  }
}
