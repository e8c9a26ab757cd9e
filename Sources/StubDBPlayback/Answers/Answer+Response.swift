import Foundation
import HTTPTypes
package import StubDBEngine
package import StubDBModel

extension Answer {
  /// Makes the answer to a request from a response.
  package init(_ response: StubResponse, pacing: ResponsePacing, to request: StubRequest) {
    delay = pacing.delay
    if response.delegation == .passthrough {
      kind = .network
      return
    }
    let ending = Ending(response)
    if ending != .complete, response.afterBytes == nil, response.fault != .truncated {
      // Nothing is sent before the failure.
      if case .error(let error) = ending { kind = .error(error) } else { kind = .never }
    } else {
      kind = .reply(Reply(response, to: request, rate: pacing.rate, ending: ending))
    }
  }

  /// Makes the answer to a request from the response that a run selected.
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
  /// Whether the method and the status allow content.
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
      self = .error(error)
    } else if let fault = response.fault {
      self = fault.clientError.map { .error($0) } ?? .never
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
    if case .pieces = chunks { true } else { false }
  }

  /// The number of bytes of the content after which it breaks off; nil if it does not.
  fileprivate func breaksOff(of byteCount: Int) -> Int? {
    afterBytes.map { min($0, byteCount) } ?? (fault == .truncated ? byteCount / 2 : nil)
  }
}

extension ResponseChunks {
  /// The explicit pieces as one content, of their kind if they share one; nil if the body is divided.
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

  /// Adds the media type of content without a `Content-Type`; does nothing for bytes of unknown meaning.
  fileprivate func addContentType(to headers: inout HTTPFields) {
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
