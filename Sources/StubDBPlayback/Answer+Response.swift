import Foundation
import HTTPTypes
package import StubDBEngine
package import StubDBModel

extension Answer {
  /// Makes the answer to a request from a response; `frames` is what the frames of a WebSocket expect.
  package init(
    _ response: StubResponse, pacing: ResponsePacing, to request: StubRequest,
    frames: FramePatterns? = nil
  ) {
    delay = pacing.delay
    if let script = response.webSocket {
      kind = .webSocket(
        WebSocketAnswer(script: script, headers: response.headers, frames: frames))
      return
    }
    if response.delegation == .passthrough {
      kind = .network
      return
    }
    let ending = Ending(response)
    if ending != .complete, response.afterBytes == nil, response.fault != .truncated {
      // Nothing is sent before the failure.
      if case .error(let error, let fault) = ending {
        kind = .error(error, fault)
      } else {
        kind = .never
      }
    } else {
      kind = .reply(Reply(response, to: request, rate: pacing.rate, ending: ending))
    }
  }

  /// Makes the answer to a request from the response that a run selected.
  package init(_ selection: Selection) {
    self.init(
      selection.response, pacing: selection.pacing, to: selection.event.request,
      frames: selection.frames)
  }
}

extension Answer.Reply {
  fileprivate init(
    _ response: StubResponse, to request: StubRequest, rate: Int?, ending: Answer.Ending
  ) {
    var head = ResponseHead(status: response.status, headers: response.headers)
    var content = (response.body ?? response.chunks?.joined).map { Answer.Content(body: $0) }
    content?.body.kind.addContentType(to: &head.headers)
    var chunks = response.chunks
    if head.status == 200, let body = content?.body, !response.isStream {
      switch ByteRange(request, for: head.headers, byteCount: body.byteCount) {
      case .whole:
        break
      case .part(let range):
        head.setRange(range, of: body.byteCount)
        content?.range = range
      case .unsatisfiable:
        head.setUnsatisfiableRange(of: body.byteCount)
        (content, chunks) = (nil, nil)
      }
    }
    if head.mayHaveContent(of: "") {
      head.contentLength = content.map { $0.range?.count ?? $0.body.byteCount } ?? 0
    }
    if !head.mayHaveContent(of: request.method) { content = nil }
    self.init(head: head, content: content, ending: ending)
    guard let content else { return }
    let byteCount = content.range?.count ?? content.body.byteCount
    pieces =
      ChunkSchedule(
        byteCount: byteCount, chunks: chunks, rate: rate, limit: response.breaksOff(of: byteCount)
      ).pieces
  }
}

extension ResponseHead {
  /// Whether the method and the status allow content.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9110#section-6.4.1
  package func mayHaveContent(of method: String) -> Bool {
    guard method != "HEAD" else { return false }
    switch status {
    case 100..<200, 204, 205, 304: return false
    default: return true
    }
  }

  fileprivate mutating func setRange(_ range: Range<Int>, of byteCount: Int) {
    status = 206
    headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(byteCount)"
    if headers[.contentLength] != nil { headers[.contentLength] = String(range.count) }
  }

  fileprivate mutating func setUnsatisfiableRange(of byteCount: Int) {
    status = 416
    // These fields describe content that is not sent.
    for name in [HTTPField.Name.contentType, .contentLength, .contentEncoding] {
      headers[name] = nil
    }
    headers[.contentRange] = "bytes */\(byteCount)"
  }
}

extension Answer.Ending {
  fileprivate init(_ response: StubResponse) {
    if let error = response.error {
      self = .error(error, nil)
    } else if let fault = response.fault {
      self = fault.clientError.map { .error($0, fault) } ?? .never
    } else {
      self = .complete
    }
  }
}

extension ResponseFault {
  /// The error that a client of a real server would get; nil if it gets none and waits.
  ///
  /// A connection that ends too early is lost; bytes that are not a response cannot be parsed.
  fileprivate var clientError: ResponseError? {
    switch kind {
    case .connectionReset, .emptyResponse, .truncated:
      ResponseError(urlErrorName: "networkConnectionLost")
    case .garbage:
      ResponseError(urlErrorName: "cannotParseResponse")
    case .never:
      nil
    }
  }
}

extension StubResponse {
  /// Whether the content is made of explicit pieces, to which ranges do not apply.
  fileprivate var isStream: Bool {
    if case .pieces = chunks?.kind { true } else { false }
  }

  /// The number of bytes of the content after which it breaks off; nil if it does not.
  fileprivate func breaksOff(of byteCount: Int) -> Int? {
    afterBytes.map { min($0, byteCount) } ?? (fault == .truncated ? byteCount / 2 : nil)
  }
}

extension ResponseChunks {
  /// The explicit pieces as one content, of their kind if they share one; nil if the body is divided.
  package var joined: ResponseBody? {
    guard case .pieces(let pieces) = kind, let first = pieces.first?.body.kind else { return nil }
    let isUniform = pieces.allSatisfy { $0.body.kind == first }
    let isText = pieces.allSatisfy { $0.body.kind != .base64 }
    var data = Data()
    for piece in pieces {
      if case .bytes(let bytes) = piece.body.content { data.append(bytes) }
    }
    return ResponseBody(
      kind: isUniform ? first : isText ? .text : .base64, content: .bytes(data))
  }
}

extension ResponseBody.Kind {
  private static let ofJSON: HTTPFields = [.contentType: "application/json"]
  private static let ofText: HTTPFields = [.contentType: "text/plain; charset=utf-8"]

  /// Adds the media type of content without a `Content-Type`; does nothing for bytes of unknown meaning.
  func addContentType(to headers: inout HTTPFields) {
    let fields: HTTPFields
    switch self {
    case .json: fields = Self.ofJSON
    case .text: fields = Self.ofText
    case .base64: return
    }
    // Most stubs have no fields, so the shared value is not rebuilt for every answer.
    if headers.isEmpty {
      headers = fields
    } else if !headers.contains(.contentType) {
      headers[.contentType] = fields[.contentType]
    }
  }
}

/// The part of a representation that a `Range` field asks for.
///
/// https://www.rfc-editor.org/rfc/rfc9110#section-14.2
enum ByteRange: Equatable {
  /// The whole: there is no range, or one that a server may ignore.
  case whole
  case part(Range<Int>)
  /// A range outside the representation.
  case unsatisfiable

  /// Parses the fields of a `GET` for a response with this many bytes.
  init(_ request: StubRequest, for headers: HTTPFields, byteCount: Int) {
    self = .whole
    guard request.method == "GET", let range = request.headers[.range],
      headers[.contentRange] == nil, headers[.acceptRanges]?.lowercased() != "none"
    else { return }
    if let condition = request.headers[.ifRange], !Self.isMet(condition, by: headers) { return }
    self = Self(range, byteCount: byteCount)
  }

  /// Parses the value of the field; several ranges at once are ignored, as servers may do.
  init(_ value: String, byteCount: Int) {
    self = .whole
    let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return }
    let bounds = Self.trimmed(parts[1])
      .split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard bounds.count == 2 else { return }
    switch (Self.position(bounds[0]), Self.position(bounds[1])) {
    case (let first?, let last) where last != nil || bounds[1].isEmpty:
      if let last, last < first { return }
      self =
        first < byteCount
        ? .part(first..<(min(last ?? .max, byteCount - 1) + 1)) : .unsatisfiable
    case (nil, let count?) where bounds[0].isEmpty:
      self =
        count > 0 && byteCount > 0
        ? .part(max(0, byteCount - count)..<byteCount) : .unsatisfiable
    default:
      return
    }
  }

  /// The text without surrounding spaces and tabs.
  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text.drop { $0 == " " || $0 == "\t" }
  }

  /// A number of digits only; one that is too large for a position becomes the largest.
  private static func position(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text) ?? .max
  }

  /// Whether the range still applies to the representation that the client has.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9110#section-13.1.5
  private static func isMet(_ condition: String, by headers: HTTPFields) -> Bool {
    if condition.hasPrefix("\"") { return condition == headers[.eTag] }
    return !condition.hasPrefix("W/") && condition == headers[.lastModified]
  }
}
