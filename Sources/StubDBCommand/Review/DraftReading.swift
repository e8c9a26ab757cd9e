import Foundation
import HTTPTypes
import StubDBCatalog
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBRecording
import StubDBSupport

/// The draft of a catalog: what runs recorded, until somebody decides about it.
struct DraftReading {
  /// A line with the file that has it.
  struct Entry: Equatable {
    let file: URL
    let exchange: DraftExchange
    /// The same with the contents that are in files of their own.
    let whole: DraftExchange
  }

  /// The runs, each with its exchanges in the order of its requests.
  private(set) var runs: [[Entry]] = []
  /// How many runs were left out, because their tests failed.
  private(set) var failedCount = 0
  /// How many lines could not be read: the last ones of processes that were killed.
  private(set) var unreadableCount = 0
  let folder: URL
  /// The files with lines, one of each process.
  private let files: [URL]

  /// Reads the draft beside a catalog; empty if there is none.
  init(of catalog: Catalog, includingFailed: Bool) throws {
    folder = URL(
      fileURLWithPath: DraftWriter.folder(ofCatalog: catalog.url.path), isDirectory: true)
    var entries: [Run: [Entry]] = [:]
    var failed: Set<Run> = []
    files = try Self.files(in: folder)
    for file in files {
      for line in try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")) {
        switch DraftLine(line) {
        case .exchange(let exchange)?:
          guard let whole = DraftContents.restored(exchange, from: folder) else {
            unreadableCount += 1
            continue
          }
          let run = Run(process: exchange.process, number: exchange.run)
          entries[run, default: []].append(Entry(file: file, exchange: exchange, whole: whole))
        case .ended(let process, let number, true)?:
          failed.insert(Run(process: process, number: number))
        case .ended?: continue
        case nil: unreadableCount += 1
        }
      }
    }
    if !includingFailed {
      failedCount = failed.count { entries[$0] != nil }
      for run in failed { entries[run] = nil }
    }
    runs = entries.sorted { $0.key < $1.key }.map { _, entries in
      entries.sorted { $0.exchange.order < $1.exchange.order }
    }
  }

  private struct Run: Hashable, Comparable {
    let process: String
    let number: Int

    static func < (one: Run, other: Run) -> Bool {
      (one.process, one.number) < (other.process, other.number)
    }
  }

  private static func files(in folder: URL) throws -> [URL] {
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".jsonl") }.map { folder.appendingPathComponent($0) }
  }

  /// Takes lines out of the files; a file without an exchange is removed, and the folder with the last file.
  func remove(_ entries: [Entry]) throws {
    for (file, decided) in Dictionary(grouping: entries, by: \.file) {
      let gone = Set(decided.map(\.exchange))
      let lines = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n"))
      let kept = lines.filter { line in
        guard case .exchange(let exchange)? = DraftLine(line) else { return DraftLine(line) != nil }
        return !gone.contains(exchange)
      }
      let hasExchange = kept.contains { line in
        if case .exchange? = DraftLine(line) { true } else { false }
      }
      if hasExchange {
        let new = file.appendingPathExtension("new")
        let text = kept.reduce(into: Data()) { $0 += $1 + [UInt8(ascii: "\n")] }
        try text.write(to: new)
        chmod(new.path, 0o600)
        guard rename(new.path, file.path) == 0 else {
          throw CommandError("cannot replace \(CatalogLocator.display(file))")
        }
      } else {
        try FileManager.default.removeItem(at: file)
      }
    }
    guard FileManager.default.fileExists(atPath: folder.path) else { return }
    if try Self.files(in: folder).isEmpty {
      try FileManager.default.removeItem(at: folder)
    } else {
      try removeContents()
    }
  }

  /// Removes the files with contents that no line has any more.
  private func removeContents() throws {
    var used: Set<String> = []
    for file in try Self.files(in: folder) {
      for line in try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")) {
        guard case .exchange(let exchange)? = DraftLine(line) else { continue }
        used.formUnion(exchange.files.values)
      }
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.hasSuffix(DraftContents.fileEnding) && !used.contains(name) {
      try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
  }

  /// A process that may still write to the draft; nil if there is none.
  var livingProcess: String? {
    files.first { AppendedFile.isOpen(atPath: $0.path) }.map {
      String($0.lastPathComponent.prefix { $0 != "-" && $0 != "." })
    }
  }
}

extension DraftExchange {
  /// The exchange as an import reads it; nil if it is damaged.
  func recorded(log: ReportLog) -> RecordedExchange? {
    guard let stub = try? Stub(documentValue: stub), let response = stub.responses.first,
      case .string(let method)? = self.stub.value(at: JSONPointer(["request", "method"])),
      case .string(let url)? = self.stub.value(at: JSONPointer(["request", "url"]))
    else { return nil }
    var answer = RecordedAnswer(status: response.status)
    answer.keptByteCount = response.fault == .truncated ? response.afterBytes : nil
    answer.headers = RecordedHeaders(
      response.headers.map { RecordedHeaders.Field($0.name.rawName, $0.value) })
    answer.body = Self.body(of: self.stub.value(at: JSONPointer(["responses", "0"])))
    var error: String?
    if case .string(let name)? = self.stub.value(at: JSONPointer(["responses", "0", "error"])) {
      error = name
    }
    var exchange = RecordedExchange(
      method: method, url: url, outcome: error.map { .failure($0) } ?? .answer(answer),
      source: ReportSource(file: process, log: log))
    exchange.requestHeaders = RecordedHeaders(
      Self.fields(self.stub.value(at: JSONPointer(["request", "headers"]))))
    exchange.requestBody = Self.requestBody(self.stub.value(at: JSONPointer(["request", "body"])))
    exchange.recordedDay = stub.recorded?.at
    return exchange
  }

  private static func fields(_ value: JSONValue?) -> [RecordedHeaders.Field] {
    guard case .object(let members)? = value else { return [] }
    return members.sorted { $0.key < $1.key }.flatMap { name, value -> [RecordedHeaders.Field] in
      switch value {
      case .string(let text): [RecordedHeaders.Field(name, text)]
      case .array(let list):
        list.compactMap { element in
          if case .string(let text) = element { RecordedHeaders.Field(name, text) } else { nil }
        }
      default: []
      }
    }
  }

  private static func requestBody(_ value: JSONValue?) -> RecordedBody {
    guard case .object(let members)? = value else { return .none }
    if let json = members["equalToJson"] { return .text(json.canonicalText) }
    if case .string(let text)? = members["equalTo"] { return .text(text) }
    if case .string(let text)? = members["binaryEqualTo"], let bytes = Data(base64Encoded: text) {
      return .bytes(bytes)
    }
    return .none
  }

  private static func body(of response: JSONValue?) -> RecordedBody {
    guard case .object(let members)? = response else { return .none }
    if let json = members["json"] { return .text(json.canonicalText) }
    if case .string(let text)? = members["text"] { return .text(text) }
    if case .string(let text)? = members["base64"], let bytes = Data(base64Encoded: text) {
      return .bytes(bytes)
    }
    return .none
  }
}
