#if TLS
public import Foundation
import NIOCore
import NIOSSL

/// What proves to clients that a server is the one that they ask for.
public struct ServerCertificates: Sendable {
  let context: NIOSSLContext
  /// Nil for certificates from files.
  package let authority: CertificateAuthority?

  /// Certificates of an authority that only this value has.
  ///
  /// - Throws: ``ServerError``, which is not to be expected.
  public init() throws(ServerError) {
    do {
      try self.init(from: CertificateAuthority())
    } catch {
      throw error as? ServerError
        ?? ServerError(description: "no certificate authority can be made: \(error)")
    }
  }

  /// Certificates for each name that a client asks for, and for this machine.
  ///
  /// - Throws: ``ServerError`` if TLS does not take them, which is not to be expected.
  public init(from authority: CertificateAuthority) throws(ServerError) {
    do {
      context = try Self.context(authority, unnamed: nil)
    } catch {
      throw ServerError(description: "the certificate authority cannot be used: \(error)")
    }
    self.authority = authority
  }

  /// The certificate of a file in the PEM format, with those that lead to one that clients trust, and the file with its
  /// key.
  ///
  /// - Throws: ``ServerError`` if they cannot be read, or do not belong together.
  public init(chain: URL, key: URL) throws(ServerError) {
    let certificates = try Self.reading(chain, "certificate") {
      try NIOSSLCertificate.fromPEMFile($0)
    }
    guard !certificates.isEmpty else {
      throw ServerError(description: "\(chain.path) has no certificate in the PEM format")
    }
    let privateKey = try Self.reading(key, "key") { try NIOSSLPrivateKey(file: $0, format: .pem) }
    do {
      context = try Self.context(
        .makeServerConfiguration(
          certificateChain: certificates.map { .certificate($0) },
          privateKey: .privateKey(privateKey)))
    } catch {
      throw ServerError(
        description:
          "\(key.path) is not the key of the first certificate in \(chain.path), or TLS does not take them"
      )
    }
    authority = nil
  }

  /// What a client gets within a tunnel to a host: clients that name an address ask for no name.
  func context(for host: String) throws -> NIOSSLContext {
    guard let authority else { return context }
    return try Self.context(authority, unnamed: host.lowercased())
  }

  /// Certificates for each name that a client asks for, and for a host if it asks for none.
  private static func context(
    _ authority: CertificateAuthority, unnamed host: String?
  ) throws -> NIOSSLContext {
    let key = NIOSSLPrivateKeySource.privateKey(
      try NIOSSLPrivateKey(bytes: Array(authority.serverKeyDER), format: .der))
    var settings = TLSConfiguration.makeServerConfiguration(
      certificateChain: [try source(authority.issue(for: host))], privateKey: key)
    settings.sslContextCallback = { asked, promise in
      promise.completeWith(Result { try choice(for: asked.serverHostname, authority) })
    }
    return try context(settings)
  }

  private static func reading<Value>(
    _ file: URL, _ what: String, _ body: (String) throws -> Value
  ) throws(ServerError) -> Value {
    guard FileManager.default.isReadableFile(atPath: file.path) else {
      throw ServerError(description: "there is no \(file.path) that can be read")
    }
    do {
      return try body(file.path)
    } catch {
      throw ServerError(description: "\(file.path) has no \(what) in the PEM format")
    }
  }

  private static func context(_ settings: TLSConfiguration) throws -> NIOSSLContext {
    var settings = settings
    settings.minimumTLSVersion = .tlsv12
    settings.applicationProtocols = ["h2", "http/1.1"]
    return try NIOSSLContext(configuration: settings)
  }

  private static func source(_ certificate: Data) throws -> NIOSSLCertificateSource {
    .certificate(try NIOSSLCertificate(bytes: Array(certificate), format: .der))
  }

  /// The certificate for the name that a client asks for.
  private static func choice(
    for name: String?, _ authority: CertificateAuthority
  ) throws -> NIOSSLContextConfigurationOverride {
    guard let name = name?.lowercased(), isHostName(name), name != "localhost" else {
      return .noChanges
    }
    var choice = NIOSSLContextConfigurationOverride()
    choice.certificateChain = [try source(authority.issue(for: name))]
    return choice
  }

  /// Whether a certificate can name it.
  private static func isHostName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 253
      && name.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "-._".utf8.contains($0)
      }
  }
}
#endif
