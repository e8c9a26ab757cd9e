internal import Foundation
internal import HTTPTypes
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

extension MockoonRouteReader {
  /// - Throws: ``Unanswerable`` for one that cannot be given, ``FormatError`` for a file that cannot be read.
  func response(_ value: SourceValue) throws -> StubResponse {
    var response = ResponseBuilder()
    value.ignore(
      "uuid", "label", "default", "crudKey", "fallbackTo404", "sendFileAsBody", "rules",
      "rulesOperator", "id")
    response.status = value.integer("statusCode")
    addHeaders(value["headers"], to: &response)
    addHeaders(environment.headers, to: &response, butFor: response.headerNames)
    try addBody(value, to: &response)
    let latency = environment.latency + (value.number("latency") ?? 0)
    if latency > 0 {
      response.delay = .fixed(try ResponseTime.duration(milliseconds: latency))
    }
    value["callbacks"]?.dropAction("Calls after the answer (callbacks) are not made")
    var answer = try response.checked()
    let isLiteral = value.flag("disableTemplating") || options.usesTemplates == false
    if !isLiteral {
      let templates = MockoonTemplates()
      try TemplateTranslation.apply(
        to: &answer, at: value, isLenient: options.isLenient, placeholder: templates.placeholder)
      if templates.hasApproximated {
        value.note(.changed, .template, "Values of faker became other values of the same kind")
      }
    }
    return answer
  }

  /// Adds header fields, but for those of some names.
  private func addHeaders(
    _ list: SourceValue?, to response: inout ResponseBuilder,
    butFor given: Set<String> = []
  ) {
    for header in list?.elements ?? [] {
      guard let name = header.text("key"), !name.isEmpty, let value = header.text("value"),
        !given.contains(name.lowercased())
      else {
        header.ignoreUnread()
        continue
      }
      response.addHeader(name, [value])
    }
  }

  private func addBody(_ value: SourceValue, to response: inout ResponseBuilder) throws {
    let isFile = value["filePath"]?.peekedText.map { !$0.isEmpty } ?? false
    switch value.text("bodyType") ?? (isFile ? "FILE" : "INLINE") {
    case "FILE" where isFile:
      value.ignore("body", "databucketID")
      guard let file = value["filePath"], let name = file.text else { return }
      if name.contains("{{") { throw Unanswerable("the name of its file is a template") }
      try response.setFile(name, at: file, of: input)
    case "DATABUCKET" where value["databucketID"]?.isEmptyText == false:
      value.ignore("body", "filePath")
      guard let id = value.text("databucketID"), let content = environment.bucket(id) else {
        throw Unanswerable("its data bucket is not there")
      }
      if case .string(let text) = content {
        response.setText(text)
      } else {
        response.addContentType("application/json")
        response.content = .json(content)
      }
    default:
      value.ignore("filePath", "databucketID")
      response.setText(value.text("body") ?? "")
    }
  }

  /// What is not answered goes to another server.
  func proxy(_ environment: SourceValue) throws(FormatError) -> ImportedStub? {
    guard environment.flag("proxyMode"), let host = environment["proxyHost"], let url = host.text,
      let parts = URLParts(url), let name = parts.host
    else { return nil }
    let stubs = try StubTranslation.stubs(of: host, conditions: [], isLenient: false) { _ in
      host.change(
        .proxy, "Other requests went on to \(url): those for this host pass through")
      let stub = Stub(
        key: .unset, summary: "proxy", priority: 10,
        request: RequestPattern(host: .equalTo(name)),
        responses: [StubResponse(delegation: .passthrough)])
      return [ImportedStub(stub: stub, name: "proxy")]
    }
    return stubs.first
  }
}

/// Routes that create, read, change and delete the elements of a data bucket.
struct MockoonBuckets {
  /// How many elements get a stub of their own.
  private static let maximumCount = 200

  let reader: MockoonRouteReader

  /// Stubs that answer what the bucket holds; changes are not kept.
  func stubs(
    of route: SourceValue, _ source: ReportSource
  ) throws(FormatError) -> [ImportedStub] {
    let responses = route["responses"]?.elements ?? []
    let response = responses.first { $0["databucketID"]?.peekedText.map { !$0.isEmpty } ?? false }
    guard let response, let id = response["databucketID"]?.peekedText,
      let bucket = reader.environment.bucket(id)
    else {
      source.drop(.state, "A route on a data bucket that is not there was left out")
      return []
    }
    let key = response["crudKey"]?.peekedText ?? "id"
    route.ignore("method", "documentation", "responseMode")
    route["responses"]?.ignoreUnread()
    source.add(
      .dropped, .state,
      "What is created, changed and deleted is not kept; the stubs answer what the data bucket holds"
    )
    return try StubTranslation.attempt(source, conditions: [], isLenient: false) {
      let base = reader.endpoint(of: route)
      var stubs = [try stub(base, bucket, source)]
      guard case .array(let elements) = bucket else { return stubs }
      for element in elements.prefix(Self.maximumCount) {
        guard case .object(let members) = element, let value = members[key] else { continue }
        let text = if case .string(let text) = value { text } else { value.canonicalText }
        let name = text.utf8.percentEncoded { $0.isASCIILetter || $0.isASCIIDigit }
        stubs.append(try stub("\(base)/\(name)", element, source))
      }
      return stubs
    } ?? []
  }

  private func stub(
    _ endpoint: String, _ content: JSONValue, _ source: ReportSource
  ) throws -> ImportedStub {
    var request = try MockoonPath.paths(endpoint)[0].pattern
    request.methods = [.get]
    let response = StubResponse(headers: [.contentType: "application/json"], body: .json(content))
    let stub = Stub(key: .unset, request: request, responses: [response])
    return ImportedStub(
      stub: try StubTranslation.checked(stub), items: source.item.map { [$0] } ?? [])
  }
}
