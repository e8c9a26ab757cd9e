#if Server
import NIOCore

import struct Foundation.Data

/// The content of one request after another, as it comes, within the limits of the server.
///
/// Its bytes are kept once, in what the scenario gets in the end: a buffer that doubles, or a copy at the end, would
/// take twice what ``ContentBudget`` counts.
struct RequestContent {
  private let options: ServerOptions
  private let budget: ContentBudget
  private var bytes = Data()
  private var share = ContentBudget.Share()

  init(_ server: ServerContext) {
    (options, budget) = (server.options, server.contents)
  }

  /// Adds what came.
  ///
  /// - Throws: A ``Refusal`` if the content is too large, or if there is no memory for it at present.
  mutating func append(_ part: ByteBuffer) throws(Refusal) {
    let byteCount = bytes.count + part.readableBytes
    try options.check(contentLength: byteCount)
    try budget.reserve(&share, for: byteCount)
    part.withUnsafeReadableBytes { bytes.append($0.bindMemory(to: UInt8.self)) }
  }

  /// Hands it over, because the request is whole; its memory is counted until ``release()``.
  mutating func take() -> Data {
    defer { bytes = Data() }
    return bytes
  }

  /// Forgets what has come, and gives back the memory of a request that was answered or given up.
  mutating func release() {
    bytes = Data()
    budget.release(&share)
  }
}
#endif
