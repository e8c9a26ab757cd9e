#if TLS
import NIOCore

/// The addresses by which clients reach this machine.
enum MachineAddress {
  private static let loopback: [[UInt8]] = [
    [127, 0, 0, 1], [UInt8](repeating: 0, count: 15) + [1],
  ]
  /// What the machine's loopback is called within the emulators of Android and of Genymotion.
  ///
  /// https://developer.android.com/studio/run/emulator-networking
  private static let ofEmulators: [[UInt8]] = [[10, 0, 2, 2], [10, 0, 3, 2]]
  /// More addresses than a machine has, unless it hosts containers, which no client calls by.
  private static let most = 64

  /// The addresses as 4 or 16 bytes, each once: those of loopback, of emulators, and of the network at present.
  static var all: [[UInt8]] {
    let devices = (try? System.enumerateDevices()) ?? []
    var addresses = loopback + ofEmulators
    for address in devices.compactMap({ $0.address?.bytes }) {
      if addresses.count < most, !addresses.contains(address) { addresses.append(address) }
    }
    return addresses
  }
}

extension SocketAddress {
  /// The 4 or 16 bytes of an address that others can use; nil for any other.
  fileprivate var bytes: [UInt8]? {
    let bytes = addressBytes
    // Addresses of a link need its name too, which no certificate has.
    let isOfLink = bytes.count == 16 && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    return bytes.isEmpty || isOfLink ? nil : bytes
  }
}
#endif
