import ArgumentParser
import StubDBJSON
import StubDBModel
import StubDBSecrets
import StubDBSupport

/// What `redact` takes out.
struct RedactionOptions: ParsableArguments {
  @Option(
    name: .customLong("header"),
    help: ArgumentHelp("A header field, in requests and responses. Repeatable.", valueName: "name"))
  var headers: [String] = []

  @Option(help: ArgumentHelp("A query parameter, in every URL. Repeatable.", valueName: "name"))
  var query: [String] = []

  @Option(
    name: .customLong("cookie"),
    help: ArgumentHelp("A cookie, in requests and Set-Cookie. Repeatable.", valueName: "name"))
  var cookies: [String] = []

  @Option(
    name: .customLong("json-pointer"),
    help: ArgumentHelp(
      "A place in JSON content, such as /user/email. Repeatable.", valueName: "pointer"))
  var pointers: [String] = []

  @Option(
    name: .customLong("json-path"),
    help: ArgumentHelp(
      "A query on JSON content, such as '$..token'. Repeatable.", valueName: "query"))
  var paths: [String] = []

  @Option(
    name: .customLong("regex"),
    help: ArgumentHelp(
      "What it matches in any text; the first of its groups that matched, if it has some. Repeatable.",
      valueName: "expression"))
  var regexes: [String] = []

  @Flag(help: "Everything that stubdb scan finds.")
  var findings = false

  @Option(
    name: .customLong("rules"),
    help: ArgumentHelp(
      "A JSON file with lists: headers, query, cookies, jsonPointers, jsonPaths, regexes; and "
        + "findings: true.", valueName: "path"),
    completion: .file(extensions: ["json"]))
  var file: String?

  /// The rules, and whether what a scan finds is taken out too.
  func rules() throws -> (rules: [RedactionRule], findings: Bool) {
    var rules = try Self.rules(
      headers: headers, query: query, cookies: cookies, pointers: pointers, paths: paths,
      regexes: regexes)
    var findings = findings
    if let file {
      let read = try RulesFile(at: file)
      rules += read.rules
      findings = findings || read.hasFindings
    }
    guard !rules.isEmpty || findings else {
      throw UsageFailure(
        "Say what to take out, such as --findings, --header Authorization or --json-path '$..token'."
      )
    }
    return (rules, findings)
  }

  /// Rules from texts.
  ///
  /// - Throws: ``UsageFailure`` for an invalid pointer, query or expression.
  static func rules(
    headers: [String], query: [String], cookies: [String], pointers: [String], paths: [String],
    regexes: [String]
  ) throws -> [RedactionRule] {
    var rules = headers.map(RedactionRule.header)
    rules += query.map(RedactionRule.query) + cookies.map(RedactionRule.cookie)
    for text in pointers {
      guard let pointer = JSONPointer(parsing: text), !pointer.tokens.isEmpty else {
        throw UsageFailure(
          "\(Printable.quoted(text)) is not a JSON pointer; a pointer begins with /, as /a/b")
      }
      rules.append(.jsonPointer(pointer))
    }
    for text in paths {
      do {
        rules.append(.jsonPath(try JSONPath(text)))
      } catch {
        throw UsageFailure("\(Printable.quoted(text)) is not a JSONPath: \(error)")
      }
    }
    for text in regexes {
      guard let regex = BoundedRegex(text) else {
        throw UsageFailure("\(Printable.quoted(text)) is not a regular expression\(reason(text))")
      }
      rules.append(.regex(regex))
    }
    return rules
  }

  /// The problem of an expression, with its place if that is known.
  private static func reason(_ text: String) -> String {
    do {
      _ = try Regex(text)
      return ""
    } catch {
      return ": \(error)"
    }
  }
}
