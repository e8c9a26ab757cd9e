internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// Reads the entries of an archive.
struct HAREntryReader {
  private static let browserResources: Set<String> = [
    "image", "stylesheet", "font", "media", "script", "manifest", "ping", "preflight",
  ]
  private static let browserTypes = ["image/", "font/", "video/", "audio/", "text/css"]
  private static let scriptTypes = ["javascript", "ecmascript", "x-font"]

  let producer: HARProducer
  let pages: HARPages
  let input: ImportInput

  private var log: ReportLog { input.log }

  /// The exchange of an entry; nil for an entry without a request, which the report names.
  ///
  /// What of it has no influence on answers is ignored.
  mutating func exchange(_ entry: SourceValue) throws(FormatError) -> RecordedExchange? {
    let item = log.beginItem()
    guard entry.isObject, let request = entry["request"], let url = request.text("url") else {
      entry.drop(.invalidURL, "The entry has no request with a URL; it was left out")
      return nil
    }
    let method = request.text("method") ?? "GET"
    let response = entry["response"]
    var exchange = RecordedExchange(
      method: method, url: url, outcome: .none, source: ReportSource(entry, item: item),
      answerSource: response.map { ReportSource($0, item: item) })
    exchange.requestHeaders = headers(request["headers"])
    exchange.requestBody = try requestBody(request)
    if exchange.requestHeaders["Content-Type"] == nil,
      let type = request["postData"]?["mimeType"]?.peekedText, type.contains("/")
    {
      exchange.requestHeaders.append("Content-Type", type)
    }
    exchange.outcome = try outcome(entry, response, exchange)
    exchange.time = entry.text("startedDateTime").flatMap(HARTime.seconds)
    let day = entry["startedDateTime"]?.peekedText.flatMap(RecordedDay.day)
    // Archives that were made and not recorded count their seconds from the epoch.
    exchange.recordedDay = day == "1970-01-01" ? nil : day
    readTimings(entry, into: &exchange)
    exchange.name = producer.name.contains("insomnia") ? entry.text("comment") : nil
    if let title = pages.title(of: entry["pageref"]?.peekedText) {
      // Chrome's titles are the URLs of the pages.
      exchange.group = [title.replacing(/^https?:\/\//, with: "")]
    }
    exchange.isBrowserNoise = isBrowserNoise(entry, exchange)
    ignoreRest(of: entry, request, response)
    return exchange
  }

  private func ignoreRest(of entry: SourceValue, _ request: SourceValue, _ response: SourceValue?) {
    entry.ignore(
      "pageref", "startedDateTime", "time", "cache", "timings", "serverIPAddress", "connection",
      "comment", "index")
    if request["headers"]?.isNull == true { request.ignore("headers") }
    request.ignore(
      "httpVersion", "cookies", "queryString", "headersSize", "bodySize", "comment",
      "settingEncodeUrl")
    response?.ignore(
      "statusText", "httpVersion", "cookies", "redirectURL", "headersSize", "bodySize", "comment",
      // As Internet Explorer and Fiddler write it.
      "redirectionURL")
    response?["content"]?.ignore("size", "compression", "mimeType", "encoding", "comment")
    for part in [entry, request, response, response?["content"], request["postData"]] {
      part?.ignoreUnread { $0.hasPrefix("_") }
    }
  }

  /// Header fields as objects, or as Slack writes them, as pairs.
  private func headers(_ list: SourceValue?) -> RecordedHeaders {
    if list?.isObject == true { return CassetteParts.headers(list) }
    var headers = RecordedHeaders()
    for field in list?.elements ?? [] {
      if field.isArray {
        let pair = field.elements
        if pair.count == 2, let name = pair[0].text, let value = pair[1].text {
          headers.append(name, value)
        }
      } else if let name = field.text("name") {
        let value = field.text("value") ?? ""
        field.ignoreUnread()
        if !name.hasPrefix(":") { headers.append(name, value) }
      }
    }
    list?.keep()
    return headers
  }

  private func readTimings(_ entry: SourceValue, into exchange: inout RecordedExchange) {
    let timings = entry["timings"]
    exchange.wait = timings?["wait"]?.number.flatMap(Self.duration)
    exchange.receive = timings?["receive"]?.number.flatMap(Self.duration)
  }

  private static func duration(_ milliseconds: Double) -> Duration? {
    (0..<86_400_000).contains(milliseconds) ? .microseconds(Int(milliseconds * 1000)) : nil
  }

  private func isBrowserNoise(_ entry: SourceValue, _ exchange: RecordedExchange) -> Bool {
    let isPreflight =
      exchange.method == "OPTIONS"
      && exchange.requestHeaders["Access-Control-Request-Method"] != nil
    guard producer.isBrowser else { return false }
    if isPreflight { return true }
    if let resource = entry["_resourceType"]?.peekedText {
      return Self.browserResources.contains(resource.lowercased())
    }
    guard case .answer(let answer) = exchange.outcome,
      let type = answer.headers.mediaType
        ?? entry["response"]?["content"]?["mimeType"]?.peekedText?.lowercased()
    else { return false }
    return Self.browserTypes.contains { type.hasPrefix($0) }
      || Self.scriptTypes.contains { type.contains($0) }
  }
}

// MARK: - Contents

extension HAREntryReader {
  private func requestBody(_ request: SourceValue) throws(FormatError) -> RecordedBody {
    guard let data = request["postData"], !data.isNull else {
      let size = request["bodySize"]?.integer ?? -1
      let method = request["method"]?.peekedText?.uppercased() ?? "GET"
      // Some recorders know that there was content, and have lost it; those methods mostly have some.
      guard size != 0, ["POST", "PUT", "PATCH"].contains(method) else { return .none }
      return .missing(byteCount: size > 0 ? size : nil)
    }
    data.ignore("mimeType", "comment")
    if let file = data.text("_file") { return .bytes(try attachment(file, data)) }
    if let text = data["text"], !text.isNull, !text.isEmptyText {
      // The same in parts, where both are there.
      data.ignore("params", "textJSON")
      return RecordedContent.body(text, encoding: data["encoding"], isRequest: true)
    }
    data.ignore("text", "encoding")
    // Some persisters of Polly write JSON as the value that it is.
    if let json = data["textJSON"], !json.isNull {
      data.ignore("params")
      return .text(json.json.canonicalText)
    }
    let params = data["params"]?.elements ?? []
    if params.isEmpty {
      guard let list = data["params"], !list.isNull, !list.isArray else { return .none }
      list.drop(
        .noRequestBody, "The content is \(list.typeName) where a list of parameters belongs")
      return .missing(byteCount: nil)
    }
    let isMultipart = data["mimeType"]?.peekedText?.lowercased().hasPrefix("multipart/") ?? false
    return isMultipart || params.contains { $0["fileName"]?.isString == true }
      ? .multipart(params.map(part)) : .form(params.map(field))
  }

  private func field(_ param: SourceValue) -> RecordedHeaders.Field {
    param.ignore("comment")
    return RecordedHeaders.Field(param.text("name") ?? "", param.text("value") ?? "")
  }

  private func part(_ param: SourceValue) -> RecordedBody.Part {
    let filename = param.text("fileName")
    param.ignore("comment")
    return RecordedBody.Part(
      name: param.text("name") ?? "", filename: filename, contentType: param.text("contentType"),
      content: param.text("value").flatMap { filename != nil && $0.isEmpty ? nil : Data($0.utf8) })
  }

  private func outcome(
    _ entry: SourceValue, _ response: SourceValue?, _ exchange: RecordedExchange
  ) throws(FormatError) -> RecordedExchange.Outcome {
    guard let response, let status = response.integer("status") else { return .none }
    let failure =
      response.first(of: "_error", "_failureText")?.text ?? entry["_error"]?.text
    if let messages = entry["_webSocketMessages"], messages.isArray {
      return .answer(RecordedAnswer(status: 101))
    }
    if status <= 0 {
      response.ignoreUnread()
      return failure.map { .failure($0) } ?? .failure("status \(status)")
    }
    var headers = headers(response["headers"])
    // A recorder that writes the request's header fields a second time has not seen the answer's.
    if producer.name.contains("optic"), headers == exchange.requestHeaders { headers.fields = [] }
    if headers["Location"] == nil, (300..<400).contains(status),
      let target = response["redirectURL"]?.text, !target.isEmpty
    {
      headers.append("Location", target)
    }
    var answer = RecordedAnswer(status: status, headers: headers)
    answer.body = try content(response, status: status, headers: &answer.headers)
    answer.isFromCache =
      entry["_fromCache"]?.peekedText != nil
      || entry["_fetchType"]?.peekedText?.lowercased().hasSuffix("cache") ?? false
    return .answer(answer)
  }

  private func content(
    _ response: SourceValue, status: Int, headers: inout RecordedHeaders
  ) throws(FormatError) -> RecordedBody {
    guard let content = response["content"], content.isObject else { return .none }
    if headers["Content-Type"] == nil, let type = content["mimeType"]?.peekedText,
      type.contains("/"), type != "x-unknown"
    {
      headers.append("Content-Type", type)
    }
    if let file = content.text("_file") { return .bytes(try attachment(file, content)) }
    if let body = PollyRecording.body(of: content, headers: headers, isPolly: producer.isPolly) {
      return body
    }
    guard let text = content["text"], !text.isNull else {
      let size = content["size"]?.integer ?? 0
      return size > 0 ? .missing(byteCount: size) : .none
    }
    return RecordedContent.body(text, encoding: content["encoding"])
  }

  /// The bytes that Playwright puts into a file beside the archive.
  private func attachment(_ name: String, _ value: SourceValue) throws(FormatError) -> Data {
    guard let folder = input.folder else {
      throw value.failure(
        "the file \"\(name)\" cannot be read here; import the archive from a file")
    }
    return try folder.read(name, from: input.directory) { value.failure($0) }
  }
}

/// The times of archives: ISO 8601 with a zone and any number of decimals.
enum HARTime {
  /// The seconds since 1970; nil for other texts.
  static func seconds(_ text: String) -> Double? {
    let digits = text.utf8.split { !$0.isASCIIDigit }.compactMap { Int32(String(Substring($0))) }
    guard digits.count >= 6, text.utf8.count >= 19, text.prefix(4).allSatisfy(\.isNumber),
      (1...9999).contains(digits[0]),
      zip(digits[1...5], [12, 31, 24, 60, 61]).allSatisfy({ $0 <= $1 })
    else { return nil }
    var time = tm()
    time.tm_year = digits[0] - 1900
    time.tm_mon = digits[1] - 1
    time.tm_mday = digits[2]
    time.tm_hour = digits[3]
    time.tm_min = digits[4]
    time.tm_sec = digits[5]
    var seconds = Double(timegm(&time))
    var rest = text.dropFirst(19)
    if rest.first == "." {
      let fraction = rest.dropFirst().prefix { $0.isNumber }
      seconds += Double("0." + fraction) ?? 0
      rest = rest.dropFirst(1 + fraction.count)
    }
    if let sign = rest.first, sign == "+" || sign == "-" {
      let zone = rest.dropFirst().filter(\.isNumber).prefix(4)
      let minutes = (Int(zone.prefix(2)) ?? 0) * 60 + (Int(zone.dropFirst(2)) ?? 0)
      seconds -= Double(minutes * 60) * (sign == "-" ? -1 : 1)
    }
    return seconds
  }
}
