#if Server
import Foundation

extension StubServer {
  /// The host of URLs that clients on this machine can open, for an address to listen on.
  ///
  /// An address that means all of the machine's is none that a client can call.
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
