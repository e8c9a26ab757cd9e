internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// Fixtures of nock and nock-back for Node.
///
/// https://github.com/nock/nock#recording
struct NockFormat: ImportFormat {
  let name = "nock"
  let summary = "fixtures of nock (Node)"
  let ownOptions: Set<ImportOption> = ImportOption.recording.union([.lenient])

  /// What says when a definition answers.
  private static let conditions = [
    "scope", "method", "path", "query", "body", "reqheaders", "badheaders",
  ]

  func recognizes(_ input: ImportInput) -> Bool {
    guard let root = input.tree?.root, root.isArray, let first = root.elements.first else {
      return false
    }
    return first["scope"] != nil && first["path"] != nil
  }

  func read(_ input: ImportInput, options: ImportOptions) throws(FormatError) -> ImportedContent {
    var exchanges: [RecordedExchange] = []
    for definition in input.tree?.root.elements ?? [] {
      if let exchange = try exchange(definition, input, options) { exchanges.append(exchange) }
    }
    return .recording(exchanges, name: CassetteParts.name(of: input))
  }

  private func exchange(
    _ definition: SourceValue, _ input: ImportInput, _ options: ImportOptions
  ) throws(FormatError) -> RecordedExchange? {
    let item = input.log.beginItem()
    let source = ReportSource(definition, item: item)
    let conditions = Self.conditions.map { definition[$0] }
    return try StubTranslation.attempt(
      source, conditions: conditions, isLenient: options.isLenient
    ) {
      try exchange(definition, source)
    }.flatMap(\.self)
  }

  private func exchange(
    _ definition: SourceValue, _ source: ReportSource
  ) throws(FormatError) -> RecordedExchange? {
    guard let scope = definition.text("scope"), let path = definition.text("path") else {
      throw definition.failure("a definition needs \"scope\" and \"path\"")
    }
    guard !Self.isExpression(scope), !Self.isExpression(path) else {
      source.drop(
        .stubLeftOut,
        "The stub was left out: its scope or path is a regular expression in JavaScript")
      return nil
    }
    let base = scope.hasSuffix("/") ? String(scope.dropLast()) : scope
    var exchange = RecordedExchange(
      method: definition.text("method") ?? "GET",
      url: Self.url(base + (path.hasPrefix("/") ? path : "/\(path)"), query: definition["query"]),
      outcome: .none, source: source)
    exchange.comparesWholeQuery = definition["query"]?.peekedText != "true"
    exchange.requestHeaders = CassetteParts.headers(definition["reqheaders"])
    exchange.matchedHeaders = Self.matchedHeaders(of: exchange.requestHeaders)
    let isBinary = definition.flag("responseIsBinary")
    exchange.requestBody = requestBody(definition["body"], exchange.requestHeaders)
    definition.ignore("options", "filteringPath", "filteringRequestBody", "port")
    exchange.absentHeaders = definition.list("badheaders").compactMap(\.text)
    guard let status = definition.integer("status") ?? definition.integer("reply") else {
      return exchange
    }
    let headers = Self.headers(definition)
    exchange.outcome = .answer(
      RecordedAnswer(
        status: status, headers: headers,
        body: Self.body(definition["response"], headers, isBinary: isBinary)))
    return exchange
  }

  /// Whether a text is the source of an expression, such as `/api\\..*/`.
  private static func isExpression(_ text: String) -> Bool {
    text.utf8.count > 2 && text.hasPrefix("/") && text.contains("\\")
      && text.drop { $0 != "/" }.dropFirst().contains("/")
  }

  /// The URL with the parameters that stand beside it: an object of names, a text, or `true` for any.
  private static func url(_ url: String, query: SourceValue?) -> String {
    guard let query, !query.isNull, query.peekedText != "true" else {
      query?.ignore()
      return url
    }
    let parameters: [String]
    if let text = query.text {
      parameters = [text]
    } else {
      parameters = query.members.flatMap { name, value in
        value.elementsOrSelf.map {
          "\(URLParts.encodedQuery(name))=\(URLParts.encodedQuery($0.text ?? ""))"
        }
      }
    }
    guard !parameters.isEmpty else { return url }
    return url + (url.contains("?") ? "&" : "?") + parameters.joined(separator: "&")
  }

  /// Fields that every client writes for itself.
  private static let clientsOwnFields: Set<String> = [
    "host", "user-agent", "content-length", "accept-encoding", "connection",
  ]

  /// nock matches every field of `reqheaders`.
  private static func matchedHeaders(of headers: RecordedHeaders) -> [String] {
    headers.fields.filter { field in
      // A boundary is another one in every request.
      !clientsOwnFields.contains(field.name.lowercased())
        && !field.value.lowercased().hasPrefix("multipart/")
    }.map(\.name)
  }

  /// `rawHeaders` has names and values in turn; old fixtures have an object.
  private static func headers(_ definition: SourceValue) -> RecordedHeaders {
    guard let raw = definition["rawHeaders"], raw.isArray else {
      return CassetteParts.headers(definition.first(of: "rawHeaders", "headers"))
    }
    let texts = raw.elements.map { $0.text ?? "" }
    return RecordedHeaders(
      stride(from: 0, to: texts.count - 1, by: 2).map {
        RecordedHeaders.Field(texts[$0], texts[$0 + 1])
      })
  }

  private func requestBody(_ value: SourceValue?, _ headers: RecordedHeaders) -> RecordedBody {
    guard let value = value.orIgnoredNull else { return .none }
    guard value.isString else { return .text(value.json.canonicalText) }
    let text = value.text ?? ""
    if text == "*" || text.isEmpty { return .none }
    let type = headers["Content-Type"]?.lowercased() ?? ""
    let isText =
      type.isEmpty || type.contains("json") || type.contains("text") || type.contains("form")
    if text.utf8.count > 32, !isText, let data = CassetteParts.hexadecimal(text) {
      value.change(.bytesGuessed, "Not marked as binary but not text either; read as hexadecimal")
      return .bytes(data)
    }
    return .text(text)
  }

  /// A list of hexadecimal chunks where the answer had a content coding; else text or JSON.
  private static func body(
    _ value: SourceValue?, _ headers: RecordedHeaders, isBinary: Bool
  ) -> RecordedBody {
    guard let value = value.orIgnoredNull else { return .none }
    if value.isArray, headers["Content-Encoding"] != nil {
      let chunks = value.elements.map { $0.peekedText.flatMap(CassetteParts.hexadecimal) }
      if !chunks.isEmpty, chunks.allSatisfy({ $0 != nil }) {
        value.keep()
        return .bytes(chunks.compactMap { $0 }.reduce(Data(), +))
      }
    }
    guard value.isString else { return .text(value.json.canonicalText) }
    return isBinary ? RecordedContent.hexadecimal(value) : RecordedContent.text(value)
  }
}
