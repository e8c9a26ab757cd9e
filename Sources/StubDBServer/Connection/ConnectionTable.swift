#if Server
import NIOCore
import StubDBSupport

/// The open connections, which are notified when the server ends.
final class ConnectionTable: Sendable {
  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    /// Fulfilled once no connection is open; nil until the server ends.
    var emptied: EventLoopPromise<Void>?
  }

  private let state = Locked(State())

  var count: Int { state.withLock { $0.channels.count } }

  func add(_ channel: any Channel) {
    let isEnding = state.withLock { state in
      state.channels[ObjectIdentifier(channel)] = channel
      return state.emptied != nil
    }
    if isEnding { channel.pipeline.fireUserInboundEventTriggered(ServerEnds()) }
  }

  func remove(_ channel: any Channel) {
    let emptied = state.withLock { state in
      state.channels[ObjectIdentifier(channel)] = nil
      return state.channels.isEmpty ? state.emptied : nil
    }
    emptied?.succeed()
  }

  /// Tells all connections that the server ends, and closes those that are left after a time.
  ///
  /// - Returns: A future that succeeds once all are closed.
  func end(within time: Duration, on loop: any EventLoop) -> EventLoopFuture<Void> {
    let promise = loop.makePromise(of: Void.self)
    let channels = state.withLock { state in
      state.emptied = promise
      return Array(state.channels.values)
    }
    guard !channels.isEmpty else {
      promise.succeed()
      return promise.futureResult
    }
    for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ServerEnds()) }
    let deadline = loop.scheduleTask(in: TimeAmount(time)) {
      for channel in self.state.withLock({ Array($0.channels.values) }) {
        channel.close(promise: nil)
      }
    }
    promise.futureResult.whenComplete { _ in deadline.cancel() }
    return promise.futureResult
  }
}

/// Tells a connection that the server ends: it finishes the answer in progress, and closes.
struct ServerEnds: Sendable {}
#endif
