internal import Foundation
internal import HTTPTypes
internal import StubDBModel
internal import StubDBSupport

/// Reads the items of a collection: folders, and requests with their saved examples.
struct PostmanItemReader {
  private static let maximumDepth = 64

  private let variables: PostmanVariables
  private let options: ImportOptions
  private let log: ReportLog
  private var all: [ImportedScenario] = []
  private var places: [[String]: Int] = [:]
  /// The names of the requests that have no example and were left out.
  private(set) var unanswered: [String] = []

  init(variables: PostmanVariables, options: ImportOptions, log: ReportLog) {
    self.variables = variables
    self.options = options
    self.log = log
  }

  /// The scenarios of the collection and its folders, each before those that it includes.
  ///
  /// Of saved examples that contain one another, the one that asks for more comes first, as it does in a mock server of
  /// Postman.
  var scenarios: [ImportedScenario] {
    all.filter { !$0.stubs.isEmpty || !$0.includes.isEmpty }.map { scenario in
      var sorted = scenario
      sorted.stubs = RequestOrder.sorted(scenario.stubs) { $0.stub.request }
      return sorted
    }
  }

  /// Reads a folder and everything in it; its path becomes the name of a scenario, which includes those of its folders.
  mutating func read(
    _ folder: SourceValue, path: [String], depth: Int = 0
  ) throws(FormatError) {
    guard depth < Self.maximumDepth else {
      return folder.drop(
        .stubLeftOut,
        "The folder is the \(depth)th inside of others; at most \(Self.maximumDepth) are read")
    }
    let own = place(of: path)
    for item in folder.list("item") {
      let name = item.text("name")
      // Not those of the request before.
      log.item = nil
      noteScripts(of: item)
      item.ignore("id", "description", "auth", "variable", "protocolProfileBehavior", "_postman_id")
      if item["item"] != nil {
        let inner = path + [Self.name(name ?? "folder", below: path)]
        try read(item, path: inner, depth: depth + 1)
        if !all[own].includes.contains(inner) { all[own].includes.append(inner) }
      } else if item["request"] != nil {
        try readRequest(item, name: name, path: path)
      }
      item.ignoreUnread { $0.hasPrefix("_") }
    }
  }

  /// The name of a folder, without the names of those that it is in, which `stubdb export` writes before it.
  private static func name(_ name: String, below path: [String]) -> String {
    let outer = path.joined(separator: "/") + "/"
    return name.count > outer.count && name.hasPrefix(outer)
      ? String(name.dropFirst(outer.count)) : name
  }

  private func noteScripts(of item: SourceValue) {
    guard let events = item["event"], !events.isNull else { return }
    let scripts = events.elements.filter { !($0["script"]?["exec"]?.elements.isEmpty ?? true) }
    if scripts.isEmpty {
      events.ignore()
    } else {
      events.drop(.script, "Scripts of a request were not run")
    }
  }

  private mutating func readRequest(
    _ item: SourceValue, name: String?, path: [String]
  ) throws(FormatError) {
    guard let request = item["request"] else { return }
    let responses = item.list("response")
    guard !responses.isEmpty else {
      if options.flags.contains(.empty) {
        let itemNumber = log.beginItem()
        try add(request, response: nil, name: name, path: path, item: itemNumber)
      } else {
        unanswered.append(name ?? (request["url"]?["raw"] ?? request["url"])?.peekedText ?? "")
        request.ignore()
      }
      return
    }
    var seen: Set<RequestPattern> = []
    let ordered = Self.successFirst(responses)
    for response in ordered {
      let itemNumber = log.beginItem()
      let original = response["originalRequest"].flatMap { $0.isNull ? nil : $0 } ?? request
      guard
        let pattern = try add(
          original, response: response, name: name, path: path, item: itemNumber, seen: seen)
      else { continue }
      seen.insert(pattern)
    }
    request.ignoreUnread()
  }

  /// The first example with a success comes first: it is the one that a scenario of the folder has.
  private static func successFirst(_ responses: [SourceValue]) -> [SourceValue] {
    guard
      let place = responses.firstIndex(where: {
        (200..<300).contains($0["code"]?.peekedInteger ?? 0)
      })
    else { return responses }
    var responses = responses
    responses.insert(responses.remove(at: place), at: 0)
    return responses
  }

  /// Adds a stub; one whose request is known already goes into a scenario of its own, because it is an alternative.
  @discardableResult
  private mutating func add(
    _ request: SourceValue, response: SourceValue?, name: String?, path: [String],
    item: ReportLog.Item, seen: Set<RequestPattern> = []
  ) throws(FormatError) -> RequestPattern? {
    let source = ReportSource(response ?? request, item: item)
    let call = try StubTranslation.attempt(
      source, conditions: [request], isLenient: options.isLenient
    ) {
      let reader = PostmanRequestReader(
        variables: variables, source: source, isLenient: options.isLenient)
      return try answered(request, try reader.pattern(request), response)
    }.flatMap(\.self)
    guard let (pattern, answer) = call else { return nil }
    var path = path
    if let response {
      if seen.contains(pattern) {
        path += [response["name"]?.peekedText ?? "\(answer.status)"]
      }
      response.ignore(
        "id", "name", "status", "cookie", "responseTime", "timings", "_postman_previewlanguage",
        "_postman_previewtype")
      response["originalRequest"]?.ignoreUnread()
      response.ignoreUnread { $0.hasPrefix("_") }
    }
    var stub = Stub(key: .unset, request: pattern, responses: [answer])
    stub.summary = name.flatMap(StubNaming.summary)
    var imported = ImportedStub(stub: stub, name: name, items: [item])
    imported.source = source
    if response != nil {
      let reader = PostmanRequestReader(
        variables: variables, source: source, isLenient: options.isLenient)
      imported.asked = reader.example(of: request).map { [$0] } ?? []
    }
    let place = place(of: path)
    all[place].stubs.append(imported)
    return pattern
  }

  /// The example's response and the request conditions that its status implies; nil, and reported, if it is not a response.
  private func answered(
    _ request: SourceValue, _ pattern: RequestPattern, _ response: SourceValue?
  ) throws -> (RequestPattern, StubResponse)? {
    guard let response else { return (pattern, ResponseBuilder().response) }
    let headers = PostmanHeaders.fields(request["header"], variables)
    let reader = PostmanResponseReader(variables: variables)
    guard let answer = reader.response(response, to: headers) else { return nil }
    guard answer.status == 304 else { return (pattern, answer) }
    // Only a request with a condition gets such an answer.
    var pattern = pattern
    for name in [HTTPField.Name.ifNoneMatch, .ifModifiedSince] {
      guard let value = headers[name.rawName] else { continue }
      pattern.headers.append(HeaderPattern(name, .equalTo(value)))
    }
    return (pattern, answer)
  }

  private mutating func place(of path: [String]) -> Int {
    if let place = places[path] { return place }
    places[path] = all.count
    all.append(ImportedScenario(name: path))
    return all.count - 1
  }
}

/// Reads a saved example.
struct PostmanResponseReader {
  let variables: PostmanVariables

  /// Functions for variables that Postman fills in itself.
  static let functions = [
    "$guid": "{{uuid}}", "$randomUUID": "{{uuid}}", "$timestamp": "{{now format='unix'}}",
    "$isoTimestamp": "{{now}}", "$randomInt": "{{randomInt lower=0 upper=1001}}",
  ]

  /// The response to a request with these header fields; nil if the example is no answer, which the report says.
  func response(_ value: SourceValue, to requestHeaders: RecordedHeaders) -> StubResponse? {
    let status = status(value)
    let headers = PostmanHeaders.fields(value["header"], variables)
    var body = RecordedBody.none
    if let bytes = value["stream"]?["data"]?.elements.compactMap(\.integer), !bytes.isEmpty {
      body = .bytes(Data(bytes.map { UInt8(truncatingIfNeeded: $0) }))
      value["stream"]?.ignoreUnread()
      value.ignore("body")
    } else if let text = value.text("body"), !text.isEmpty {
      body = .text(text)
    } else {
      value.ignore("body", "stream")
    }
    var isTemplate = false
    if case .text(let text) = body {
      let filled = variables.fill(text)
      (body, isTemplate) = self.template(filled, at: value)
    }
    let source = ReportSource(value)
    var exchange = RecordedExchange(
      method: "GET", url: "/",
      outcome: .answer(RecordedAnswer(status: status, headers: headers, body: body)),
      source: source)
    exchange.requestHeaders = requestHeaders
    guard var response = AnswerReader().response(to: exchange) else { return nil }
    response.isTemplate = isTemplate
    return response
  }

  private func status(_ value: SourceValue) -> Int {
    if let code = value.integer("code"), (100...999).contains(code) { return code }
    let code = value["status"]?.peekedText.flatMap(StatusPhrase.code) ?? 200
    value.note(.changed, .generated, "The example has no code; \(code) was taken")
    return code
  }

  private func template(
    _ filled: PostmanVariables.Filled, at value: SourceValue
  ) -> (RecordedBody, Bool) {
    guard !filled.open.isEmpty else { return (.text(filled.text), false) }
    guard filled.open.allSatisfy({ Self.functions[$0] != nil }) else {
      value["body"]?.change(
        .template, "Variables without a value were left as text")
      return (.text(filled.text), false)
    }
    var text = filled.text
    for name in filled.open {
      text = text.replacingOccurrences(of: "{{\(name)}}", with: Self.functions[name] ?? "")
    }
    return (.text(text), true)
  }
}

/// Header fields as a list of objects or texts, as one text, or null.
enum PostmanHeaders {
  static func fields(_ value: SourceValue?, _ variables: PostmanVariables) -> RecordedHeaders {
    var headers = RecordedHeaders()
    func add(_ line: String) {
      guard let (name, value) = line.cut(at: ":") else { return }
      headers.append(
        name.trimmingCharacters(in: .whitespaces),
        variables.fill(value.trimmingCharacters(in: .whitespaces)).text)
    }
    if let text = value?.text {
      text.split(whereSeparator: \.endsLine).map(String.init).forEach(add)
    }
    for field in value?.elements ?? [] {
      if let text = field.text {
        add(text)
      } else if field["disabled"]?.bool != true, let name = field.text("key") {
        headers.append(name, variables.fill(field.text("value") ?? "").text)
      }
      field.ignoreUnread()
    }
    value?.keep()
    return headers
  }
}
