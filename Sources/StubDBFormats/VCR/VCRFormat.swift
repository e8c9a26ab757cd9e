internal import Foundation
internal import StubDBSupport

/// Cassettes of VCR and Betamax for Ruby, in YAML or JSON, also compressed.
///
/// https://github.com/vcr/vcr
struct VCRFormat: ImportFormat {
  let name = "vcr"
  let summary = "cassettes of VCR (Ruby)"
  let ownOptions: Set<ImportOption> = ImportOption.recording.union([.variables])

  func variables(of input: ImportInput) -> Set<String> {
    let text = String(decoding: input.bytes, as: UTF8.self)
    return Set(text.matches(of: #/<%= ?([^%]*?) ?%>/#).map { String($0.1) })
  }

  func recognizes(_ input: ImportInput) -> Bool {
    if input.tree?.root["http_interactions"] != nil { return true }
    return Self.isOldCassette(input)
  }

  func read(_ input: ImportInput, options: ImportOptions) throws(FormatError) -> ImportedContent {
    if Self.isOldCassette(input) {
      throw FormatError(
        file: input.file, line: 1,
        message:
          "this is a cassette of VCR 1; record it again, or convert it with VCR 2: vcr:migrate_cassettes"
      )
    }
    guard let root = input.tree?.root else { return .recording([], name: input.path) }
    root.ignore("recorded_with", "metadata")
    var exchanges: [RecordedExchange] = []
    for interaction in root.list("http_interactions") {
      exchanges.append(try exchange(interaction, input, options))
    }
    return .recording(exchanges, name: CassetteParts.name(of: input))
  }

  private static func isOldCassette(_ input: ImportInput) -> Bool {
    let start = String(decoding: input.bytes.prefix(4096), as: UTF8.self)
    return ByteText.contains(start, "!ruby/struct:VCR::HTTPInteraction")
  }

  private func exchange(
    _ interaction: SourceValue, _ input: ImportInput, _ options: ImportOptions
  ) throws(FormatError) -> RecordedExchange {
    let item = input.log.beginItem()
    guard let request = interaction["request"], let uri = request.text("uri") else {
      throw interaction.failure("an interaction needs \"request\" with a \"uri\"")
    }
    let response = interaction["response"]
    let source = ReportSource(interaction, item: item)
    var placeholders = RecordedPlaceholders()
    let url = placeholders.take(
      from: try CassetteVariables.filled(uri, at: request, options), at: source)
    var exchange = RecordedExchange(
      method: (request.text("method") ?? "get").uppercased(), url: url, outcome: .none,
      source: source, answerSource: response.map { ReportSource($0, item: item) })
    exchange.placeholders = placeholders
    exchange.comparesWholeQuery = true
    exchange.requestHeaders = CassetteParts.headers(request["headers"])
    exchange.requestBody = body(request["body"], options)
    noteERB(in: request["body"], options)
    exchange.recordedDay = interaction.text("recorded_at").flatMap(RecordedDay.day)
    if let response, let status = response["status"]?.integer("code") {
      response["status"]?.ignore("message")
      response.ignore("http_version", "adapter_metadata", "url")
      exchange.outcome = .answer(
        RecordedAnswer(
          status: status, headers: CassetteParts.headers(response["headers"]),
          body: body(response["body"], options)))
      noteERB(in: response["body"], options)
    }
    return exchange
  }

  /// Says that Ruby in a content is not run: VCR fills a cassette in before it reads it, if that is switched on.
  private func noteERB(in body: SourceValue?, _ options: ImportOptions) {
    let text = body?.isObject == true ? body?["string"] : body
    guard let text, text.isString, let content = text.peekedText, content.contains("<%=") else {
      return
    }
    let rest = CassetteVariables.replaced(content, options)
    guard let start = rest.range(of: "<%=") else { return }
    let shown = rest[start.lowerBound...].prefix { $0 != ">" }.prefix(60)
    text.change(
      .template,
      "\(shown)> in the content is ERB and was left as text, because no Ruby is run; give the value: --var NAME=VALUE"
    )
  }

  /// A text, as old cassettes have it, or an object with its encoding.
  private func body(_ value: SourceValue?, _ options: ImportOptions) -> RecordedBody {
    let body = plainBody(value)
    guard !options.variables.isEmpty else { return body }
    switch body {
    case .text(let text): return .text(CassetteVariables.replaced(text, options))
    case .source(let source):
      let text = source.text
      let replaced = CassetteVariables.replaced(text, options)
      return replaced == text ? body : .text(replaced)
    case .none, .bytes, .form, .multipart, .missing: return body
    }
  }

  private func plainBody(_ value: SourceValue?) -> RecordedBody {
    guard let value, value.isObject else { return CassetteParts.body(value) }
    let encoding = value.text("encoding")?.uppercased() ?? ""
    if let base64 = value["base64_string"], !base64.isNull { return RecordedContent.base64(base64) }
    return CassetteParts.body(
      value["string"], isBinary: ["ASCII-8BIT", "BINARY"].contains(encoding))
  }
}

/// Values that a cassette leaves to the code that plays it.
enum CassetteVariables {
  /// The text with `<%= name %>` filled in where a value is known.
  static func replaced(_ text: String, _ options: ImportOptions) -> String {
    guard text.contains("<%") else { return text }
    var text = text
    for (name, variable) in options.variables.sorted(by: { $0.key < $1.key }) {
      for form in ["<%= \(name) %>", "<%=\(name)%>"] {
        text = text.replacingOccurrences(of: form, with: variable)
      }
    }
    return text
  }

  /// The text with `<%= name %>` filled in.
  ///
  /// - Throws: ``FormatError`` for a name without a value: no Ruby is run.
  static func filled(
    _ text: String, at value: SourceValue, _ options: ImportOptions
  ) throws(FormatError) -> String {
    let text = replaced(text, options)
    guard let start = text.range(of: "<%") else { return text }
    let rest = text[start.lowerBound...].prefix(60)
    throw value.failure(
      "this is an ERB cassette (\(rest)); render it first, or give the value: --var NAME=VALUE")
  }
}
