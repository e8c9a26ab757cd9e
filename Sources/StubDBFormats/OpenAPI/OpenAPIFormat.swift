internal import Foundation
internal import StubDBModel
import StubDBSupport

/// Descriptions of APIs: OpenAPI 3.0 to 3.2 and Swagger 2.
///
/// Each operation becomes a stub that answers with its example, or with a value made from its schema. Every other status
/// and named example that has an example becomes a scenario of its own, which a test can name. https://spec.openapis.org/oas/
struct OpenAPIFormat: ImportFormat {
  let name = "openapi"
  let summary = "descriptions in OpenAPI 3 and Swagger 2"
  let ownOptions: Set<ImportOption> = [.server, .require, .answers, .allowFiles]
  let ownSplits: Set<ImportOptions.Split> = [.tag, .none]

  func recognizes(_ input: ImportInput) -> Bool {
    guard let root = input.tree?.root else { return false }
    return root["openapi"]?.peekedText?.hasPrefix("3.") ?? false
      || root["swagger"]?.peekedText?.hasPrefix("2") ?? false
  }

  func read(_ input: ImportInput, options: ImportOptions) throws(FormatError) -> ImportedContent {
    guard let root = input.tree?.root else { return .scenarios([]) }
    let references = OpenAPIReferences(input)
    var builder = OpenAPIScenarios(
      name: input.path, title: root["info"]?.text("title"), options: options)
    let server = OpenAPIServer(root, options: options)
    var firstError: FormatError?
    for path in root["paths"]?.members ?? [] where path.name.hasPrefix("/") {
      var item = path.value
      try orLeaveOut(path.value, &firstError) { () throws(FormatError) in
        item = try references.resolved(path.value)
      }
      for (method, value) in Self.operations(of: item) {
        try orLeaveOut(value, &firstError) { () throws(FormatError) in
          let reader = OpenAPIOperationReader(
            path: OpenAPIPath(path.name), method: method, item: item,
            operation: try references.resolved(value), references: references,
            server: server.overridden(by: item, value), options: options,
            isSwagger: root["swagger"] != nil, root: root)
          try reader.addStubs(to: &builder, log: input.log)
        }
      }
    }
    if let firstError, builder.isEmpty { throw firstError }
    builder.reportLeftOut(to: input.log, file: input.file)
    if let webhooks = root["webhooks"], !webhooks.members.isEmpty {
      webhooks.drop(.webhook, "Calls of the server (webhooks) are not made")
    }
    references.ignoreRest()
    return .scenarios(builder.scenarios())
  }

  /// Reads a path or an operation; reports it as lost if its references lead nowhere.
  ///
  /// - Throws: The error, for a file that must not be read.
  private func orLeaveOut(
    _ value: SourceValue, _ firstError: inout FormatError?,
    _ read: () throws(FormatError) -> Void
  ) throws(FormatError) {
    let log = value.tree.log
    let before = log.mark
    do throws(FormatError) {
      try read()
    } catch {
      guard !error.isRefusal, !error.isUsage else { throw error }
      firstError = firstError ?? error
      log.forget(since: before)
      value.tree.mark(value.index, .dropped)
      log.add(
        .dropped, .stubLeftOut, file: error.file, pointer: error.pointer, line: error.line,
        item: nil, "\(value.pointer) was left out: \(error.message)")
    }
  }

  /// The operations of a path; 3.2 allows methods of any name.
  static func operations(of item: SourceValue) -> [(String, SourceValue)] {
    let names = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]
    var found = names.compactMap { name in
      item[name].flatMap { $0.isObject ? (name.uppercased(), $0) : nil }
    }
    for member in item["additionalOperations"]?.members ?? [] where member.value.isObject {
      found.append((member.name, member.value))
    }
    return found
  }
}

/// The server whose base path stands before every path.
struct OpenAPIServer {
  private let url: String
  private let options: ImportOptions

  init(_ root: SourceValue, options: ImportOptions) {
    self.options = options
    if let server = options.server {
      url = server
    } else if root["swagger"] != nil {
      let base = root.text("basePath") ?? ""
      let scheme = root["schemes"]?.elements.first?.text ?? "https"
      url = root.text("host").map { "\(scheme)://\($0)\(base)" } ?? base
    } else {
      url = Self.url(of: root["servers"]) ?? ""
    }
  }

  private init(url: String, options: ImportOptions) {
    (self.url, self.options) = (url, options)
  }

  /// The server of an operation or a path, which may have one of its own.
  func overridden(by item: SourceValue, _ operation: SourceValue) -> OpenAPIServer {
    guard options.server == nil,
      let url = Self.url(of: operation["servers"]) ?? Self.url(of: item["servers"])
    else { return self }
    return OpenAPIServer(url: url, options: options)
  }

  /// The first server, with the defaults of its variables.
  private static func url(of servers: SourceValue?) -> String? {
    guard let url = urls(of: servers).first else { return nil }
    if isHost(url) {
      servers?.elements.first?.change(
        .variable, "\(url) has no scheme; it was taken for a host, and http and https match")
    }
    return url
  }

  /// Whether a URL begins with a host in place of a scheme: `localhost:3000`, `api.shop.test/v1`.
  ///
  /// As a reference, it would be a path beside that of the description, which is not meant.
  private static func isHost(_ url: String) -> Bool {
    guard !url.contains("://"), let first = url.split(separator: "/").first, url.first != "/" else {
      return false
    }
    return first.wholeMatch(of: #/[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*:[0-9]+/#) != nil
      || first.wholeMatch(of: #/[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}/#) != nil
  }

  /// All servers, with the defaults of their variables.
  static func urls(of servers: SourceValue?) -> [String] {
    (servers?.elements ?? []).compactMap { server in
      guard var url = server.text("url") else { return nil }
      for variable in server["variables"]?.members ?? [] {
        let value = variable.value.text("default") ?? ""
        url = url.replacingOccurrences(of: "{\(variable.name)}", with: value)
      }
      return url
    }
  }

  /// Sets scheme, host and port, and gives the base path.
  func apply(to pattern: inout RequestPattern) -> String {
    var text = url.hasSuffix("/") ? String(url.dropLast()) : url
    let isHost = Self.isHost(text)
    if isHost {
      text = "http://\(text)"
    } else if !text.isEmpty, !text.contains("://"), text.first != "/" {
      // A path beside that of the description.
      text = "/" + text.trimmingPrefix(#/(?:\.{1,2}(?:\/|$))+/#)
    }
    guard let parts = URLParts(template: text.isEmpty ? "/" : text), !text.isEmpty else {
      return ""
    }
    if !options.matchesAnyHost, let host = parts.host {
      pattern.scheme = isHost ? nil : parts.scheme
      pattern.host = .equalTo(host)
      pattern.port = parts.port
    }
    return parts.path == "/" ? "" : parts.path
  }
}

/// Collects the stubs of a description into scenarios.
struct OpenAPIScenarios {
  private let name: [String]
  private let title: String?
  private let options: ImportOptions
  private var main = OrderedGroups<[String], [(stub: ImportedStub, rank: OpenAPIPath.Rank)]>()
  private var others: [ImportedScenario] = []
  private var leftOutCount = 0

  var isEmpty: Bool { main.list.isEmpty && others.isEmpty }

  init(name: [String], title: String?, options: ImportOptions) {
    (self.name, self.title, self.options) = (name, title, options)
  }

  /// Adds the stub of an operation's usual answer.
  mutating func add(_ stub: ImportedStub, tag: String?, rank: OpenAPIPath.Rank) {
    let usesTags = (options.split ?? .tag) == .tag
    let scenario = usesTags ? name + (tag.map { [$0] } ?? []) : name
    main[scenario, default: []].append((stub, rank))
  }

  /// Adds a scenario for another answer of an operation.
  mutating func add(_ stub: ImportedStub, operation: String, situation: String) {
    others.append(ImportedScenario(name: name + [operation, situation], stubs: [stub]))
  }

  /// Counts an answer that has no scenario.
  mutating func leaveOut() { leftOutCount += 1 }

  /// Says how many answers have no scenario.
  func reportLeftOut(to log: ReportLog, file: String) {
    guard leftOutCount > 0 else { return }
    let what = Plural.of(leftOutCount, "answer")
    log.add(
      .ignored, .answers, file: file, item: nil,
      options.answers == .usual
        ? "\(what) beside the usual ones left out; --answers examples takes those with an example"
        : "\(what) without an example left out; --answers all makes a scenario of each")
  }

  /// All scenarios; the first one includes those of the tags.
  func scenarios() -> [ImportedScenario] {
    var scenarios = main.list.map { name, stubs in
      // A path without placeholders answers before one with them.
      let sorted = stubs.enumerated().sorted {
        ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
      }
      return ImportedScenario(name: name, stubs: sorted.map(\.element.stub))
    }
    let tags = scenarios.map(\.name).filter { $0 != name }
    if !tags.isEmpty {
      if let place = scenarios.firstIndex(where: { $0.name == name }) {
        scenarios[place].includes = tags
      } else {
        scenarios.insert(ImportedScenario(name: name, includes: tags), at: 0)
      }
    }
    if let place = scenarios.firstIndex(where: { $0.name == name }) {
      scenarios[place].summary = title
    }
    return scenarios + others
  }
}
