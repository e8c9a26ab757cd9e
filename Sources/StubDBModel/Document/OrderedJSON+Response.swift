internal import Foundation
internal import HTTPTypes
internal import StubDBJSON
internal import StubDBSupport

extension OrderedJSON {
  static func responseMembers(
    _ response: StubResponse, includingBody: Bool = true
  ) -> [(String, OrderedJSON)] {
    var members: [(String, OrderedJSON)] = []
    if let template = response.statusTemplate {
      members.append(("status", .string(template)))
    } else if response.status != 200 {
      members.append(("status", .integer(response.status)))
    }
    if !response.headers.isEmpty { members.append(("headers", headers(response.headers))) }
    if includingBody, let body = response.body { members.append(content(body)) }
    if let delay = response.delay { members.append(("delay", self.delay(delay))) }
    if let chunks = response.chunks { members.append(("chunks", self.chunks(chunks))) }
    if let throttle = response.throttle { members.append(("throttle", self.throttle(throttle))) }
    if let error = response.error { members.append(("error", self.error(error))) }
    if let fault = response.fault { members.append(("fault", .string(fault.rawValue))) }
    if let count = response.afterBytes { members.append(("afterBytes", .integer(count))) }
    if response.repeatCount != 1 { members.append(("repeat", .integer(response.repeatCount))) }
    if response.isTemplate { members.append(("template", .yes)) }
    if let delegation = response.delegation { members.append((delegation.rawValue, .yes)) }
    return members
  }

  /// Header fields by name, ignoring case; several values of one name become a list.
  private static func headers(_ fields: HTTPFields) -> OrderedJSON {
    var names: [HTTPField.Name] = []
    var values: [HTTPField.Name: [String]] = [:]
    for field in fields {
      if values[field.name] == nil { names.append(field.name) }
      values[field.name, default: []].append(field.value)
    }
    names.sort { $0.canonicalName < $1.canonicalName }
    return .object(
      names.map { name in
        let values = values[name, default: []]
        return (name.rawName, values.count == 1 ? .string(values[0]) : .words(values))
      })
  }

  /// The content under the key for its kind.
  ///
  /// A body that was left in its catalog is written as a `file` named by its digest: the text cannot be decoded, rather
  /// than silently losing the body.
  private static func content(_ body: ResponseBody) -> (String, OrderedJSON) {
    guard case .bytes(let data) = body.content else {
      guard case .stored(let stored) = body.content else { return ("text", .string("")) }
      let digest = stored.digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      return ("file", .string("sha256:" + digest.joined()))
    }
    switch body.kind {
    case .json:
      if let value = try? JSONValue(parsing: data) { return ("json", .json(value)) }
    case .text:
      if let text = String(strictUTF8: data) { return ("text", .string(text)) }
    case .base64: break
    }
    return ("base64", .string(data.base64EncodedString()))
  }

  private static func time(_ duration: Duration) -> OrderedJSON {
    .string(DurationText.text(duration))
  }

  private static func throttle(_ throttle: ResponseThrottle) -> OrderedJSON {
    switch throttle.kind {
    case .network(let profile): .string(profile.rawValue)
    case .bytesPerSecond(let rate): .string(ByteRateText.text(rate))
    }
  }

  private static func delay(_ delay: ResponseDelay) -> OrderedJSON {
    switch delay.kind {
    case .fixed(let duration): time(duration)
    case .uniform(let shortest, let longest):
      .object([
        ("uniform", .words([DurationText.text(shortest), DurationText.text(longest)]))
      ])
    case .lognormal(let median, let sigma):
      .object([
        (
          "lognormal",
          .object([
            ("median", time(median)),
            ("sigma", .json(JSONNumber(sigma).map(JSONValue.number) ?? 0)),
          ])
        )
      ])
    }
  }

  private static func chunks(_ chunks: ResponseChunks) -> OrderedJSON {
    switch chunks {
    case .split(let count, let duration):
      return .object([("count", .integer(count)), ("over", time(duration))])
    case .pieces(let pieces):
      return .array(
        pieces.map { piece in
          var members = [content(piece.body)]
          if piece.after != .zero { members.append(("after", time(piece.after))) }
          return .object(members)
        })
    }
  }

  private static func error(_ error: ResponseError) -> OrderedJSON {
    if error.userInfo.isEmpty, error.domain == URLErrorNames.domain,
      let name = URLErrorNames.name(of: error.code)
    {
      return .string(name)
    }
    var members: [(String, OrderedJSON)] = [
      ("domain", .string(error.domain)), ("code", .integer(error.code)),
    ]
    if !error.userInfo.isEmpty { members.append(("userInfo", .json(.object(error.userInfo)))) }
    return .object(members)
  }
}
