internal import Foundation
internal import StubDBJSON

/// Recordings of DVR for Swift, and of those that write the same.
///
/// https://github.com/venmo/DVR
struct DVRFormat: ImportFormat {
  let name = "dvr"
  let summary = "recordings of DVR (Swift)"
  let ownOptions: Set<ImportOption> = ImportOption.recording

  func recognizes(_ input: ImportInput) -> Bool {
    guard let root = input.tree?.root, root["name"] != nil, let list = root["interactions"],
      list.isArray
    else { return false }
    return list.elements.first.map { $0["recorded_at"]?.isNumber == true } ?? true
  }

  func read(_ input: ImportInput, options: ImportOptions) throws(FormatError) -> ImportedContent {
    guard let root = input.tree?.root else { return .recording([], name: input.path) }
    let name = root.text("name") ?? input.path.last ?? "recording"
    var exchanges: [RecordedExchange] = []
    for interaction in root.list("interactions") {
      exchanges.append(try exchange(interaction, input))
    }
    return .recording(exchanges, name: input.path.dropLast() + [name])
  }

  private func exchange(
    _ interaction: SourceValue, _ input: ImportInput
  ) throws(FormatError) -> RecordedExchange {
    let item = input.log.beginItem()
    guard let request = interaction["request"], let url = request.text("url") else {
      throw interaction.failure("an interaction needs \"request\" with a \"url\"")
    }
    let response = interaction["response"]
    var exchange = RecordedExchange(
      method: request.text("method") ?? "GET", url: url, outcome: .none,
      source: ReportSource(interaction, item: item),
      answerSource: response.map { ReportSource($0, item: item) })
    exchange.comparesWholeQuery = true
    exchange.time = interaction.number("recorded_at")
    exchange.recordedDay = exchange.time.flatMap(RecordedDay.day)
    exchange.requestHeaders = CassetteParts.headers(request["headers"])
    exchange.requestBody = body(request["body"], exchange.requestHeaders)
    guard let response, let status = response.integer("status") else { return exchange }
    var headers = CassetteParts.headers(response["headers"])
    let content = body(response["body"], headers)
    // Foundation has decoded what the recorder got.
    headers.fields.removeAll { $0.name.lowercased() == "content-encoding" }
    exchange.outcome = .answer(RecordedAnswer(status: status, headers: headers, body: content))
    if let final = response.text("url"), final != url {
      response["url"]?.change(
        .redirectFollowed,
        "Recorded after following a redirect from \(ShownURL.text(url)) to "
          + "\(ShownURL.text(final)); the stub answers what the second one said"
      )
    }
    return exchange
  }

  /// Text of text types, JSON in place of its text, and base64 for everything else.
  private func body(_ value: SourceValue?, _ headers: RecordedHeaders) -> RecordedBody {
    guard let value = value.orIgnoredNull else { return .none }
    let type = headers["Content-Type"]?.lowercased() ?? ""
    if type.hasPrefix("text/") { return CassetteParts.body(value) }
    if type.hasPrefix("application/json") || !value.isString {
      return .text(value.json.canonicalText)
    }
    return RecordedContent.base64(value)
  }
}
