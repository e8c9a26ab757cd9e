#if Server
import NIOCore

/// A range of addresses that are not on the internet: of this machine, of a local network, or reserved.
///
/// https://www.iana.org/assignments/iana-ipv4-special-registry and
/// https://www.iana.org/assignments/iana-ipv6-special-registry
struct AddressRange {
  private let first: [UInt8]
  private let bitCount: Int

  private init(_ first: [UInt8], _ bitCount: Int) {
    (self.first, self.bitCount) = (first, bitCount)
  }

  private func contains(_ address: ArraySlice<UInt8>) -> Bool {
    var bits = bitCount
    for (byte, other) in zip(first, address) where bits > 0 {
      let mask: UInt8 = bits >= 8 ? 0xFF : 0xFF << (8 - bits)
      if byte & mask != other & mask { return false }
      bits -= 8
    }
    return true
  }

  private static let private4 = [
    AddressRange([0], 8), AddressRange([10], 8), AddressRange([100, 64], 10),
    AddressRange([127], 8), AddressRange([169, 254], 16), AddressRange([172, 16], 12),
    AddressRange([192, 0, 0], 24), AddressRange([192, 0, 2], 24), AddressRange([192, 88, 99], 24),
    AddressRange([192, 168], 16), AddressRange([198, 18], 15), AddressRange([198, 51, 100], 24),
    AddressRange([203, 0, 113], 24), AddressRange([224], 3),
  ]

  private static let private6 = [
    AddressRange([0x00, 0x64, 0xFF, 0x9B, 0x00, 0x01], 48), AddressRange([0x01], 8),
    AddressRange([0x20, 0x01, 0x00], 23), AddressRange([0x20, 0x01, 0x0D, 0xB8], 32),
    AddressRange([0x3F, 0xFF, 0x00], 20), AddressRange([0x5F, 0x00], 16), AddressRange([0xFC], 7),
    AddressRange([0xFE, 0x80], 9), AddressRange([0xFF], 8),
  ]

  /// The ranges of IPv6 that hold addresses of IPv4, and where these begin.
  private static let embedded: [(range: AddressRange, index: Int)] = [
    // `::`, `::1` and addresses that no longer are used lie in the first one.
    (AddressRange([UInt8](repeating: 0, count: 12), 96), 12),
    (AddressRange([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF], 96), 12),
    (AddressRange([0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], 96), 12),
    (AddressRange([0x20, 0x02], 16), 2),
  ]

  /// Whether an address of 4 or 16 bytes is not on the internet.
  static func isPrivate(_ address: [UInt8]) -> Bool {
    if address.count == 4 { return private4.contains { $0.contains(address[...]) } }
    if let (_, index) = embedded.first(where: { $0.range.contains(address[...]) }) {
      return private4.contains { $0.contains(address[index..<index + 4]) }
    }
    return private6.contains { $0.contains(address[...]) }
  }
}

extension SocketAddress {
  /// Whether the address is not on the internet.
  ///
  /// The bytes of an address are at the same place of its structure on all systems.
  var isPrivate: Bool {
    if case .unixDomainSocket = self { return true }
    return AddressRange.isPrivate(addressBytes)
  }

  /// The 4 or 16 bytes of the address; none for a path.
  var addressBytes: [UInt8] {
    switch self {
    case .v4(let address): withUnsafeBytes(of: address.address) { Array($0[4..<8]) }
    case .v6(let address): withUnsafeBytes(of: address.address) { Array($0[8..<24]) }
    case .unixDomainSocket: []
    }
  }
}
#endif
