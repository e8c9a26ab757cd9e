import Foundation
import StubDBDocuments
import StubDBJSON
import StubDBModel
import StubDBSupport
import StubDBTestSupport
import Testing

@testable import StubDBRecording

/// Lines that many threads write to a draft, on a disk that may be full.
@Suite struct DraftWriterTests {
  private static func append(_ json: String, to writer: DraftWriter) throws {
    let document = """
      {"scenario": "a", "stubs": [{"key": "k", "request": {"url": "https://h.test/a"},
        "responses": [{"json": \(json)}]}]}
      """
    try writer.append(ScenarioDocument.decode(Data(document.utf8))) { process, stub in
      DraftExchange(
        process: process, run: 1, order: 1, scenario: "a", test: nil, mode: "all", wait: 0,
        receive: 0, stub: stub)
    }
  }

  private static func lines(of writer: DraftWriter) throws -> [String] {
    let written = try #require(writer.state.withLock { $0.file?.contents })
    return String(decoding: written, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func aSecretIsTakenOutOfALineThatWasCutOff() throws {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let writer = try DraftWriter(
      catalog: folder.appendingPathComponent("shop.stubdb").path, environment: [:])
    let secret = "Tr0ub4dor" + "-3zq"
    try Self.append(#"{"say": "\#(secret)"}"#, to: writer)
    // As on a full disk: a part of a line, and an end of a run without its line.
    let cut = try Self.lines(of: writer)[0].dropLast(9) + "\n"
    try writer.state.withLock { state in
      try state.file?.append(String(cut))
      state.hasTornLine = true
    }
    try Self.append(#"{"say": "nothing"}"#, to: writer)
    try Self.append(#"{"password": "\#(secret)"}"#, to: writer)
    writer.end(run: 1, failed: false)
    let lines = try Self.lines(of: writer)
    #expect(!lines.contains { $0.contains(secret) }, "\(lines)")
    #expect(lines.allSatisfy { DraftLine($0.utf8) != nil }, "\(lines)")
    #expect(lines.count == 4 && lines[1].contains("nothing"), "\(lines)")
    // Each line is known again.
    #expect(writer.state.withLock { $0.filters.count == 4 && !$0.hasTornLine })
  }

  /// A client may send placeholders that it got from a stub.
  @Test func aNewPlaceholderDiffersFromThoseBeforeIt() throws {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let writer = try DraftWriter(
      catalog: folder.appendingPathComponent("shop.stubdb").path, environment: [:])
    DispatchQueue.concurrentPerform(iterations: 120) { index in
      let json =
        index.isMultiple(of: 2)
        ? #"{"earlier": "REDACTED-\#(index * 10)", "pin": \#(900_000_000 + index * 7)}"#
        : #"{"password": "Tr0ub\#(index)dor\#("-3zq")"}"#
      #expect(throws: Never.self) { try Self.append(json, to: writer) }
    }
    let lines = try Self.lines(of: writer)
    #expect(lines.count == 120)
    var largest = 0
    for line in lines {
      if let made = line.firstMatch(of: /"password":"REDACTED-(\d+)"/).flatMap({ Int($0.1) }) {
        #expect(made > largest, "\(line)")
        largest = max(largest, made)
      }
      let earlier = line.firstMatch(of: /"earlier":"REDACTED-(\d+)"/).flatMap { Int($0.1) }
      let pin = line.firstMatch(of: /"pin":900(\d{6})/).flatMap { Int($0.1) }
      largest = max(largest, earlier ?? 0, pin ?? 0)
    }
    #expect(largest > 1_000)
  }

  private static func contents(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: folder.appendingPathComponent("shop.stubdb.draft").path
    ).filter { $0.hasSuffix(".body") }.sorted()
  }

  /// Nothing would take a secret out of a file without a line that turns out to be one later.
  @Test func aContentStaysOnlyIfAllOfItsLineIsWritten() throws {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let writer = try DraftWriter(
      catalog: folder.appendingPathComponent("shop.stubdb").path, environment: [:])
    try Self.append(#"{"say": "nothing"}"#, to: writer)
    let process = try #require(writer.state.withLock { $0.file?.process })
    let draft = folder.appendingPathComponent("shop.stubdb.draft")
    // The second content of the line cannot be written.
    try FileManager.default.createDirectory(
      at: draft.appendingPathComponent("\(process)-2.body/in"), withIntermediateDirectories: true)
    let long = String(repeating: "long ", count: 120_000)
    let document = """
      {"scenario": "a", "stubs": [{"key": "k",
        "request": {"url": "https://h.test/a", "method": "POST", "body": {"equalTo": "\(long)"}},
        "responses": [{"text": "\(long)"}]}]}
      """
    let scenario = try ScenarioDocument.decode(Data(document.utf8))
    #expect(throws: DraftWriter.Failure.self) {
      try writer.append(scenario) { process, stub in
        DraftExchange(
          process: process, run: 1, order: 1, scenario: "a", test: nil, mode: "all", wait: 0,
          receive: 0, stub: stub)
      }
    }
    #expect(try Self.contents(in: folder) == ["\(process)-2.body"])
    #expect(try Self.lines(of: writer).count == 1)
  }

  @Test func aRewrittenContentDoesNotStayIfLinesBeforeItCannotBeCleaned() throws {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let writer = try DraftWriter(
      catalog: folder.appendingPathComponent("shop.stubdb").path, environment: [:])
    let secret = "Tr0ub4dor" + "-3zq"
    try Self.append(#"{"say": "\#(secret)"}"#, to: writer)
    let process = try #require(writer.state.withLock { $0.file?.process })
    let content = try writer.beginContent(Data("see".utf8))
    // More than is kept back before it is written.
    let text = "see \(secret) " + String(repeating: "word ", count: 300_000)
    try writer.append(Data(text.utf8), to: content)
    // The lines cannot be replaced.
    let draft = folder.appendingPathComponent("shop.stubdb.draft")
    try FileManager.default.createDirectory(
      at: draft.appendingPathComponent("\(process).jsonl.new/in"),
      withIntermediateDirectories: true)
    let document = """
      {"scenario": "a", "stubs": [{"key": "k", "request": {"url": "https://h.test/a",
        "body": {"equalToJson": {"password": "\(secret)"}}}, "responses": [{}]}]}
      """
    let scenario = try ScenarioDocument.decode(Data(document.utf8))
    #expect(throws: DraftWriter.Failure.self) {
      try writer.append(scenario, content) { process, stub in
        DraftExchange(
          process: process, run: 1, order: 1, scenario: "a", test: nil, mode: "all", wait: 0,
          receive: 0, stub: stub)
      }
    }
    #expect(try Self.contents(in: folder) == [])
  }
}
