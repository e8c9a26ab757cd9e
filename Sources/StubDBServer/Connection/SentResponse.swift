#if Server
import HTTPTypes
import StubDBEngine
import StubDBPlayback
import StubDBServing

import struct Foundation.Data

/// A response as a client was sent it, with the beginning of its content.
struct SentResponse: KeptAnswer {
  /// How much of the content is kept, in bytes.
  private static let mostKept = 64 << 10

  /// The fields of the stub and of the server, without those that frame the content.
  let headers: HTTPFields
  /// The number of bytes that the head announces; nil for none.
  let contentLength: Int?
  /// The beginning of the content.
  private(set) var content = Data()
  /// The number of bytes of content that were sent.
  private(set) var byteCount = 0

  init(_ head: ResponseHead) {
    (headers, contentLength) = (head.headers, head.contentLength)
  }

  var keptByteCount: Int { content.count + headers.byteCount }

  /// Takes over the content of a response that is there as a whole, before it is written.
  mutating func expect(_ whole: Data) {
    if whole.count <= Self.mostKept { content = whole }
  }

  /// Counts content that is written, and keeps its beginning.
  mutating func add(_ piece: Data) {
    byteCount += piece.count
    guard content.count < min(byteCount, Self.mostKept) else { return }
    // Copied, since a slice would keep all of a large content.
    content.append(piece.prefix(Self.mostKept - content.count))
  }

  /// The response without content that was not written, as after a `HEAD`.
  var asWritten: SentResponse {
    var written = self
    if byteCount < content.count { written.content = Data(content.prefix(byteCount)) }
    return written
  }
}

extension ScenarioRun {
  /// What the client of an entry was sent; nil while that is not known, and where no head was sent.
  func sentResponse(toEntry number: Int) -> SentResponse? {
    keptAnswer(toEntry: number) as? SentResponse
  }
}
#endif
