#if Server
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@testable import StubDBServer

@Suite struct AddressRangeTests {
  private static func bytes(_ address: String) throws -> [UInt8] {
    let isOld = !address.contains(":")
    var bytes = [UInt8](repeating: 0, count: isOld ? 4 : 16)
    try #require(inet_pton(isOld ? AF_INET : AF_INET6, address, &bytes) == 1)
    return bytes
  }

  @Test(arguments: [
    "127.0.0.1", "127.255.0.1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1",
    "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "198.18.0.1",
    "::", "::1", "fe80::1", "febf::1", "fc00::1", "fd12::1", "ff02::1", "::ffff:127.0.0.1",
    "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2001:db8::1", "fec0::1",
  ])
  func addressesOfLocalNetworksArePrivate(_ address: String) throws {
    #expect(AddressRange.isPrivate(try Self.bytes(address)))
  }

  @Test(arguments: [
    "1.1.1.1", "8.8.8.8", "172.15.0.1", "172.32.0.1", "100.128.0.1", "192.169.0.1", "223.255.255.1",
    "2606:4700::1111", "2a00:1450::1", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::",
  ])
  func addressesOfTheInternetAreNot(_ address: String) throws {
    #expect(try !AddressRange.isPrivate(Self.bytes(address)))
  }
}
#endif
