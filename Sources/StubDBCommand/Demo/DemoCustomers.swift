import Foundation
import HTTPTypes
import StubDBCatalog
import StubDBEngine
import StubDBModel
import StubDBSupport

/// Four customers who pay at the same moment, each in a run of its own.
///
/// `stubdb-demo`, where it lies beside this program, has each of them use a real URLSession. It is a program of its own
/// because loading Foundation's networking would make every other command four times as slow to start on Linux.
/// An installed `stubdb` plays the same requests through the engine.
struct DemoCustomers {
  private static let count = 4

  let catalog: URL
  let scenario: String

  /// What came back to each customer, in order, and whether it came through a URLSession.
  ///
  /// - Throws: a ``CommandFailure`` if the program beside this one fails, or what the catalog throws.
  func pay() throws -> (lines: [String], isThroughURLSession: Bool) {
    if let program = Self.program { return (try lines(of: program), true) }
    return (try playedLines(), false)
  }

  /// `stubdb-demo` beside this program; nil if it is not there.
  private static var program: URL? {
    let folder = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
    guard let program = folder?.appendingPathComponent("stubdb-demo"),
      FileManager.default.isExecutableFile(atPath: program.path)
    else { return nil }
    return program
  }

  private func lines(of program: URL) throws -> [String] {
    let process = Process()
    let output = Pipe()
    process.executableURL = program
    process.arguments = [catalog.path, scenario]
    process.standardOutput = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw CommandFailure("\(program.path) ended with \(process.terminationStatus)")
    }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func playedLines() throws -> [String] {
    let loaded = try Catalog(contentsOf: catalog).load(scenario)
    let request = StubRequest(
      method: "POST", url: DemoStory.charges, headers: [.authorization: "Bearer demo"],
      body: .bytes(Data(#"{"amount": 1200}"#.utf8)))
    let answers = Answers(count: Self.count)
    DispatchQueue.concurrentPerform(iterations: Self.count) { index in
      let run = loaded.run(pace: .instant)
      let texts = (1...2).map { _ in Self.text(of: run.respond(to: request)) }
      answers.set("customer \(index + 1): \(texts.joined(separator: ", then "))", at: index)
    }
    return answers.lines
  }

  private static func text(of outcome: Outcome) -> String {
    guard case .respond(let plan, _) = outcome,
      case .response(let status, _, let body) = plan.action
    else { return "no answer" }
    var text = ""
    if case .bytes(let data)? = body?.content { text = String(decoding: data, as: UTF8.self) }
    return "\(status) \(text)"
  }

  /// What each customer got.
  ///
  /// Unchecked: only touched with the lock held.
  private final class Answers: @unchecked Sendable {
    private let lock = NSLock()
    private var texts: [String]

    init(count: Int) { texts = Array(repeating: "", count: count) }

    func set(_ text: String, at index: Int) { lock.withLock { texts[index] = text } }

    var lines: [String] { lock.withLock { texts } }
  }
}
