package import HTTPTypes
internal import StubDBJSON
public import StubDBModel

/// The report on a request that no stub answered.
public struct UnmatchedReport: Hashable, Sendable {
  /// The request.
  public var request: StubRequest
  /// The scenario that was played.
  public var scenario: ScenarioName
  /// The nearest stubs, nearest first.
  public var nearMisses: [NearMiss]
  /// Other scenarios in which a stub matches, the most specific first; empty if there are none, or if none were
  /// searched.
  public var otherScenarios: [ScenarioName]
  /// The path of the scenario's catalog; nil for a scenario made in memory, which commands cannot change.
  public var catalog: String?
  /// Whether the commands name the catalog; false if they find it without that.
  package var commandsNameCatalog = true
  /// The argument that was typed for the request's content; the command that compares it again repeats a file name.
  package var typedContent: String?
  /// The header fields that no stub looks at and every client adds, which commands leave out.
  package var ignoredFields: Set<HTTPField.Name> = []
  /// Whether only closures could have answered, so that there is no scenario to change.
  package var isOnClosures = false
  /// The words that the commands begin with.
  package var programWords = ["stubdb"]

  /// Makes a report.
  package init(
    request: StubRequest, scenario: ScenarioName, nearMisses: [NearMiss],
    otherScenarios: [ScenarioName] = [], catalog: String? = nil
  ) {
    self.request = request
    self.scenario = scenario
    self.nearMisses = nearMisses
    self.otherScenarios = otherScenarios
    self.catalog = catalog
  }

  /// Several lines of plain text without colors and without a final line break.
  ///
  /// Shows values of the request, because readers need them. Long values are shortened, and secret ones replaced by
  /// their length unless `STUBDB_SHOW_SECRETS` is `1` in the environment.
  public var text: String {
    if isOnClosures { return closureText }
    let commands = catalog == nil ? [] : [FollowUpCommands(self).text]
    let blocks = [heading] + nearMisses.enumerated().map { block($0 + 1, $1) } + commands
    return blocks.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private var heading: String {
    let request = "  \(request.method) \(TextExcerpt.plain(SecretDisplay.text(request.url)))"
    let nearest =
      switch nearMisses.count {
      case 0: "There is no stub to compare it with."
      case 1: "The nearest stub, and what differs (✗):"
      default: "The nearest stubs, and what differs (✗):"
      }
    return "No stub of scenario \"\(scenario)\" answers\n\(request)\n\n\(nearest)"
  }

  private func block(_ number: Int, _ miss: NearMiss) -> String {
    let origin = miss.scenario == scenario ? "" : " of \(miss.scenario)"
    let titles = miss.mismatches.map { mismatch in
      mismatch.part.description + (mismatch.pointer.map { $0.tokens.isEmpty ? "" : " \($0)" } ?? "")
    }
    let width = min(30, titles.map(\.count).max() ?? 0)
    let lines = zip(titles, miss.mismatches).flatMap { title, mismatch in
      Self.lines(title: title, width: width, mismatch)
    }
    let (key, pattern) = (SecretDisplay.text(miss.key), SecretDisplay.text(miss.pattern))
    return (["  \(number). \(key)\(origin): \(pattern)"] + lines)
      .joined(separator: "\n")
  }

  /// The part and the expected value on one line, the actual value below in the same column.
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
}

extension UnmatchedReport {
  fileprivate var closureText: String {
    let url = SecretDisplay.text(request.url)
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let known = HTTPRequest.Method(request.method).flatMap { Self.methodNames[$0] }
    let asked =
      known.map { ".\($0), \"\(path)\"" }
      ?? "matching: RequestPattern(method: HTTPRequest.Method(\"\(request.method)\"), url: \"\(path)\")"
    return """
      No closure of this interceptor answers
        \(request.method) \(url)

      To answer it:
        try interceptor.stub(\(asked)) { request in .json([:]) }
      """
  }

  /// The methods that swift-http-types has names for.
  private static let methodNames: [HTTPRequest.Method: String] = [
    .get: "get", .head: "head", .post: "post", .put: "put", .delete: "delete",
    .connect: "connect", .options: "options", .trace: "trace", .patch: "patch",
  ]
}
