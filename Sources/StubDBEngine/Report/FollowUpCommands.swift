import Foundation
import HTTPTypes
import StubDBModel
import StubDBSupport

/// The commands to type next after an unmatched request.
///
/// They work as printed from the current folder. Secrets are replaced by ``SecretDisplay/placeholder``.
struct FollowUpCommands {
  /// The largest number of header fields in a command.
  private static let mostFields = 8
  /// The longest text or URL in a command.
  static let longest = (text: 4_000, url: 2_000)

  private let report: UnmatchedReport
  private let request: StubRequest
  /// The header fields that stubs look at, and those of them that a command has.
  private let asked: [HTTPField]
  private let fields: [HTTPField]
  private let data: String?
  private let url: String

  init(_ report: UnmatchedReport) {
    self.report = report
    request = report.request
    url = Self.short(SecretDisplay.text(request.url, as: .placeholder))
    asked = Array(request.headers).filter { report.comparedFields?.contains($0.name) ?? true }
    fields =
      asked
      .filter { $0.value.utf8.count <= TextExcerpt.limit && Self.isTypable($0.value) }
      .prefix(Self.mostFields).map { $0 }
    data = Self.fileArgument(report.typedContent) ?? Self.data(of: request)
  }

  /// A line with the purpose and the command below it, for each.
  var text: String { (repairs + including).joined(separator: "\n") }

  private var repairs: [String] {
    if let nearest = report.nearMisses.first, nearest.isHeldBack {
      return nearest.mismatches[0].part.kind == .responses ? repeating(nearest) : []
    }
    let comparing =
      report.nearMisses.isEmpty
      ? [] : ["To compare it again\(leftOut)\(filledIn):", match(as: request.method)]
    let freed = report.nearMisses.first.map { freeing($0) } ?? []
    return comparing + freed + answering
  }

  /// How to play another scenario too, which may answer more than this request.
  private var including: [String] {
    guard let other = report.otherScenarios.first else { return [] }
    let rest = report.otherScenarios.count - 1
    let more = rest > 0 ? " (and of \(rest) more)" : ""
    return [
      "A stub of scenario \"\(other)\"\(more) answers it. To play that scenario too:",
      command("set", options: CommandWords.option("--include", other.rawValue)),
    ]
  }

  /// How to answer the request with a stub of its own; for a method such as `get`, which no stub may ask for, how to
  /// compare the request with the method that was probably meant.
  private var answering: [String] {
    let meant = request.method.uppercased()
    if !RequestPattern.isMethod(request.method), RequestPattern.isMethod(meant) {
      return [
        "Methods are case-sensitive. To compare it as \(meant)\(leftOut)\(filledIn):",
        match(as: meant),
      ]
    }
    return adding("To answer it")
  }

  /// The command that adds a stub for this request and no other, below what it does.
  private func adding(_ purpose: String) -> [String] {
    let addition = AdditionOptions(
      for: request, distinguishedBy: report.distinguishingFields,
      file: Self.fileArgument(report.typedContent))
    guard let words = addition.words else {
      return ["\(purpose), add a stub; its URL cannot be repeated in a command."]
    }
    let free = addition.freed + addition.open
    let reach =
      free.isEmpty ? "and no other request" : "whatever its \(free.joined(separator: " and "))"
    return [
      "\(purpose), \(reach) (the answer is empty; add --json or --text to fill it):",
      command("add", options: words),
    ]
  }

  /// The command that makes a used-up stub answer again; `edit` if its key looks like a secret, which is not printed.
  private func repeating(_ stub: NearMiss) -> [String] {
    if let catalog = ScenarioReference(stub.scenario.rawValue)?.catalog {
      return adding(
        "The stub is used up, and it is of the catalog \(catalog): change it there. To answer it here"
      )
    }
    let purpose = "The stub is used up. To let it answer with its last response from then on"
    guard SecretDisplay.text(stub.key) == stub.key else {
      return [
        purpose + ", give it \"then\": \"repeatLast\":", command("edit", of: stub.scenario),
      ]
    }
    return [
      purpose + ":",
      command("set", [stub.key], options: ["--then", "repeatLast"], of: stub.scenario),
    ]
  }

  /// How to let a stub match any value where it asks for the placeholder of a secret; empty if it does not.
  private func freeing(_ stub: NearMiss) -> [String] {
    let places = PlaceholderPlaces(stub)
    guard let anyValue = places.anyValue else { return [] }
    var purpose = "The stub asks for a placeholder, which only an answer gives to clients. "
    if let catalog = ScenarioReference(stub.scenario.rawValue)?.catalog {
      return [purpose + "It is of the catalog \(catalog): change it there."]
    }
    purpose += "To let any value match there"
    guard let pattern = places.pattern, SecretDisplay.text(stub.key) == stub.key else {
      return [
        purpose + ", put \(anyValue) in its place:", command("edit", of: stub.scenario),
      ]
    }
    return [
      purpose + ":", command("set", [stub.key], options: ["--when", pattern], of: stub.scenario),
    ]
  }

  private func command(
    _ name: String, _ arguments: [String] = [], options: [String] = [],
    of scenario: ScenarioName? = nil
  ) -> String {
    let catalog = report.commandsNameCatalog ? report.catalog.map(Self.fromHere) : nil
    let words = CommandWords.arranged(
      [(scenario ?? report.scenario).rawValue] + arguments,
      options + (catalog.map { ["--catalog", $0] } ?? []))
    return "  "
      + (report.programWords + [name] + words)
      .map { ShellWord.quotedOnOneLine(SecretDisplay.withoutTokens($0, as: .placeholder)) }
      .joined(separator: " ")
  }

  /// The path relative to the current folder.
  private static func fromHere(_ path: String) -> String {
    let folder = FileManager.default.currentDirectoryPath + "/"
    return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
  }

  private func match(as method: String) -> String {
    let headers = fields.flatMap { field in
      ["--header", "\(field.name.rawName): \(Self.typed(field))"]
    }
    let data = data.map { ["--data", $0] } ?? []
    let run = report.overlays.flatMap { CommandWords.option("--overlay", $0) }
    let today = report.today.map { ["--today", $0] } ?? []
    return command("match", [method, url], options: headers + data + run + today)
  }

  /// The URL if it is not too long.
  private static func short(_ url: String) -> String {
    url.utf8.count <= longest.url ? url : "URL"
  }

  private static func typed(_ field: HTTPField) -> String {
    SecretDisplay.value(field.value, of: field.name.rawName, as: .placeholder)
  }

  /// What the command leaves out, as the end of a phrase.
  private var leftOut: String {
    let shown = Set(fields)
    var parts = asked.filter { !shown.contains($0) }.map(\.name.rawName)
    if parts.count > 3 { parts = ["\(parts.count) of its header fields"] }
    if data == nil, request.content?.isEmpty != true { parts.append("its content") }
    guard let last = parts.popLast() else { return "" }
    return ", without " + (parts.isEmpty ? "" : parts.joined(separator: ", ") + " and ") + last
  }

  /// What the user has to fill in, as the end of a phrase.
  private var filledIn: String {
    let typed = [url, data ?? ""] + fields.map(Self.typed)
    let given = [request.url, Self.text(of: request) ?? data ?? ""] + fields.map(\.value)
    return zip(typed, given).contains { $0.contains(SecretDisplay.placeholder) && $0 != $1 }
      ? " (put the secrets in the place of \(SecretDisplay.placeholder))" : ""
  }

  /// The argument of the option for content; nil without content, or if it is too long.
  private static func data(of request: StubRequest) -> String? {
    guard let text = text(of: request), !text.isEmpty, isTypable(text),
      // Its boundary is another one in each request.
      request.headers[.contentType]?.lowercased().hasPrefix("multipart/") != true
    else { return nil }
    let typed = SecretDisplay.text(text, as: .placeholder)
    // A text that begins with `@` would name a file.
    return typed.hasPrefix("@") ? "@" + typed : typed
  }

  /// The argument that was typed for the content, if it names a file.
  private static func fileArgument(_ typed: String?) -> String? {
    guard let typed, typed.hasPrefix("@"), !typed.hasPrefix("@@"), typed != "@-" else { return nil }
    return typed
  }

  /// The content as text; nil if it is too long.
  static func text(of request: StubRequest) -> String? {
    guard case .bytes(let data) = request.body.kind, data.count <= longest.text,
      case .value(let text) = PreparedBody(request, context: MatchContext()).text
    else { return nil }
    return text
  }

  /// Whether a text can be a word of a command.
  static func isTypable(_ text: String) -> Bool {
    !text.utf8.contains(0) && text.utf8.count <= longest.text
  }
}

extension NearMiss {
  /// Whether the stub matches, and only the state of the run keeps it from answering.
  fileprivate var isHeldBack: Bool {
    mismatches.allSatisfy { mismatch in
      [.responses, .next, .flow].contains(mismatch.part.kind)
    }
  }
}
