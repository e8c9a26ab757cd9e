internal import Foundation

/// Cassettes of vcrpy and pytest-recording for Python.
///
/// https://vcrpy.readthedocs.io
struct VCRPyFormat: ImportFormat {
  let name = "vcrpy"
  let summary = "cassettes of vcrpy (Python)"
  let ownOptions: Set<ImportOption> = ImportOption.recording

  func recognizes(_ input: ImportInput) -> Bool {
    guard let root = input.tree?.root else { return false }
    if root.isArray { return Self.isOld(root) }
    guard let first = root["interactions"], first.isArray, root["version"] != nil else {
      return false
    }
    return first.elements.first.map { $0["request"]?["uri"] != nil } ?? true
  }

  /// Before version 1 a cassette was a list, and the URL was in parts.
  private static func isOld(_ root: SourceValue) -> Bool {
    guard let first = root.elements.first, let request = first["request"] else { return false }
    return first["response"] != nil
      && (request["uri"] != nil || request["host"] != nil || request["path"] != nil)
  }

  func read(_ input: ImportInput, options: ImportOptions) throws(FormatError) -> ImportedContent {
    guard let root = input.tree?.root else { return .recording([], name: input.path) }
    root.ignore("version")
    let interactions = root.isArray ? root.elements : root.list("interactions")
    var exchanges: [RecordedExchange] = []
    for interaction in interactions {
      exchanges.append(try exchange(interaction, input, options))
    }
    return .recording(exchanges, name: CassetteParts.name(of: input))
  }

  private func exchange(
    _ interaction: SourceValue, _ input: ImportInput, _ options: ImportOptions
  ) throws(FormatError) -> RecordedExchange {
    let item = input.log.beginItem()
    guard let request = interaction["request"], let url = Self.url(request) else {
      throw interaction.failure("an interaction needs \"request\" with a \"uri\"")
    }
    let response = interaction["response"]
    var exchange = RecordedExchange(
      method: request.text("method") ?? "GET", url: url, outcome: .none,
      source: ReportSource(interaction, item: item),
      answerSource: response.map { ReportSource($0, item: item) })
    exchange.comparesWholeQuery = true
    exchange.requestHeaders = headers(request["headers"])
    exchange.requestBody = requestBody(request["body"])
    guard let response else { return exchange }
    response.ignore("http_version", "url", "version", "protocol")
    let status = response["status"]?.integer("code") ?? response.integer("status_code")
    response["status"]?.ignore("message")
    guard let status else { return exchange }
    exchange.outcome = .answer(
      RecordedAnswer(status: status, headers: headers(response["headers"]), body: body(response)))
    return exchange
  }

  private static func url(_ request: SourceValue) -> String? {
    if let uri = request.text("uri") { return uri }
    guard let host = request.text("host") else { return nil }
    let scheme = request.text("protocol") ?? "https"
    let port = request.integer("port").map { ":\($0)" } ?? ""
    return "\(scheme)://\(host)\(port)\(request.text("path") ?? "/")"
  }

  /// An object, or lines such as `Name: value`.
  private func headers(_ value: SourceValue?) -> RecordedHeaders {
    guard let value, value.isArray else { return CassetteParts.headers(value) }
    var headers = RecordedHeaders()
    value.keep()
    for line in value.elements.compactMap(\.text) {
      headers.append(line: line)
    }
    return headers
  }

  /// A text, bytes, or the state of a Python object with bytes somewhere inside.
  private func requestBody(_ value: SourceValue?) -> RecordedBody {
    guard let value, !value.isScalar else { return CassetteParts.body(value) }
    let binary = Self.binary(in: value)
    value.keep()
    return binary.map(RecordedContent.base64) ?? .missing(byteCount: nil)
  }

  private static func binary(in value: SourceValue) -> SourceValue? {
    if value.isBinary { return value }
    for inner in value.elements + value.members.map(\.value) {
      if let found = binary(in: inner) { return found }
    }
    return nil
  }

  /// `body.string`, or as httpx wrote it for a while, `content`, which is decoded already.
  private func body(_ response: SourceValue) -> RecordedBody {
    if let content = response["content"], response["body"] == nil {
      return CassetteParts.body(content)
    }
    guard let body = response["body"], body.isObject else {
      return CassetteParts.body(response["body"])
    }
    return CassetteParts.body(body.first(of: "string", "base64_string"))
  }
}
