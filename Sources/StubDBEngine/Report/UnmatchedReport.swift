import HTTPTypes
public import StubDBModel

/// What a person reads about a request that no stub answered.
public struct UnmatchedReport: Hashable, Sendable {
  /// More header fields than this make no command that anybody copies.
  private static let mostFields = 8

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
    if !nearMisses.isEmpty {
      lines += ["To compare it again\(leftOut):", "  stubdb match \(scenario) \(matchArguments)"]
    }
    lines += ["To answer it with a stub of its own:", "  stubdb add \(scenario) \(addArguments)"]
    return lines.joined(separator: "\n")
  }

  private var matchArguments: String {
    let words =
      [request.method, Self.short(request.url)]
      + shownFields.flatMap { field in
        ["--header", "\(field.name.rawName): \(field.value)"]
      }
    return words.map(ShellWord.quoted).joined(separator: " ") + data
  }

  /// What the command takes: no user information and no fragment, braces as text, and no method that is none of HTTP's own spelling.
  private var addArguments: String {
    var url = request.url
    url = String(url[..<(url.firstIndex(of: "#") ?? url.endIndex)])
    if let user = URLParts(url)?.userInformation, let range = url.firstRange(of: user + "@") {
      url.removeSubrange(range)
    }
    url = url.replacing("{", with: "%7B").replacing("}", with: "%7D")
    let isUpperCase = request.method.uppercased() == request.method
    let words = (isUpperCase ? ["--method", request.method] : []) + ["--url", Self.short(url)]
    return words.map(ShellWord.quoted).joined(separator: " ") + " --status 200"
  }

  /// The URL where it is of a length that somebody can copy.
  private static func short(_ url: String) -> String { url.utf8.count <= 2_000 ? url : "URL" }

  /// The header fields that somebody can copy; not those that hold secrets, which nobody needs in a log.
  private var shownFields: [HTTPField] {
    let secret: Set<HTTPField.Name> = [.authorization, .proxyAuthorization, .cookie]
    return request.headers
      .filter { field in
        !secret.contains(field.name) && field.value.utf8.count <= TextExcerpt.limit
          && Self.isPrintable(field.value)
      }
      .prefix(Self.mostFields).map { $0 }
  }

  /// What the command does not say, as the end of a phrase.
  private var leftOut: String {
    let shown = Set(shownFields)
    var parts = request.headers.filter { !shown.contains($0) }.map(\.name.rawName)
    if parts.count > 3 { parts = ["\(parts.count) of its header fields"] }
    if data.isEmpty, request.content?.isEmpty != true { parts.append("its content") }
    guard let last = parts.popLast() else { return "" }
    return ", without " + (parts.isEmpty ? "" : parts.joined(separator: ", ") + " and ") + last
  }

  /// The option that gives short text content to the command.
  private var data: String {
    guard case .bytes(let data) = request.body, data.count <= TextExcerpt.limit,
      case .value(let text) = PreparedBody(request, context: MatchContext()).text,
      text.utf8.count <= TextExcerpt.limit, text.utf8.first != UInt8(ascii: "@"),
      Self.isPrintable(text)
    else { return "" }
    return " --data \(ShellWord.quoted(text))"
  }

  private static func isPrintable(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}
