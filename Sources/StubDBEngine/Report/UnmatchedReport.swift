public import StubDBModel

/// What a person reads about a request that no stub answered.
public struct UnmatchedReport: Hashable, Sendable {
  /// The request.
  public var request: StubRequest
  /// The scenario that was played.
  public var scenario: ScenarioName
  /// The nearest stubs, nearest first.
  public var nearMisses: [NearMiss]
  /// Other scenarios in which a stub matches; empty when none does or nobody looked.
  public var otherScenarios: [ScenarioName]

  /// Makes a report.
  public init(
    request: StubRequest, scenario: ScenarioName, nearMisses: [NearMiss],
    otherScenarios: [ScenarioName] = []
  ) {
    self.request = request
    self.scenario = scenario
    self.nearMisses = nearMisses
    self.otherScenarios = otherScenarios
  }

  /// Several lines of plain text without colour and without a line break at the end.
  ///
  /// Shows values of the request, since whoever reads it needs them; long ones are cut.
  public var text: String {
    let blocks = [heading] + nearMisses.enumerated().map { block($0 + 1, $1) } + [advice]
    return blocks.joined(separator: "\n\n")
  }

  private var heading: String {
    let request = "  \(request.method) \(TextExcerpt.plain(request.url))"
    let nearest =
      switch nearMisses.count {
      case 0: "There is no stub to compare it with."
      case 1: "The nearest stub, and what is off (✗):"
      default: "The nearest stubs, and what is off (✗):"
      }
    return "No stub of scenario \"\(scenario)\" answers\n\(request)\n\n\(nearest)"
  }

  private func block(_ number: Int, _ miss: NearMiss) -> String {
    let origin = miss.scenario == scenario ? "" : " of \(miss.scenario)"
    let titles = miss.mismatches.map { mismatch in
      mismatch.part + (mismatch.pointer.map { $0.tokens.isEmpty ? "" : " \($0)" } ?? "")
    }
    let width = min(30, titles.map(\.count).max() ?? 0)
    let lines = zip(titles, miss.mismatches).flatMap { title, mismatch in
      Self.lines(title: title, width: width, mismatch)
    }
    return (["  \(number). \(miss.key)\(origin): \(miss.pattern)"] + lines)
      .joined(separator: "\n")
  }

  /// The part and what was expected on one line, what came below it in the same column.
  private static func lines(title: String, width: Int, _ mismatch: Mismatch) -> [String] {
    let gap = String(repeating: " ", count: width)
    let expected = "  expected  \(mismatch.expected)"
    let actual = "       \(gap)  actual    \(mismatch.actual)"
    guard title.count <= width else {
      return ["     ✗ \(title)", "       \(gap)\(expected)", actual]
    }
    let padding = String(repeating: " ", count: width - title.count)
    return ["     ✗ \(title)\(padding)\(expected)", actual]
  }

  private var advice: String {
    var lines: [String] = []
    if let other = otherScenarios.first {
      let more = otherScenarios.count > 1 ? " (and \(otherScenarios.count - 1) more)" : ""
      lines += [
        "A stub of scenario \"\(other)\"\(more) matches. To play it too, add it to \"includes\":",
        "  stubdb edit \(scenario)",
      ]
    }
    if let nearest = nearMisses.first, nearest.mismatches.map(\.part) == ["responses"] {
      lines += [
        "The stub is used up. To let it answer more often, change its \"then\" or \"repeat\":",
        "  stubdb edit \(nearest.scenario)",
      ]
    }
    let request = "\(ShellWord.quoted(self.request.method)) \(ShellWord.quoted(shortURL))"
    if !nearMisses.isEmpty {
      lines += ["To compare it again:", "  stubdb match \(scenario) \(request)\(data)"]
    }
    let method = ShellWord.quoted(self.request.method)
    lines += [
      "To answer it with a stub of its own:",
      "  stubdb add \(scenario) --method \(method) --url \(ShellWord.quoted(shortURL)) --status 200",
    ]
    return lines.joined(separator: "\n")
  }

  /// The URL where it is of a length that somebody can copy.
  private var shortURL: String { request.url.utf8.count <= 2_000 ? request.url : "URL" }

  /// The option that gives short text content to the command.
  private var data: String {
    guard case .bytes(let data) = request.body, data.count <= TextExcerpt.limit,
      case .value(let text) = PreparedBody(request, context: MatchContext()).text,
      text.utf8.count <= TextExcerpt.limit, text.utf8.first != UInt8(ascii: "@"),
      text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return "" }
    return " --data \(ShellWord.quoted(text))"
  }
}
