import ArgumentParser
import Foundation
import HTTPTypes
import StubDBEditing
import StubDBEngine
import StubDBJSON
import StubDBJobs
import StubDBSupport

/// The options that describe a request pattern.
struct RequestOptions: ParsableArguments {
  @Option(
    name: [.customShort("X"), .customLong("method")],
    help: ArgumentHelp(
      "The method, such as POST; any method unless given.", valueName: "method"))
  var methods: [String] = []

  @Option(
    help: "An absolute URL, or a path for any host: /v1/charges/{id}, /v1/**, /v1/list?page=2.")
  var url: String?

  @Option(
    name: [.customShort("H", allowingJoined: true), .customLong("when-header")],
    help: ArgumentHelp(
      "A header field the request must have; -H is the request's here as in match and in curl.",
      valueName: "name:value"),
    transform: HeaderArgument.init)
  var headers: [HeaderArgument] = []

  @Option(
    name: .customLong("when-query"),
    help: ArgumentHelp("A query parameter the request must have.", valueName: "name=value"),
    transform: QueryArgument.init)
  var query: [QueryArgument] = []

  @Flag(
    inversion: .prefixedNo,
    help: "Whether a request with other query parameters is not answered.")
  var queryIsExact: Bool?

  @Option(
    name: .customLong("when-body-json"), parsing: .unconditional,
    help: ArgumentHelp("The JSON that the request's body must equal.", valueName: "json|@path"))
  var bodyJSON: String?

  @Option(
    name: .customLong("when-body"), parsing: .unconditional,
    help: ArgumentHelp("The text that the request's body must equal.", valueName: "text|@path"))
  var body: String?

  @Option(
    name: [.customShort("d", allowingJoined: true), .customLong("data")], parsing: .unconditional,
    help: ArgumentHelp(
      "The request's body: an object or array is compared as JSON, other content byte by byte.",
      valueName: "text|@path"))
  var data: String?

  @Option(
    name: .customLong("when"), parsing: .unconditional,
    help: ArgumentHelp(
      "Patterns, as a part of a document's \"request\"; the other options add to it.",
      valueName: "json|@path"))
  var when: String?

  /// How options ask for one of several methods.
  static let severalMethods = #"For several methods: --when '{"method": ["GET", "HEAD"]}'"#

  var method: String? { methods.last }

  var isEmpty: Bool {
    method == nil && url == nil && headers.isEmpty && query.isEmpty && bodies.isEmpty
      && when == nil && queryIsExact == nil
  }

  /// The number of options that read standard input.
  var standardInputCount: Int {
    (bodies + [when].compactMap(\.self)).count(where: DataArgument.readsStandardInput)
  }

  private var bodies: [String] { [bodyJSON, body, data].compactMap(\.self) }

  func validate() throws {
    if methods.count > 1 {
      throw ValidationError(
        "--method is given twice, and has one value. \(Self.severalMethods)")
    }
    if bodies.count > 1 {
      throw ValidationError("Give one of --when-body-json, --when-body and --data.")
    }
  }

  /// Remarks on what the options mean, where another option was probably meant.
  var notes: [String] {
    var notes: [String] = []
    if let body, !body.hasPrefix("@") {
      switch try? JSONValue(parsing: Data(body.utf8)) {
      case .object, .array:
        notes.append("--when-body compares byte by byte; to compare JSON values: --when-body-json")
      default: break
      }
    }
    for (option, name, value) in headers.map({ ("--when-header", $0.name.rawName, $0.value) })
      + query.map({ ("--when-query", $0.name, $0.value) })
    {
      if case .object? = try? JSONValue(parsing: Data(value.utf8)) {
        let part = option == "--when-query" ? "query" : "headers"
        let pattern =
          "{\"\(part)\": {\(JSONValue.string(name).canonicalText): \(SecretDisplay.text(value))}}"
        notes.append(
          "\(option) compares \(TerminalText.line(name)) with this text; for a pattern: "
            + "--when \(TerminalText.line(ShellWord.quoted(pattern)))")
      }
    }
    return notes
  }

  /// What the options ask for; the argument of `--when` is given parsed.
  ///
  /// - Throws: The problem of an option's value.
  func change(_ pattern: PatternArgument?) throws -> RequestChange {
    if let pattern { try pattern.refuse(given) }
    return RequestChange(
      members: pattern?.members ?? [:], method: method, url: url,
      headers: headers.map { ($0.name.rawName, $0.value) },
      query: query.map { ($0.name, $0.value) }, queryIsExact: queryIsExact,
      body: try bodyPattern(), bodyOrigin: bodyOption)
  }

  /// The options besides `--when`, each with the place of what it gives.
  private var given: [(option: String, place: [String])] {
    var given: [(option: String, place: [String])] = []
    if method != nil { given.append(("--method", ["method"])) }
    if url != nil { given += (["url"] + RequestChange.partsOfURL).map { ("--url", [$0]) } }
    given += headers.map { ("--when-header", ["headers", $0.name.rawName]) }
    given += query.map { ("--when-query", ["query", $0.name]) }
    if queryIsExact != nil { given.append(("--query-is-exact", ["queryIsExact"])) }
    if !bodies.isEmpty { given.append(("the body's option", ["body"])) }
    return given
  }

  private var bodyOption: String? {
    if data != nil { return "--data" }
    return bodyJSON != nil ? "--when-body-json" : body.map { _ in "--when-body" }
  }

  private func bodyPattern() throws -> JSONValue? {
    if let bodyJSON {
      return ["equalToJson": try DataArgument.json(bodyJSON, of: "--when-body-json")]
    }
    if let body { return ["equalTo": .string(try DataArgument.text(body, of: "--when-body"))] }
    guard let data else { return nil }
    let bytes = try DataArgument.bytes(data)
    guard let text = String(strictUTF8: bytes) else {
      return ["binaryEqualTo": .string(bytes.base64EncodedString())]
    }
    // Other content is text.
    switch try? JSONValue(parsing: bytes) {
    case .object(let members): return ["equalToJson": .object(members)]
    case .array(let elements): return ["equalToJson": .array(elements)]
    default: return ["equalTo": .string(text)]
    }
  }
}

/// A header field as an argument: `Name: value`; spaces around both are removed.
struct HeaderArgument {
  let name: HTTPField.Name
  let value: String

  /// Parses an argument.
  ///
  /// - Throws: ``ArgumentError`` if the colon or the field name is missing.
  init(_ argument: String) throws {
    guard let (before, after) = argument.cut(at: ":") else {
      throw ArgumentError("write it as 'Name: value'; there is no colon in what was given")
    }
    let text = before.trimmingCharacters(in: .whitespaces)
    guard let name = HTTPField.Name(text) else {
      throw ArgumentError("'\(text)' is not the name of a header field")
    }
    self.name = name
    value = after.trimmingCharacters(in: .whitespaces)
  }
}

/// A query parameter as an argument: `name=value`, neither percent-encoded.
struct QueryArgument {
  let name: String
  let value: String

  /// Parses an argument.
  ///
  /// - Throws: ``ArgumentError`` if the equals sign is missing.
  init(_ argument: String) throws {
    guard let (before, after) = argument.cut(at: "=") else {
      throw ArgumentError("write it as name=value")
    }
    (name, value) = (String(before), String(after))
  }
}

/// The value of `--when`: a part of the `request` of a document.
struct PatternArgument {
  static let option = "--when"

  let members: JSONObject

  /// Parses an argument.
  ///
  /// - Throws: ``UsageError`` if it is not a JSON object; ``CommandError`` if a file is not JSON.
  init(_ argument: String) throws {
    guard case .object(let members) = try DataArgument.json(argument, of: Self.option) else {
      throw UsageError(
        #"\#(Self.option): it is not an object, such as {"headers": {"Accept": {"contains": "json"}}}."#
      )
    }
    self.members = members
  }

  /// Throws if an option gives what the argument gives too.
  ///
  /// - Parameter options: The other options, each with the place of what it gives.
  /// - Throws: ``UsageError`` with the first such option.
  func refuse(_ options: [(option: String, place: [String])]) throws {
    for (option, place) in options {
      guard let part = place.first, let value = members[part] else { continue }
      if let name = place.dropFirst().first {
        guard case .object(let values) = value,
          values.keys.contains(where: {
            part == "headers" ? $0.lowercased() == name.lowercased() : $0 == name
          })
        else { continue }
      }
      let what = place.map(TerminalText.line).joined(separator: " ")
      throw UsageError("\(Self.option) and \(option) both give \(what); give it once.")
    }
  }
}
