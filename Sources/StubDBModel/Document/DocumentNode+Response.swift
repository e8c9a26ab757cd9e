internal import Foundation
internal import HTTPTypes

extension DocumentNode {
  /// More header fields than any server sends, and fewer than `HTTPFields` can hold.
  private static let maximumHeaderCount = 1000

  func response() throws(DocumentError) -> StubResponse {
    let object = try object(.response)
    var response = StubResponse()
    if let status = try object["status"]?.integer("the status", in: 100...999) {
      response.status = status
    }
    if let headers = try object["headers"]?.headerFields() { response.headers = headers }
    response.body = try object.content(["json", "text", "base64", "file"])
    response.delay = try object["delay"]?.delay()
    response.chunks = try object["chunks"]?.chunks()
    response.error = try object["error"]?.responseError()
    if let fault = try object["fault"]?.word(
      "a fault", of: ResponseFault.allCases.map(\.rawValue))
    {
      response.fault = ResponseFault(rawValue: fault)
    }
    response.afterBytes = try object["afterBytes"]?.integer("\"afterBytes\"", in: 0...Int.max)
    if let count = try object["repeat"]?.integer("\"repeat\"", in: 1...Int.max) {
      response.repeatCount = count
    }
    response.isTemplate = try object.flag("template")
    if !context.isTrusted { try object.checkTogether(response) }
    return response
  }

  private func headerFields() throws(DocumentError) -> HTTPFields {
    var fields = HTTPFields()
    for (name, node) in try members("an object of header fields").sorted(by: {
      $0.name.lowercased() < $1.name.lowercased()
    }) {
      guard let fieldName = HTTPField.Name(name) else { throw node.headerNameFailure(name) }
      if !context.isTrusted, fields.contains(fieldName) {
        throw node.failure(
          .duplicate,
          "the header field \"\(name)\" is given twice; give several values as a list")
      }
      if case .string(let value) = node.value {
        fields.append(try node.headerField(fieldName, value))
        continue
      }
      let values = try node.list("a string or a list of strings")
      if values.isEmpty { throw node.failure(.invalidValue, "the list of values is empty") }
      if values.count > Self.maximumHeaderCount - fields.count {
        throw node.failure(
          .invalidValue, "a response has at most \(Self.maximumHeaderCount) header fields")
      }
      for value in values {
        fields.append(try value.headerField(fieldName, try value.string()))
      }
    }
    return fields
  }

  private func headerField(
    _ name: HTTPField.Name, _ value: String
  ) throws(DocumentError) -> HTTPField {
    guard context.isTrusted || HTTPField.isValidValue(value) else {
      throw failure(
        .invalidValue,
        "the value of \"\(name.rawName)\" is not allowed (RFC 9110): it has a line"
          + " break, another control character, or white space at an end")
    }
    return HTTPField(name: name, value: value)
  }

  func duration() throws(DocumentError) -> Duration {
    let text = try string()
    guard let duration = DurationText.parse(text) else {
      throw failure(
        .invalidValue,
        "\"\(text)\" is not a time; write a number and us, ms, s or min, such as \"250ms\"")
    }
    if duration > DurationText.maximum {
      throw failure(.invalidValue, "\"\(text)\" is longer than 24 hours")
    }
    return duration
  }

  private func delay() throws(DocumentError) -> ResponseDelay {
    if case .string = value { return .fixed(try duration()) }
    guard case .object = value else {
      throw wrongType("a time such as \"250ms\", {\"uniform\": […]} or {\"lognormal\": {…}}")
    }
    let object = try object(.delay)
    switch (object["uniform"], object["lognormal"]) {
    case (let uniform?, nil):
      let times = try uniform.list("a list of two times")
      guard times.count == 2 else {
        throw uniform.failure(
          .invalidValue, "\"uniform\" takes two times, the shortest and the longest")
      }
      let (shortest, longest) = (try times[0].duration(), try times[1].duration())
      if shortest > longest {
        throw uniform.failure(.invalidValue, "the first time is longer than the second")
      }
      return .uniform(shortest, longest)
    case (nil, let lognormal?):
      return try lognormal.lognormal()
    default:
      throw failure(.conflict, "a delay needs one of \"uniform\" and \"lognormal\"")
    }
  }

  private func lognormal() throws(DocumentError) -> ResponseDelay {
    let object = try object(.lognormal)
    let sigma = try object.required("sigma")
    let number = try sigma.number()
    guard number.doubleValue.isFinite, number.doubleValue >= 0 else {
      throw sigma.failure(.invalidValue, "\"sigma\" must be 0 or more, not \(number.text)")
    }
    return .lognormal(
      median: try object.required("median").duration(), sigma: number.doubleValue)
  }

  private func chunks() throws(DocumentError) -> ResponseChunks {
    if case .object = value {
      let object = try object(.chunks)
      return .split(
        count: try object.required("count").integer("\"count\"", in: 1...Int.max),
        over: try object.required("over").duration())
    }
    var pieces: [ResponseChunks.Piece] = []
    for node in try list("{\"count\": …, \"over\": …} or a list of chunks") {
      let object = try node.object(.piece)
      guard let body = try object.content(["json", "text", "base64"]) else {
        throw node.failure(.missingKey, "a chunk needs one of \"json\", \"text\" and \"base64\"")
      }
      pieces.append(.init(body, after: try object["after"]?.duration() ?? .zero))
    }
    if pieces.isEmpty { throw failure(.invalidValue, "the list of chunks is empty") }
    return .pieces(pieces)
  }

  private func responseError() throws(DocumentError) -> ResponseError {
    if case .string(let name) = value {
      if let error = ResponseError(urlErrorName: name) { return error }
      let advice =
        URLErrorNames.codes.keys.sorted().nearest(to: name).map { "did you mean \"\($0)\"?" }
        ?? "write one such as \"timedOut\", or {\"domain\": …, \"code\": …}"
      throw failure(.invalidValue, "\"\(name)\" is not a URLError name; \(advice)")
    }
    guard case .object = value else {
      throw wrongType("a URLError name such as \"timedOut\", or {\"domain\": …, \"code\": …}")
    }
    let object = try object(.error)
    var error = ResponseError(
      domain: try object.required("domain").filledString("the domain"),
      code: try object.required("code").integer("the code"))
    if let userInfo = object["userInfo"] {
      guard case .object(let members) = userInfo.value else {
        throw userInfo.wrongType("an object")
      }
      error.userInfo = members
    }
    return error
  }
}

extension DocumentObject {
  /// The content under one of the keys, or nil where none of them is given.
  fileprivate func content(_ keys: [String]) throws(DocumentError) -> ResponseBody? {
    let given = keys.filter(has)
    guard let key = given.first, let content = self[key] else { return nil }
    if given.count > 1 {
      throw node.failure(
        .conflict,
        "\"\(given[0])\" and \"\(given[1])\" are given together;"
          + " \(kind.name) has one content")
    }
    switch key {
    case "json": return .json(content.value)
    case "text": return .text(try content.string())
    case "base64": return .data(try content.base64())
    default: return try content.file()
    }
  }

  /// Refuses what would never be sent, and what needs something else to mean anything.
  fileprivate func checkTogether(_ response: StubResponse) throws(DocumentError) {
    if response.error != nil, let fault = self["fault"] {
      throw fault.failure(.conflict, "\"error\" and \"fault\" are given together; choose one")
    }
    let ending = response.error != nil ? "error" : response.fault != nil ? "fault" : nil
    if response.afterBytes != nil, ending == nil {
      throw (self["afterBytes"] ?? node).failure(
        .conflict, "\"afterBytes\" needs \"error\" or \"fault\": what comes after the bytes")
    }
    if case .pieces = response.chunks, response.body != nil {
      throw (self["chunks"] ?? node).failure(
        .conflict, "a list of chunks is the content; leave the other content out")
    }
    if case .split = response.chunks, response.body == nil {
      throw (self["chunks"] ?? node).failure(
        .conflict, "there is no content to cut; give \"json\", \"text\", \"base64\" or \"file\"")
    }
    guard let ending, response.afterBytes == nil, response.fault != .truncated else { return }
    let neverSent = ["status", "headers", "json", "text", "base64", "file", "chunks", "template"]
    for key in neverSent where has(key) {
      throw (self[key] ?? node).failure(
        .conflict,
        "\"\(key)\" is never sent, because \"\(ending)\" comes first;"
          + " give \"afterBytes\" to send it before, or leave it out")
    }
  }
}

extension DocumentNode {
  /// The content of the file, as text where it is text.
  fileprivate func file() throws(DocumentError) -> ResponseBody {
    let path = try filledString("the file name")
    let data: Data
    do {
      data = try context.readFile(path)
    } catch {
      let reason = error is CocoaError ? error.localizedDescription : "\(error)"
      throw failure(.unreadableFile, "cannot read the file \"\(path)\": \(reason)")
    }
    if !data.contains(0), let text = String(strictUTF8: data) { return .text(text) }
    return .data(data)
  }
}
