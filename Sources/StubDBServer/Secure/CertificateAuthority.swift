#if TLS
import Crypto
package import Foundation
import NIOCore
import StubDBSupport
import SwiftASN1
import X509

/// Issues certificates for the names that clients ask a server for.
///
/// Clients have to trust its own certificate. One that is made in memory serves a single test; `stubdb ca` keeps one for
/// all servers of a person. Safe to use from any thread.
public final class CertificateAuthority: Sendable {
  /// More names than a scenario has hosts, unless a client invents them.
  private static let mostNames = 1_000
  private static let day: TimeInterval = 86_400

  let certificate: Certificate
  private let key: P256.Signing.PrivateKey
  /// The key of all certificates that are issued: making keys is what costs.
  private let serverKey = P256.Signing.PrivateKey()
  private let issued = Locked<[String: Data]>([:])
  /// Its certificate in the PEM format, which clients have to trust; the key is not part of it.
  public let certificatePEM: String

  /// Makes a new authority, with a new private key.
  ///
  /// - Throws: An error of cryptography, which is not to be expected.
  public convenience init() throws {
    let key = P256.Signing.PrivateKey()
    try self.init(Self.certificate(of: key), key)
  }

  /// An authority from the texts of two files.
  ///
  /// - Throws: An error if they are not a certificate and its key.
  package convenience init(certificatePEM: String, keyPEM: String) throws {
    let key = try P256.Signing.PrivateKey(pemRepresentation: keyPEM)
    let certificate = try Certificate(pemEncoded: certificatePEM)
    guard certificate.publicKey == Certificate.PrivateKey(key).publicKey else {
      throw ServerError(description: "the key is not that of the certificate")
    }
    try self.init(certificate, key)
  }

  private init(_ certificate: Certificate, _ key: P256.Signing.PrivateKey) throws {
    (self.certificate, self.key) = (certificate, key)
    certificatePEM = try certificate.serializeAsPEM().pemString + "\n"
  }

  /// The key in the PEM format.
  package var keyPEM: String { key.pemRepresentation + "\n" }

  /// The key of the certificates that it issues, as DER.
  package var serverKeyDER: Data { serverKey.derRepresentation }

  /// What the certificate calls it.
  package var name: String { "\(certificate.subject)" }

  /// When its certificate ends.
  package var end: Date { certificate.notValidAfter }

  /// The SHA-256 of its certificate, as other programs show it.
  ///
  /// - Throws: An error of encoding, which is not to be expected.
  package func fingerprint() throws -> String {
    SHA256.hash(data: try Self.bytes(of: certificate))
      .map { [$0].hexadecimal.uppercased() }.joined(separator: ":")
  }

  // MARK: Issuing

  /// A certificate for a host, as DER; for this machine if it is nil.
  ///
  /// - Throws: An error of cryptography, which is not to be expected.
  package func issue(for host: String?) throws -> Data {
    let name = host ?? ""
    if let known = issued.withLock({ $0[name] }) { return known }
    let names = host.map { [Self.name($0)] } ?? Self.localNames
    let made = try Self.bytes(of: serverCertificate(names))
    issued.withLock { issued in
      if issued.count < Self.mostNames { issued[name] = made }
    }
    return made
  }

  private static func bytes(of certificate: Certificate) throws -> Data {
    var serializer = DER.Serializer()
    try serializer.serialize(certificate)
    return Data(serializer.serializedBytes)
  }

  /// How clients call this machine: one that uses an address does not say which.
  private static var localNames: [GeneralName] {
    [.dnsName("localhost")]
      + MachineAddress.all.map { .ipAddress(ASN1OctetString(contentBytes: $0[...])) }
  }

  /// A host in a certificate: a name or an address.
  private static func name(_ host: String) -> GeneralName {
    guard let address = try? SocketAddress(ipAddress: host, port: 0) else { return .dnsName(host) }
    return .ipAddress(ASN1OctetString(contentBytes: address.addressBytes[...]))
  }

  private static func certificate(of key: P256.Signing.PrivateKey) throws -> Certificate {
    let key = Certificate.PrivateKey(key)
    let name = try DistinguishedName {
      CommonName("stubdb on \(ProcessInfo.processInfo.hostName.prefix(40))")
      OrganizationName("stubdb")
    }
    let now = Date()
    return try Certificate(
      version: .v3, serialNumber: .init(), publicKey: key.publicKey,
      notValidBefore: now - day, notValidAfter: now + 3_650 * day, issuer: name, subject: name,
      signatureAlgorithm: .ecdsaWithSHA256,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
        Critical(KeyUsage(keyCertSign: true, cRLSign: true))
        SubjectKeyIdentifier(hash: key.publicKey)
      }, issuerPrivateKey: key)
  }

  /// A certificate with the limits that Apple's systems and browsers set.
  ///
  /// https://support.apple.com/en-us/103769
  private func serverCertificate(_ names: [GeneralName]) throws -> Certificate {
    let now = Date()
    return try Certificate(
      version: .v3, serialNumber: .init(),
      publicKey: Certificate.PrivateKey(serverKey).publicKey,
      notValidBefore: now - Self.day, notValidAfter: now + 397 * Self.day,
      issuer: certificate.subject, subject: try DistinguishedName { CommonName("stubdb") },
      signatureAlgorithm: .ecdsaWithSHA256,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(digitalSignature: true))
        try ExtendedKeyUsage([.serverAuth])
        SubjectAlternativeNames(names)
        AuthorityKeyIdentifier(
          keyIdentifier: SubjectKeyIdentifier(hash: certificate.publicKey).keyIdentifier)
      }, issuerPrivateKey: Certificate.PrivateKey(key))
  }
}

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
