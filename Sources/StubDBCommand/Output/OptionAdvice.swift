import StubDBEngine
import StubDBSupport

/// What to write in place of an option that a command does not have.
enum OptionAdvice {
  private static let body = "The body of the response is --json, --text or --body-file."
  private static let key = "The key is a word of its own, after the scenario."
  private static let keyed = ["--key": key]
  private static let scenario = "The scenario is a word of its own, right after the command."
  private static let url = "The URL or path is --url."
  private static let written = [
    "--body": body, "--response-body": body, "--request": "The method is --method or -X.",
    "--path": url, "--url-path": url, "--response": "The answer is --status, --header and --json.",
    "--content-type": "It is --header 'Content-Type: text/plain'.",
    "--body-json": body, "--response-json": body,
  ]

  /// Advice on options of other commands and tools, by command.
  private static let known: [String: [String: String]] = [
    "add": written, "set": written.merging(keyed) { first, _ in first }, "show": keyed,
    "remove": keyed, "resolve": keyed,
    "init": ["--catalog": "The file is a word of its own: stubdb init shop.stubdb"],
    "restore": ["--revision": "The revision is --rev."],
    "match": [
      "--body": "The body of the request is --data.", "--json-body": "The body is --data.",
      "--request": "The method is a word before the URL, or -X.",
      "--url": "The URL is a word of its own, after the method.",
      "--when-header": "The header fields of the request are --header.",
    ],
  ]

  /// What to write in place of an argument too many, as a sentence after a full stop; empty if nothing is known.
  static func text(onExtra word: String, of command: String) -> String {
    let isRequest = ["add", "set"].contains(command)
    switch command {
    case _ where word.hasSuffix(".\(CatalogLocator.fileExtension)"):
      return ". The catalog is --catalog \(ShellWord.quoted(word))."
    case _ where isRequest && word.contains("/"): return ". \(url)"
    case _ where isRequest && !word.isEmpty && word.allSatisfy(\.isUppercase):
      return ". The method is --method \(word), and the URL is --url."
    case "match" where word.hasPrefix("{") || word.hasPrefix("["):
      return ". The body of the request is --data."
    default: return ""
    }
  }

  /// A sentence with a space before it; empty if nothing is known and no option has nearly the same name.
  ///
  /// `takesScenario` says whether the first word after the command is a scenario.
  static func text(
    on option: String, of command: String, among options: [String], takesScenario: Bool
  ) -> String {
    if let advice = known[command]?[option] { return " \(advice)" }
    // Without the dashes, which would make all short names alike.
    let (name, names) = (
      String(option.dropFirst(2)), options.map { String($0.dropFirst(2)) }
    )
    if let nearest = names.nearest(to: name) { return " Did you mean '--\(nearest)'?" }
    if ["scenario", "name"].contains(name), takesScenario { return " \(scenario)" }
    // `--status-code` and `--response-status` for `--status`, `--cat` for `--catalog`.
    let words = name.split(separator: "-").map(String.init)
    let meant = names.filter { words.contains($0) || name.count > 2 && $0.hasPrefix(name) }
    return meant.count == 1 ? " Did you mean '--\(meant[0])'?" : ""
  }
}
