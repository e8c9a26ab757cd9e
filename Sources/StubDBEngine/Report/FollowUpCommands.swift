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
  private static let longest = (text: 1_000, url: 2_000)

  /// The header fields that clients add to all requests by themselves.
  static let fieldsOfClients: Set<HTTPField.Name> = Set(
    [.accept, .acceptEncoding, .acceptLanguage, .connection, .contentLength, .userAgent]
      + [HTTPField.Name("Host")].compactMap(\.self))

  private let report: UnmatchedReport
  private let request: StubRequest
  /// The header fields that may matter, and those of them that a command has.
  private let asked: [HTTPField]
  private let fields: [HTTPField]
  private let data: String?
  private let url: String

  init(_ report: UnmatchedReport) {
    self.report = report
    request = report.request
    url = Self.short(SecretDisplay.text(request.url, as: .placeholder))
    asked = Array(request.headers).filter { !report.ignoredFields.contains($0.name) }
    fields =
      asked
      .filter { $0.value.utf8.count <= TextExcerpt.limit && Self.isPrintable($0.value) }
      .prefix(Self.mostFields).map { $0 }
    data = Self.fileArgument(report.typedContent) ?? Self.data(of: request)
  }

  /// A line with the purpose and the command below it, for each.
  var text: String {
    var lines: [String] = []
    if let other = report.otherScenarios.first {
      let rest = report.otherScenarios.count - 1
      let more = rest > 0 ? " (and of \(rest) more)" : ""
      lines += [
        "A stub of scenario \"\(other)\"\(more) answers it. To play that scenario too:",
        command("set", options: CommandWords.option("--include", other.rawValue)),
      ]
    }
    if let nearest = report.nearMisses.first, nearest.isHeldBack {
      guard nearest.mismatches[0].part.kind == .responses else {
        return lines.joined(separator: "\n")
      }
      lines += repeating(nearest)
      return lines.joined(separator: "\n")
    }
    if !report.nearMisses.isEmpty {
      lines += [
        "To compare it again\(leftOut)\(filledIn):", match(as: request.method),
      ]
    }
    lines += answering
    return lines.joined(separator: "\n")
  }

  /// How to answer the request with a stub of its own; for a method such as `get`, which no stub may ask for, how to
  /// compare the request with the method that was probably meant.
  private var answering: [String] {
    let meant = request.method.uppercased()
    if !Self.isMethodOfStubs(request.method), Self.isMethodOfStubs(meant) {
      return [
        "Methods are case-sensitive. To compare it as \(meant)\(leftOut)\(filledIn):",
        match(as: meant),
      ]
    }
    return ["To answer it with a stub of its own:", command("add", options: addOptions)]
  }

  private static func isMethodOfStubs(_ method: String) -> Bool {
    // Only whether it can be read matters.
    (try? RequestPattern(methodText: method, url: "/")) != nil
  }

  /// The command that makes a used-up stub answer again; `edit` if its key looks like a secret, which is not printed.
  private func repeating(_ stub: NearMiss) -> [String] {
    if let catalog = ScenarioReference(stub.scenario.rawValue)?.catalog {
      return [
        "The stub is used up, and it is of the catalog \(catalog): change it there, or answer the request with a stub "
          + "of its own:",
        command("add", options: addOptions),
      ]
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

  private func command(
    _ name: String, _ arguments: [String] = [], options: [String] = [],
    of scenario: ScenarioName? = nil
  ) -> String {
    let catalog = report.commandsNameCatalog ? report.catalog.map(Self.fromHere) : nil
    let words = CommandWords.arranged(
      [(scenario ?? report.scenario).rawValue] + arguments,
      options + (catalog.map { ["--catalog", $0] } ?? []))
    return "  "
      + (report.programWords + [name] + words).map(ShellWord.quotedOnOneLine).joined(separator: " ")
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
    return command(
      "match", [method, url], options: headers + (data.map { ["--data", $0] } ?? []))
  }

  /// The URL without user information, fragment and secrets in the query, with what stands for any text in a pattern
  /// as text.
  private var addOptions: [String] {
    var url = request.url
    url = String(url[..<(url.firstIndex(of: "#") ?? url.endIndex)])
    if let user = URLParts(url)?.userInformation, let range = url.firstRange(of: user + "@") {
      url.removeSubrange(range)
    }
    url = Self.withoutSecretParameters(url)
    url = url.replacing("{", with: "%7B").replacing("}", with: "%7D")
    let method = Self.isMethodOfStubs(request.method) ? ["--method", request.method] : []
    return method + ["--url", Self.short(Self.escapingStars(url)), "--status", "200"]
  }

  /// The URL with every segment `**` of its path percent-encoded.
  private static func escapingStars(_ url: String) -> String {
    let end = url.firstIndex(of: "?") ?? url.endIndex
    let segments = url[..<end].split(separator: "/", omittingEmptySubsequences: false).map {
      $0 == "**" ? "%2A%2A" : $0
    }
    return segments.joined(separator: "/") + url[end...]
  }

  /// A stub without the parameter matches whatever its value is.
  private static func withoutSecretParameters(_ url: String) -> String {
    guard let mark = url.firstIndex(of: "?") else { return url }
    let items = url[url.index(after: mark)...].split(separator: "&").filter { item in
      let parts = item.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { return true }
      return !SensitiveName.hides(String(parts[0]), value: String(parts[1]))
    }
    return String(url[..<mark]) + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
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
    guard let text = text(of: request), !text.isEmpty, text.utf8.count <= longest.text,
      isPrintable(text), SecretDisplay.isShown || !text.utf8.contains(0x0D)
    else { return nil }
    // Content with CR LF may be multipart, in which the name of a secret can be far from it.
    let typed = SecretDisplay.text(text, as: .placeholder)
    // A text that begins with `@` would name a file.
    return typed.hasPrefix("@") ? "@" + typed : typed
  }

  /// The argument that was typed for the content, if it names a file.
  private static func fileArgument(_ typed: String?) -> String? {
    guard let typed, typed.hasPrefix("@"), !typed.hasPrefix("@@"), typed != "@-" else { return nil }
    return typed
  }

  private static func text(of request: StubRequest) -> String? {
    guard case .bytes(let data) = request.body.kind, data.count <= longest.text,
      case .value(let text) = PreparedBody(request, context: MatchContext()).text
    else { return nil }
    return text
  }

  private static func isPrintable(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0D].contains($0) }
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
