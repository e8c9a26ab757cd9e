import Foundation
import HTTPTypes
import StubDBModel

extension ResponsePlan {
  /// Says what the response of a stub means for a request; its own slowness is in `slowing` already.
  init(_ response: StubResponse, to request: StubRequest, slowing: Slowing) {
    let ending = Ending(response)
    if response.handover == .passthrough {
      self.init(delay: slowing.delay, action: .passthrough)
    } else if response.afterBytes == nil, response.fault != .truncated, ending != .complete {
      self.init(delay: slowing.delay, action: Action(ending), fault: response.fault)
    } else {
      self.init(delay: slowing.delay, action: .never, ending: ending, fault: response.fault)
      setContent(response, request: request, rate: slowing.rate)
    }
  }

  private mutating func setContent(
    _ response: StubResponse, request: StubRequest, rate: Int?
  ) {
    var headers = response.headers
    let body = response.body ?? response.chunks?.joined
    body?.kind.addContentType(to: &headers)
    var (status, chunks) = (response.status, response.chunks)
    if status == 200, let body, !response.isStream {
      let count = body.byteCount
      switch ByteRange(request, for: headers, byteCount: count) {
      case .whole:
        break
      case .part(let range):
        status = 206
        contentRange = range
        headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)"
        if headers[.contentLength] != nil { headers[.contentLength] = String(range.count) }
      case .unsatisfiable:
        (status, chunks) = (416, nil)
        headers = headers.withoutContent
        headers[.contentRange] = "bytes */\(count)"
      }
    }
    let content = status == 416 && response.status == 200 ? nil : body
    action = .response(status: status, headers: headers, body: content)
    guard let content, request.method != "HEAD" else { return }
    let byteCount = contentRange?.count ?? content.byteCount
    pieces =
      ContentSpread(
        byteCount: byteCount, chunks: chunks, rate: rate,
        limit: response.breaksOff(of: byteCount)
      ).pieces
  }
}

extension ResponsePlan.Ending {
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

extension ResponsePlan.Action {
  /// What a client gets where nothing is sent before the end.
  fileprivate init(_ ending: ResponsePlan.Ending) {
    if case .error(let error) = ending { self = .error(error) } else { self = .never }
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

extension HTTPFields {
  /// The fields without those that describe the content.
  fileprivate var withoutContent: HTTPFields {
    var fields = self
    for name in [HTTPField.Name.contentType, .contentLength, .contentEncoding] {
      fields[name] = nil
    }
    return fields
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
