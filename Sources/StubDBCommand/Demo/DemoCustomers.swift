import Foundation
import HTTPTypes
import StubDBCatalog
import StubDBEngine
import StubDBModel
import StubDBSupport

/// Four customers who pay at the same time, each in a run of its own.
///
/// If `stubdb-demo` exists beside this program, each of them uses a real URLSession through it. It is a program of its
/// own because loading Foundation's networking would make every other command start four times as slowly on Linux.
/// Otherwise, as with an installed `stubdb`, the requests go to the engine directly.
struct DemoCustomers {
  private static let count = 4

  let catalog: URL
  let scenario: String

  /// The responses of each customer, in order, and whether they came through a URLSession.
  ///
  /// - Throws: ``CommandFailure`` if `stubdb-demo` fails, and the errors of the catalog.
  func pay() throws -> (lines: [String], isThroughURLSession: Bool) {
    if let program = Self.program { return (try lines(of: program), true) }
    return (try playedLines(), false)
  }

  /// The path of `stubdb-demo` beside this program; nil if it does not exist.
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

  /// The responses of each customer.
  ///
  /// Unchecked because it is accessed only with the lock held.
  private final class Answers: @unchecked Sendable {
    private let lock = NSLock()
    private var texts: [String]

    init(count: Int) { texts = Array(repeating: "", count: count) }

    func set(_ text: String, at index: Int) { lock.withLock { texts[index] = text } }

    var lines: [String] { lock.withLock { texts } }
  }
}
