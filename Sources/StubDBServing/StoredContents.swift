package import Foundation
package import StubDBEngine
package import StubDBModel
import StubDBSupport

/// Contents that were read from a catalog lately, so that many clients of one large content share its bytes.
package final class StoredContents: Sendable {
  private struct State {
    /// The contents, those that were asked for last at the end.
    var contents: [(stored: StoredBody, data: Data)] = []
    var byteCount = 0

    mutating func data(for stored: StoredBody) -> Data? {
      guard let index = contents.lastIndex(where: { $0.stored == stored }) else { return nil }
      let found = contents.remove(at: index)
      contents.append(found)
      return found.data
    }

    mutating func keep(_ data: Data, for stored: StoredBody, limit: Int) {
      guard self.data(for: stored) == nil, data.count <= limit else { return }
      contents.append((stored, data))
      byteCount += data.count
      while byteCount > limit { byteCount -= contents.removeFirst().data.count }
    }
  }

  private let limit: Int
  private let state = Locked(State())

  /// Keeps contents that have together at most this many bytes.
  package init(limit: Int) {
    self.limit = limit
  }

  /// The bytes of a content, read if they are not at hand; two that ask at once may both read.
  package func data(of body: ResponseBody, in scenario: LoadedScenario) throws -> Data {
    guard case .stored(let stored) = body.content else { return try scenario.body(of: body) }
    if let known = state.withLock({ $0.data(for: stored) }) { return known }
    let data = try scenario.body(of: body)
    return state.withLock { state in
      state.keep(data, for: stored, limit: limit)
      return state.data(for: stored) ?? data
    }
  }
}
