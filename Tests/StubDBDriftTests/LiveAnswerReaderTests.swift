import Foundation
import Testing

@testable import StubDBDrift

/// What the program that asks servers writes.
struct LiveAnswerReaderTests {
  private static let answers: [LiveAnswer] = {
    var first = LiveAnswer(index: 3)
    (first.status, first.headers) = (200, [["Set-Cookie", "a=1"], ["Set-Cookie", "b=\n"]])
    first.body = Data("{\"index\":1}\n\n\u{0}".utf8)
    var empty = LiveAnswer(index: 0)
    empty.status = 204
    return [first, empty, LiveAnswer(index: 1, problem: "its host was not found"), first]
  }()

  @Test(arguments: [1, 2, 7, 64, 100_000]) func piecesOfAnySizeGiveTheAnswers(size: Int) throws {
    let bytes = try Self.answers.reduce(into: Data()) { $0 += try $1.head + $1.body }
    var (reader, read) = (LiveAnswerReader(), [LiveAnswer]())
    var rest = bytes
    while !rest.isEmpty {
      try reader.read(rest.prefix(size)) { read.append($0) }
      rest = rest.dropFirst(size)
    }
    #expect(read == Self.answers)
  }

  @Test func whatIsNoAnswerIsAnError() {
    var reader = LiveAnswerReader()
    #expect(throws: DecodingError.self) {
      try reader.read(Data("stubdb-fetch: fatal\n".utf8)) { _ in }
    }
  }
}
