#if Server
import HTTPTypes
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBServing
import StubDBSupport

/// A scenario as it is played to the clients of a session.
final class ServedScenario: Sendable {
  let player: Player
  let origins: OriginMap
  /// The status for requests that no stub answers.
  let unmatchedStatus: Int
  /// Whether any stub answers with a WebSocket.
  let opensWebSockets: Bool
  /// How large requests may be that are surely decided in a short time, in bytes.
  private let quickSize: Int
  /// Unique per run; kept when the scenario is reloaded.
  let run: Int
  /// Whether pages of other origins may read the answers.
  let allowsOtherOrigins: Bool
  private let knownShadowing = Locked<[Stub.Key?]?>(nil)
  private let optionsPatterns = Locked<[RequestFilter]?>(nil)

  init(
    _ player: Player, origins: OriginMap, unmatchedStatus: Int, allowsOtherOrigins: Bool, run: Int
  ) {
    (self.player, self.run) = (player, run)
    self.allowsOtherOrigins = allowsOtherOrigins
    self.origins = origins
    self.unmatchedStatus = unmatchedStatus
    let sources = player.run.scenario.sources
    opensWebSockets = sources.contains { $0.stub.responses.contains(where: \.isWebSocket) }
    quickSize = sources.reduce(Self.largestQuickRequest) {
      min($0, PatternCost.size(of: $1.stub.request))
    }
  }

  /// Larger requests may take long to parse, whatever the patterns.
  private static let largestQuickRequest = 32 << 10

  /// Whether it surely takes a short time to decide what answers, so that the loop of a connection can wait for it.
  ///
  /// Not of content with a coding, since a few bytes of it may unpack to many.
  func isQuick(_ request: StubRequest) -> Bool {
    let content = request.content?.count ?? 0
    guard content == 0 || !request.headers.contains(.contentEncoding) else { return false }
    guard quickSize < Self.largestQuickRequest, content <= quickSize else {
      return content <= quickSize
    }
    let fields = request.headers.reduce(0) { $0 + $1.value.utf8.count }
    return content + request.url.utf8.count + fields <= quickSize
  }

  /// Whether a stub that names the method `OPTIONS` matches a request.
  ///
  /// Stubs for any method are meant for what a page asks, and not for its browser's questions before that.
  func answersOptions(_ request: StubRequest) -> Bool {
    let patterns = optionsPatterns.withLock { known in
      if let known { return known }
      let patterns = player.run.stubUses.map(\.source.stub.request)
        .filter { $0.methods.contains(.options) }
        // A loaded scenario has no pattern that cannot match.
        .compactMap { try? RequestFilter($0) }
      known = patterns
      return patterns
    }
    guard !patterns.isEmpty else { return false }
    let prepared = player.run.prepare(request)
    return patterns.contains { $0.matches(prepared) }
  }

  /// For each stub, in the order in which they answer: the one that always comes first, so that it never answers; nil
  /// for most.
  ///
  /// The first call compares all stubs.
  var shadowing: [Stub.Key?] {
    if let known = knownShadowing.withLock({ $0 }) { return known }
    var earlier = AnsweringStubs()
    let found = player.run.stubUses.map(\.source).map { source in
      let first = earlier.first(shadowing: source.stub)?.key
      if first == nil { earlier.insert(source.stub) }
      return first
    }
    knownShadowing.withLock { $0 = found }
    return found
  }
}
#endif
