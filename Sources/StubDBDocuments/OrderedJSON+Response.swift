internal import Foundation
package import HTTPTypes
package import StubDBJSON
import StubDBModel
internal import StubDBSupport

extension OrderedJSON {
  static func responseMembers(
    _ response: StubResponse, includingBody: Bool = true
  ) -> [(String, OrderedJSON)] {
    let content = includingBody ? response.body.map(content) : nil
    var members: [(String, OrderedJSON)] = []
    for part in ResponsePart.all {
      if let tree = part.tree(of: response, content: content) {
        members.append((part.rawValue, tree))
      }
    }
    return members
  }

  /// Header fields by name, ignoring case; several values of one name become a list.
  static func headers(_ fields: HTTPFields) -> OrderedJSON {
    var members: [(String, OrderedJSON)] = []
    var rest = fields.sortedByName[...]
    while let first = rest.first {
      let same = rest.prefix { $0.name == first.name }
      members.append(
        (
          first.name.rawName,
          same.count == 1 ? .string(first.value) : .words(same.map(\.value))
        ))
      rest = rest.dropFirst(same.count)
    }
    return .object(members)
  }

  /// The content under the key for its kind.
  ///
  /// A body that was left in its catalog is written as a `file` named by its digest: the text cannot be decoded, rather
  /// than silently losing the body.
  static func content(_ body: ResponseBody) -> (part: ResponsePart, tree: OrderedJSON) {
    guard case .bytes(let data) = body.content else {
      guard case .stored(let stored) = body.content else { return (.text, .string("")) }
      return (.file, .string("sha256:" + stored.digest.hexadecimal))
    }
    switch body.kind {
    case .json:
      if let value = try? JSONValue(parsing: data) { return (.json, .json(value)) }
    case .text:
      if let text = String(strictUTF8: data) { return (.text, .string(text)) }
    case .base64: break
    }
    return (.base64, .string(data.base64EncodedString()))
  }

  static func time(_ duration: Duration) -> OrderedJSON {
    .string(DurationText.text(duration))
  }

  static func throttle(_ throttle: ResponseThrottle) -> OrderedJSON {
    switch throttle.kind {
    case .network(let profile): .string(profile.rawValue)
    case .bytesPerSecond(let rate): .string(ByteRateText.text(rate))
    }
  }

  static func delay(_ delay: ResponseDelay) -> OrderedJSON {
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

  static func chunks(_ chunks: ResponseChunks) -> OrderedJSON {
    switch chunks.kind {
    case .split(let count, let duration):
      return .object([("count", .integer(count)), ("over", time(duration))])
    case .pieces(let pieces):
      return .array(
        pieces.map { piece in
          let content = content(piece.body)
          var members = [(content.part.rawValue, content.tree)]
          if piece.after != .zero { members.append(("after", time(piece.after))) }
          return .object(members)
        })
    }
  }

  static func callbacks(
    _ callbacks: [ResponseCallback], of response: StubResponse
  ) -> OrderedJSON {
    .array(
      callbacks.map { callback in
        var members: [(String, OrderedJSON)] = [("request", request(of: callback))]
        if callback.after != .zero { members.append(("after", time(callback.after))) }
        if callback.times > 1 { members.append(("times", .integer(callback.times))) }
        if callback.isTemplate != response.isTemplate {
          members.append(("template", .json(.bool(callback.isTemplate))))
        }
        return .object(members)
      })
  }

  private static func request(of callback: ResponseCallback) -> OrderedJSON {
    var members: [(String, OrderedJSON)] = []
    if callback.method != "POST" { members.append(("method", .string(callback.method))) }
    members.append(("url", .string(callback.url)))
    if !callback.headers.isEmpty { members.append(("headers", headers(callback.headers))) }
    if let content = callback.body.map(content) {
      members.append((content.part.rawValue, content.tree))
    }
    return .object(members)
  }

  static func error(_ error: ResponseError) -> OrderedJSON {
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

extension ResponsePart {
  /// The member as a document has it, nil if it has its default; `content` is the one that the response has.
  fileprivate func tree(
    of response: StubResponse, content: (part: ResponsePart, tree: OrderedJSON)?
  ) -> OrderedJSON? {
    switch self {
    case .status:
      response.statusTemplate.map(OrderedJSON.string)
        ?? (response.status == 200 ? nil : .integer(response.status))
    case .headers: response.headers.isEmpty ? nil : .headers(response.headers)
    case .json, .text, .base64, .file: content?.part == self ? content?.tree : nil
    case .delay: response.delay.map(OrderedJSON.delay)
    case .chunks: response.chunks.map(OrderedJSON.chunks)
    // Written as the chunks that they are.
    case .events: nil
    case .throttle: response.throttle.map(OrderedJSON.throttle)
    case .webSocket: response.webSocket.map(OrderedJSON.webSocket)
    case .error: response.error.map(OrderedJSON.error)
    case .fault: response.fault.map { .string($0.rawValue) }
    case .afterBytes: response.afterBytes.map(OrderedJSON.integer)
    case .repeat: response.repeatCount == 1 ? nil : .integer(response.repeatCount)
    case .template: response.isTemplate ? .yes : nil
    case .callbacks:
      response.callbacks.isEmpty ? nil : .callbacks(response.callbacks, of: response)
    case .passthrough, .next: response.delegation?.rawValue == rawValue ? .yes : nil
    }
  }
}

extension OrderedJSON {
  /// The script of a WebSocket as a document has it.
  static func webSocket(_ script: WebSocketScript) -> OrderedJSON {
    var members: [(String, OrderedJSON)] = []
    if let subprotocol = script.subprotocol { members.append(("protocol", .string(subprotocol))) }
    if !script.frames.isEmpty { members.append(("frames", .array(script.frames.map(frame)))) }
    if let start = script.repeatFrom { members.append(("repeatFrom", .integer(start))) }
    if script.otherwise != .close {
      members.append(("otherwise", .string(script.otherwise.rawValue)))
    }
    return .object(members)
  }

  private static func frame(_ frame: WebSocketScript.Frame) -> OrderedJSON {
    var members: [(String, OrderedJSON)]
    var pause = Duration.zero
    switch frame.kind {
    case .send(let body, let after):
      let content = content(body)
      members = [("send", .object([(content.part.rawValue, content.tree)]))]
      pause = after
    case .expect(let patterns, let limit):
      members = [("expect", body(patterns) ?? .array([]))]
      if let limit { members.append(("within", time(limit))) }
    case .close(let code, let reason, let after):
      members = [("close", .integer(code))]
      if reason != "" { members.append(("reason", .string(reason.string))) }
      pause = after
    case .fault(let fault, let after):
      members = [("fault", .string(fault.rawValue))]
      pause = after
    }
    if pause != .zero { members.append(("after", time(pause))) }
    return .object(members)
  }
}

extension HTTPFields {
  /// The places of the fields in a response of a document, in order: several of one name have indexes.
  package var documentPointers: [JSONPointer] {
    var (names, counts) = ([HTTPField.Name: String](), [HTTPField.Name: Int]())
    for field in self {
      names[field.name] = names[field.name] ?? field.name.rawName
      counts[field.name, default: 0] += 1
    }
    var next: [HTTPField.Name: Int] = [:]
    return map { field in
      let place = JSONPointer([ResponsePart.headers.rawValue, names[field.name] ?? ""])
      guard counts[field.name] != 1 else { return place }
      defer { next[field.name, default: 0] += 1 }
      return place.appending(next[field.name] ?? 0)
    }
  }
}
