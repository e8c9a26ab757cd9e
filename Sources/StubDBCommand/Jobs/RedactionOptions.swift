import ArgumentParser
import StubDBEditing
import StubDBJobs
import StubDBPublishing
import StubDBSecrets

/// The values that `redact` removes.
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

  /// The rules, and whether the findings of a scan are removed too.
  func rules() throws -> (rules: [RedactionRule], findings: Bool) {
    var (rules, findings) = (try typedRules(), findings)
    if let file {
      let read = try Self.rules(at: file)
      rules += read.rules
      findings = findings || read.includesFindings
    }
    guard !rules.isEmpty || findings else {
      throw UsageError(
        "Say what to take out, such as --findings, --header Authorization or --json-path '$..token'."
      )
    }
    return (rules, findings)
  }

  private func typedRules() throws -> [RedactionRule] {
    do throws(RedactionRules.Problem) {
      return try RedactionRules(
        headers: headers, query: query, cookies: cookies, pointers: pointers, paths: paths,
        regexes: regexes
      ).rules
    } catch {
      throw UsageError(TerminalText.line(error.description))
    }
  }

  private static func rules(at path: String) throws -> RedactionRules {
    let data = try DocumentSource.data(at: CatalogLocator().resolve(path), named: path)
    do throws(RedactionRules.Problem) {
      return try RedactionRules(parsing: data, file: path)
    } catch {
      throw CommandError(TerminalText.line(error.description))
    }
  }
}
