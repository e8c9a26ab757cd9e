#if Server
import NIOCore

/// The ports that a server listens on, so that its admin API cannot be reached through its proxy.
///
/// The admin API of a server that listens on loopback serves all that comes from this machine. What the server itself
/// sends comes from this machine too, whoever asked for it.
struct OwnPorts: Sendable {
  var all: Set<Int> = []
  /// The port that has nothing but the admin API, or nil.
  var admin: Int?

  /// Whether a connection to an address would lead to the admin API.
  ///
  /// The target is that of the one request that is sent; nil if anything may be sent.
  func haveAdmin(at address: SocketAddress, target: String?) -> Bool {
    guard let port = address.port, all.contains(port), address.isOfThisMachine else { return false }
    guard let target, port != admin else { return true }
    return AdminAPI.owns(target)
  }
}

extension SocketAddress {
  /// Whether a connection to the address ends on this machine.
  fileprivate var isOfThisMachine: Bool {
    // On Linux a connection to no address in particular is one to loopback.
    if isLoopback || ["0.0.0.0", "::"].contains(plainText) { return true }
    let devices = (try? System.enumerateDevices()) ?? []
    return devices.contains { $0.address?.plainText == plainText }
  }

  /// The address without its port, and without the prefix of an IPv4 address that is written as one of IPv6.
  private var plainText: String {
    let text = ipAddress ?? ""
    return text.hasPrefix("::ffff:") && text.contains(".") ? String(text.dropFirst(7)) : text
  }
}
#endif
