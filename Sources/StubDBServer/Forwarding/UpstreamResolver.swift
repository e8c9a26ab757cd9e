#if Server
import Foundation
import NIOCore
import NIOPosix
import StubDBSupport

/// Finds the addresses of a host, and those of them that may be called.
///
/// A host is looked up once, and the connection is made to an address of that answer: a second look-up could give
/// another one, which was not checked.
final class UpstreamResolver: Sendable {
  /// Finds all addresses of a host, in the order of the system; blocks.
  typealias LookUp = @Sendable (_ host: String, _ port: Int) throws -> [SocketAddress]

  private struct State {
    var lastID = 0
    var isEnded = false
    /// Those who wait for look-ups.
    var promises: [Int: EventLoopPromise<[SocketAddress]>] = [:]
  }

  private let allowsPrivate: Bool
  /// The hosts that may have private addresses, because a person has named them.
  private let named: [HostPattern]
  private let lookUp: LookUp
  private let state = Locked(State())

  init(allowsPrivate: Bool, named: [HostPattern] = [], lookUp: LookUp?) {
    (self.allowsPrivate, self.named) = (allowsPrivate, named)
    self.lookUp = lookUp ?? Self.addresses
  }

  /// The addresses that may be called, on a loop; at least one.
  func addresses(
    of host: String, port: Int, on loop: any EventLoop
  ) -> EventLoopFuture<[SocketAddress]> {
    let promise = loop.makePromise(of: [SocketAddress].self)
    let id = state.withLock { state -> Int? in
      guard !state.isEnded else { return nil }
      state.lastID += 1
      state.promises[state.lastID] = promise
      return state.lastID
    }
    guard let id else {
      promise.fail(UpstreamError.serverEnds)
      return promise.futureResult
    }
    NIOThreadPool.singleton.submit { _ in
      let result = Result { try self.allowed(try self.lookUp(host, port), host, port) }
      // Under the lock, because the loops of a server that has ended take nothing more.
      self.state.withLock { $0.promises.removeValue(forKey: id)?.completeWith(result) }
    }
    return promise.futureResult
  }

  /// Fails for all who wait: the system may look for a host longer than the server lives.
  func end() {
    state.withLock { state in
      state.isEnded = true
      for promise in state.promises.values { promise.fail(UpstreamError.serverEnds) }
      state.promises = [:]
    }
  }

  private func allowed(
    _ found: [SocketAddress], _ host: String, _ port: Int
  ) throws(UpstreamError) -> [SocketAddress] {
    let allowsPrivate = allowsPrivate || named.contains { $0.names(host, port) }
    let allowed = allowsPrivate ? found : found.filter { !$0.isPrivate }
    guard allowed.isEmpty else { return allowed }
    throw UpstreamError(
      name: "privateAddress",
      reason:
        "\(host) is this machine or one of a local network, which --allow-private-upstream allows")
  }

  private static func addresses(
    of host: String, port: Int
  ) throws(UpstreamError) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_protocol = Int32(IPPROTO_TCP)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &list)
    defer { if let list { freeaddrinfo(list) } }
    guard code == 0, let list else {
      throw UpstreamError(
        name: "cannotFindHost",
        reason: "The host \(host) cannot be found: \(String(cString: gai_strerror(code)))")
    }
    let addresses = sequence(first: list) { $0.pointee.ai_next }
      .compactMap { address(in: $0.pointee, host) }
    guard addresses.isEmpty else { return addresses }
    throw UpstreamError(name: "cannotFindHost", reason: "The host \(host) has no address")
  }

  private static func address(in info: addrinfo, _ host: String) -> SocketAddress? {
    guard let address = info.ai_addr else { return nil }
    let pointer = UnsafeRawPointer(address)
    return switch info.ai_family {
    case AF_INET: SocketAddress(pointer.loadUnaligned(as: sockaddr_in.self), host: host)
    case AF_INET6: SocketAddress(pointer.loadUnaligned(as: sockaddr_in6.self), host: host)
    default: nil
    }
  }
}
#endif
