import Foundation
import HTTPTypes
package import StubDBEngine
package import StubDBModel

extension Answer {
  /// What a response means for a request.
  package init(_ response: StubResponse, pacing: ResponsePacing, to request: StubRequest) {
    delay = pacing.delay
    if response.handover == .passthrough {
      kind = .network
      return
    }
    let ending = Ending(response)
    if ending != .complete, response.afterBytes == nil, response.fault != .truncated {
      // Nothing is sent before the end.
      if case .error(let error) = ending { kind = .error(error) } else { kind = .never }
    } else {
      kind = .reply(Reply(response, to: request, rate: pacing.rate, ending: ending))
    }
  }

  /// What the response of a run means for the request.
  package init(_ selection: Selection) {
    self.init(selection.response, pacing: selection.pacing, to: selection.event.request)
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
  /// Whether the method and the status allow any content.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9110#section-6.4.1
  fileprivate func mayHaveContent(of method: String) -> Bool {
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
    // They describe content that is not sent.
    for name in [HTTPField.Name.contentType, .contentLength, .contentEncoding] {
      headers[name] = nil
    }
    headers[.contentRange] = "bytes */\(byteCount)"
  }
}

extension Answer.Ending {
  fileprivate init(_ response: StubResponse) {
    if let error = response.error {
      self = .error(error)
    } else if let fault = response.fault {
      self = fault.clientError.map { .error($0) } ?? .never
    } else {
      self = .complete
    }
  }
}

extension ResponseFault {
  /// The error that a client of a real server gets; nil where it gets none and waits.
  ///
  /// A connection that ends too early is lost, whoever ended it; bytes that are no response cannot be parsed.
  fileprivate var clientError: ResponseError? {
    switch self {
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
  /// Whether the content is pieces of their own, which have no parts that a range could name.
  fileprivate var isStream: Bool {
    if case .pieces = chunks { true } else { false }
  }

  /// After how many bytes of the content it breaks off; nil where it does not.
  fileprivate func breaksOff(of byteCount: Int) -> Int? {
    afterBytes.map { min($0, byteCount) } ?? (fault == .truncated ? byteCount / 2 : nil)
  }
}

extension ResponseChunks {
  /// The pieces as one content, of their kind where they have only one; nil where they are cut from a body.
  fileprivate var joined: ResponseBody? {
    guard case .pieces(let pieces) = self, let first = pieces.first?.body.kind else { return nil }
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

  /// Says the media type of content that a stub gives no `Content-Type` for; nothing for bytes of unknown meaning.
  fileprivate func addContentType(to headers: inout HTTPFields) {
    let fields: HTTPFields
    switch self {
    case .json: fields = Self.ofJSON
    case .text: fields = Self.ofText
    case .base64: return
    }
    // Most stubs have no fields: what is shared is not built anew for every answer.
    if headers.isEmpty {
      headers = fields
    } else if !headers.contains(.contentType) {
      headers[.contentType] = fields[.contentType]
    }
  }
}
