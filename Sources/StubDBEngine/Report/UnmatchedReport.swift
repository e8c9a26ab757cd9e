package import HTTPTypes
internal import StubDBJSON
public import StubDBModel
internal import StubDBSupport

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
  /// The scenarios on top of it, which commands that ask again repeat.
  package var overlays: [String] = []
  /// The day that it was, which they repeat; nil for that of the clock.
  package var today: String?
  /// By how many seconds the dates of the request are moved where it is compared.
  package var shift = 0
  /// Whether the commands name the catalog; false if they find it without that.
  package var commandsNameCatalog = true
  /// The argument that was typed for the request's content; the command that compares it again repeats a file name.
  package var typedContent: String?
  /// The header fields that stubs look at, which commands repeat; nil if it is not known which.
  package var comparedFields: Set<HTTPField.Name>?
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
  public var text: String { SecretDisplay.withoutTokens(wholePieces.map(\.text).joined()) }

  /// A piece of the text, which a terminal may color.
  package struct Piece {
    /// What the piece says.
    package enum Kind {
      case plain
      /// What a stub requires.
      case expected
      /// What the request has instead.
      case actual
    }

    package let kind: Kind
    package let text: String

    fileprivate init(_ text: String, _ kind: Kind = .plain) {
      (self.text, self.kind) = (text, kind)
    }
  }

  /// The text in pieces, in order.
  package var pieces: [Piece] {
    wholePieces.map { Piece(SecretDisplay.withoutTokens($0.text), $0.kind) }
  }

  private var wholePieces: [Piece] {
    if isOnClosures { return [Piece(closureText)] }
    let commands = catalog == nil ? "" : FollowUpCommands(self).text
    let blocks = nearMisses.enumerated().map { [Piece("\n\n")] + block($0 + 1, $1) }
    return [Piece(heading)] + blocks.joined() + (commands.isEmpty ? [] : [Piece("\n\n" + commands)])
  }

  /// The header fields that alone tell the request from one that a near stub answers.
  var distinguishingFields: [HTTPField.Name] {
    var names: [HTTPField.Name] = []
    for miss in nearMisses where miss.mismatches.allSatisfy({ $0.part.isHeaderOfRequest }) {
      for name in miss.mismatches.compactMap({ $0.part.name.flatMap { HTTPField.Name($0) } })
      where !names.contains(name) {
        names.append(name)
      }
    }
    return names
  }

  private var heading: String {
    let nearest =
      switch nearMisses.count {
      case 0: "There is no stub to compare it with."
      case 1: "The nearest stub, and what differs (✗):"
      default: "The nearest stubs, and what differs (✗):"
      }
    let (count, rest) = abs(shift).quotientAndRemainder(dividingBy: 86_400)
    let time = rest == 0 ? Plural.of(count, "day") : Plural.of(abs(shift), "second")
    let moved =
      shift == 0 || nearMisses.isEmpty
      ? ""
      : "\nIts dates are compared as on the day of the recording, \(time) \(shift < 0 ? "earlier" : "later")."
    return "No stub of scenario \"\(scenario)\" answers\n  \(request.title)\(moved)\n\n\(nearest)"
  }

  private func block(_ number: Int, _ miss: NearMiss) -> [Piece] {
    let origin = miss.scenario == scenario ? "" : " of \(miss.scenario)"
    let titles = miss.mismatches.map { mismatch in
      let place = mismatch.pointer.map { $0.tokens.isEmpty ? "" : " \($0)" } ?? ""
      return TextExcerpt.visible("\(mismatch.part)\(place)"[...])
    }
    let width = min(30, titles.map(\.count).max() ?? 0)
    func shown(_ text: String) -> String { TextExcerpt.visible(SecretDisplay.text(text)[...]) }
    let (key, pattern) = (shown(miss.key), shown(miss.pattern))
    return [Piece("  \(number). \(key)\(origin): \(pattern)")]
      + zip(titles, miss.mismatches).flatMap { title, mismatch in
        Self.pieces(title: title, width: width, mismatch)
      }
  }

  /// The part and the expected value on one line, the actual value below in the same column.
  private static func pieces(title: String, width: Int, _ mismatch: Mismatch) -> [Piece] {
    let column = "       " + String(repeating: " ", count: width)
    let gap =
      title.count <= width
      ? String(repeating: " ", count: width - title.count) : "\n\(column)"
    return [
      Piece("\n     ✗ \(title)\(gap)  expected  "), Piece(mismatch.expected, .expected),
      Piece("\n\(column)  actual    "), Piece(mismatch.actual, .actual),
    ]
  }
}

extension Mismatch.Part {
  fileprivate var isHeaderOfRequest: Bool { kind == .header && container == nil }
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
