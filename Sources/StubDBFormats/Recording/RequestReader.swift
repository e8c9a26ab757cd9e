internal import Foundation
internal import HTTPTypes
internal import StubDBEngine
internal import StubDBModel

/// Makes patterns of recorded requests.
struct RequestReader {
  private static let standardMethods: Set<String> = [
    "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH",
  ]
  /// Fields that say which operation is meant where all have one URL: SOAP, AWS.
  private static let operationFields = ["SOAPAction", "X-Amz-Target"]

  private let volatility: Volatility
  private let matchedHeaders: [String]
  private let matchesAnyHost: Bool

  /// Whether a method is one that clients write in upper case.
  static func isStandard(_ method: String) -> Bool { standardMethods.contains(method.uppercased()) }

  init(options: ImportOptions) {
    var volatility = Volatility()
    volatility.named = Set(options.ignoredQuery.map { $0.lowercased() })
    volatility.usesLists = !options.flags.contains(.exact)
    self.volatility = volatility
    matchedHeaders = Self.operationFields + options.matchedHeaders
    matchesAnyHost = options.matchesAnyHost
  }

  /// The parts of the URL; nil if the request is no HTTP request that stubs can answer, which the report says.
  func url(of exchange: RecordedExchange) -> URLParts? {
    let text = exchange.url
    if exchange.method.uppercased() == "CONNECT" {
      exchange.source.value?.ignore()
      return nil
    }
    guard var parts = URLParts(text.trimmingCharacters(in: .whitespaces)) else {
      exchange.source.drop(
        .invalidURL, "\"\(ShownURL.text(text))\" is not a URL; the request was left out")
      return nil
    }
    switch parts.scheme {
    case "http", "https": break
    case nil where parts.host == nil: break
    case "ws", "wss":
      exchange.source.drop(.websocket, "A WebSocket; its messages are not taken over")
      return nil
    default:
      if let value = exchange.source.value {
        value.ignore()
      } else {
        exchange.source.log.countIgnored(1)
      }
      return nil
    }
    if parts.fragment != nil {
      exchange.source.add(
        .changed, .urlFragment, "The fragment of the URL was left out; it is never sent")
    }
    parts.fragment = nil
    if parts.host == nil, !matchesAnyHost {
      exchange.source.add(.changed, .variable, "The URL has no host; any host matches")
    }
    return parts
  }

  /// The request as a pattern, with the response to it; nil if no client can send its method.
  func call(_ exchange: RecordedExchange, url: URLParts, response: StubResponse) -> RecordedCall? {
    guard let method = method(exchange.method) else {
      exchange.source.drop(
        .invalidURL, "\"\(exchange.method.prefix(40))\" is not a method; the request was left out")
      return nil
    }
    var volatile: [String] = []
    var pattern = RequestPattern(methods: [method])
    if !matchesAnyHost {
      pattern.scheme = url.scheme
      pattern.host = url.host.map { .equalTo($0) }
      pattern.port = url.port
    }
    pattern.path = .template(exchange.placeholders.filled(in: URLParts.literalTemplate(url.path)))
    pattern.query = query(url, &volatile)
    pattern.headers =
      headers(exchange)
      + exchange.absentHeaders.compactMap { name in
        HTTPField.Name(name).map { HeaderPattern($0, .absent) }
      }
    if url.userInformation != nil {
      // No password becomes part of a stub, whatever it looks like.
      pattern.headers.removeAll { $0.name == .authorization }
      pattern.headers.append(HeaderPattern(.authorization, .matches("(?i)Basic .+")))
      exchange.source.add(
        .changed, .variable,
        "The user name and password of the URL were left out; any credentials match")
    }
    addBody(exchange, to: &pattern, &volatile)
    for name in Set(volatile).sorted() {
      exchange.source.add(.changed, .volatile, "\"\(name)\" \(volatility.reason(for: name))")
    }
    return RecordedCall(
      exchange: exchange, pattern: pattern, response: response,
      hasFreeQuery: exchange.placeholders.hasFreeQuery)
  }

  /// Says which parts of a `multipart/form-data` match whatever is in them.
  private func noteOpenParts(of body: BodyPattern, in exchange: RecordedExchange) {
    guard let multipart = body.operation as? MultipartOperator else { return }
    for part in multipart.parts where part.body.isEmpty {
      exchange.source.add(
        .changed, .noRequestBody,
        "The content of the part \"\(part.name ?? "")\" was not recorded or is too large to "
          + "compare; only its name and file name are matched")
    }
  }

  private func method(_ text: String) -> HTTPRequest.Method? {
    let upper = text.uppercased()
    return HTTPRequest.Method(Self.standardMethods.contains(upper) ? upper : text)
  }

  private func query(_ url: URLParts, _ volatile: inout [String]) -> [NamedPattern] {
    NamedValues(url.query.map { ($0.name, $0.value) }).values.map { name, values in
      if values.contains(where: { volatility.isVolatile(name, value: $0) }) {
        volatile.append(name)
        // By its name, it is allowed where no others are.
        return NamedPattern(name, .anything)
      }
      return NamedPattern(name, .exactly(values))
    }
  }

  private func headers(_ exchange: RecordedExchange) -> [HeaderPattern] {
    let own = exchange.matchedHeaders.filter { name in
      !matchedHeaders.contains { $0.lowercased() == name.lowercased() }
    }
    return (matchedHeaders + own).compactMap { name in
      let values = exchange.requestHeaders[values: name]
      guard !values.isEmpty, let name = HTTPField.Name(name) else { return nil }
      // What a client proves itself with is asked for, whatever its value is.
      let isSecret =
        [.authorization, .proxyAuthorization, .cookie].contains(name)
        || SensitiveName(name.rawName) != .none
      return HeaderPattern(name, isSecret ? .matches(".+") : .exactly(values))
    }
  }

  /// The content without its coding, as it is matched: what a coding writes beside it differs in each request.
  private static func decodedBody(of exchange: RecordedExchange) -> RecordedBody {
    guard case .bytes(let data) = exchange.requestBody else { return exchange.requestBody }
    var fields = HTTPFields()
    for coding in exchange.requestHeaders[values: "Content-Encoding"] {
      fields.append(HTTPField(name: .contentEncoding, value: coding))
    }
    // What cannot be decoded is compared as it came.
    return .bytes((try? ContentDecoding.content(data, headers: fields)) ?? data)
  }

  private func addBody(
    _ exchange: RecordedExchange, to pattern: inout RequestPattern, _ volatile: inout [String]
  ) {
    let reader = RequestBodyPattern(volatility: volatility)
    switch reader.pattern(
      for: Self.decodedBody(of: exchange), contentType: exchange.requestHeaders["Content-Type"])
    {
    case .none: break
    case .pattern(let body, let names):
      pattern.body = [body]
      volatile += names
      noteOpenParts(of: body, in: exchange)
    case .unmatched(let reason):
      exchange.source.add(
        .changed, .noRequestBody, "\(reason); the stub answers whatever the content is")
    }
  }
}
