package import Foundation
internal import HTTPTypes
internal import StubDBCatalog
internal import StubDBEngine
internal import StubDBJobs
internal import StubDBPlayback
internal import StubDBServing

/// Four customers who pay at the same time, each in a run of its own.
///
/// If `stubdb-demo` exists beside this program, each of them uses a real URLSession through it. It is a program of its
/// own because loading Foundation's networking would make every other command start four times as slowly on Linux.
/// Otherwise, as with an installed `stubdb`, the requests go to the engine directly.
package struct DemoCustomers {
  /// The URL that they call.
  package static let charges = "https://api.shop.test/v1/charges?expand=customer"
  private static let count = 4

  private let catalog: URL
  private let scenario: String

  /// Customers of a scenario of a catalog.
  package init(catalog: URL, scenario: String) {
    (self.catalog, self.scenario) = (catalog, scenario)
  }

  /// The responses of each customer, in order, and whether they came through a URLSession.
  ///
  /// - Throws: ``JobError`` if `stubdb-demo` fails, and the errors of the catalog.
  package func pay() throws -> (lines: [String], isThroughURLSession: Bool) {
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
    let end = try Program([program.path, catalog.path, scenario]).run(errors: .inherited)
    guard end.code == 0 else {
      throw JobError(.program, "\(program.path) ended with \(String(end.code))")
    }
    return String(decoding: end.output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func playedLines() throws -> [String] {
    let loaded = try Catalog(contentsOf: catalog).load(scenario)
    let request = StubRequest(
      method: "POST", url: Self.charges, headers: [.authorization: "Bearer demo"],
      body: .bytes(Data(#"{"amount": 1200}"#.utf8)))
    let answers = Answers(count: Self.count)
    DispatchQueue.concurrentPerform(iterations: Self.count) { index in
      let player = Player(loaded, options: PlaybackOptions(pace: .instant))
      let texts = (1...2).map { _ in Self.text(of: try? PlayedAnswer(to: request, from: player)) }
      answers.set("customer \(index + 1): \(texts.joined(separator: ", then "))", at: index)
    }
    return answers.lines
  }

  private static func text(of answer: PlayedAnswer?) -> String {
    guard let answer, let head = answer.head else { return "no answer" }
    return "\(head.status) \(String(decoding: answer.content, as: UTF8.self))"
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
