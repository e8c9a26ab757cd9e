#if Server
import Foundation

extension StubServer {
  /// A port on which another scenario answers requests that name no session.
  package struct Port: Sendable {
    package var port: Int
    package var scenario: String

    package init(port: Int, scenario: String) {
      (self.port, self.scenario) = (port, scenario)
    }
  }

  /// Where a server listens; port 0 means any free one.
  package struct Address: Sendable {
    package var host: String
    package var port: Int
    package var ports: [Port]

    package init(host: String = "127.0.0.1", port: Int = 0, ports: [Port] = []) {
      (self.host, self.port, self.ports) = (host, port, ports)
    }
  }

  /// Receives the log and the notes of a server.
  package struct Observer: Sendable {
    package var log: AccessLog?
    /// Called when a changed catalog cannot be played, or no further connection can be accepted.
    package var note: @Sendable (String) -> Void
    /// Called when a client of the admin API asks for the end.
    package var shutdown: (@Sendable () -> Void)?

    package init(
      log: AccessLog? = nil, note: @escaping @Sendable (String) -> Void = { _ in },
      shutdown: (@Sendable () -> Void)? = nil
    ) {
      (self.log, self.note, self.shutdown) = (log, note, shutdown)
    }
  }

  /// The host of URLs that clients on this machine can open, for an address to listen on.
  ///
  /// The address of all interfaces is not one that a client can call.
  package static func host(inURLsOf address: String) -> String {
    switch address {
    case "0.0.0.0": "127.0.0.1"
    case "::": "[::1]"
    default: address.contains(":") ? "[\(address)]" : address
    }
  }

  /// Allows as many connections as the system lets this process have.
  package static func raiseFileLimit() {
    var limit = rlimit()
    #if os(Linux)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let resource: Int32 = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(resource, &limit)
  }
}
#endif
