import StubDBSupport

/// What to write in place of an option that a command does not have.
enum OptionAdvice {
  private static let body = "The body of the response is --json, --text or --body-file."
  private static let key = "The key is a word of its own, after the scenario."
  private static let keyed = ["--key": key]
  private static let written = [
    "--body": body, "--response-body": body, "--request": "The method is --method or -X.",
  ]

  /// Advice on options of other commands and tools, by command.
  private static let known: [String: [String: String]] = [
    "add": written, "set": written.merging(keyed) { first, _ in first }, "show": keyed,
    "remove": keyed, "resolve": keyed,
    "match": [
      "--body": "The body of the request is --data.", "--json-body": "The body is --data.",
      "--request": "The method is a word before the URL, or -X.",
      "--url": "The URL is a word of its own, after the method.",
      "--when-header": "The header fields of the request are --header.",
    ],
  ]

  /// A sentence with a space before it; empty if nothing is known and no option has nearly the same name.
  static func text(on option: String, of command: String, among options: [String]) -> String {
    if let advice = known[command]?[option] { return " \(advice)" }
    // Without the dashes, which would make all short names alike.
    let nearest = options.map { $0.dropFirst(2) }.map(String.init)
      .nearest(to: String(option.dropFirst(2)))
    return nearest.map { " Did you mean '--\($0)'?" } ?? ""
  }
}
