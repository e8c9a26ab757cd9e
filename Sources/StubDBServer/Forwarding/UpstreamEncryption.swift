#if TLS
package import Foundation
import NIOCore
import NIOSSL
import StubDBFiles
import StubDBSupport

/// Encrypts connections to other servers, which have to prove that they are the ones that are called.
enum UpstreamEncryption {
  /// Makes the handlers of connections; they trust the authorities of the system, and those of a text in the PEM format.
  ///
  /// Reads the system's authorities at once. If that fails, each connection fails.
  static func handlers(trusting pem: String? = nil) -> ForwardingOptions.Encryption {
    handlers(
      Result {
        let authorities = try pem.map { try NIOSSLCertificate.fromPEMBytes(Array($0.utf8)) }
        return try context(.default, authorities.map { [.certificates($0)] } ?? [])
      })
  }

  fileprivate static func handlers(
    _ context: Result<NIOSSLContext, any Error>
  ) -> ForwardingOptions.Encryption {
    { host in
      [try NIOSSLClientHandler(context: try context.get(), serverHostname: name(of: host))]
    }
  }

  fileprivate static func context(
    _ roots: NIOSSLTrustRoots, _ more: [NIOSSLAdditionalTrustRoots]
  ) throws -> NIOSSLContext {
    var settings = TLSConfiguration.makeClientConfiguration()
    settings.minimumTLSVersion = .tlsv12
    settings.applicationProtocols = ["http/1.1"]
    (settings.trustRoots, settings.additionalTrustRoots) = (roots, more)
    return try NIOSSLContext(configuration: settings)
  }

  /// The name that is asked for, and that the certificate must have; nil for an address, which is compared as such.
  ///
  /// https://www.rfc-editor.org/rfc/rfc6066#section-3
  private static func name(of host: String) -> String? {
    if (try? SocketAddress(ipAddress: host, port: 0)) != nil { return nil }
    return host.hasSuffix(".") ? String(host.dropLast()) : host
  }
}

extension ForwardingOptions {
  /// Trusts the authorities of an environment, which are the system's unless `SSL_CERT_FILE` or `SSL_CERT_DIR` names
  /// others, and those of a file in the PEM format.
  ///
  /// - Throws: ``ServerError`` if one of them cannot be read.
  package mutating func trust(
    environment: [String: String], file: URL?
  ) throws(ServerError) {
    // A folder can only be the main place, and a file an additional one.
    let paths = ["SSL_CERT_DIR", "SSL_CERT_FILE"].compactMap { environment[$0] }
      .filter { !$0.isEmpty }
    var more: [NIOSSLAdditionalTrustRoots] = []
    for path in Array(paths.dropFirst()) + [file?.path].compactMap(\.self) {
      // Whatever is wrong with it, it has no authorities; and what is no file may have no end.
      guard PathStatus(path)?.isFile == true,
        let certificates = try? NIOSSLCertificate.fromPEMFile(path), !certificates.isEmpty
      else { throw Self.unreadable(path) }
      more.append(.certificates(certificates))
    }
    do {
      let context = try UpstreamEncryption.context(paths.first.map { .file($0) } ?? .default, more)
      encryption = UpstreamEncryption.handlers(.success(context))
    } catch {
      throw Self.unreadable(paths.first ?? "the system")
    }
  }

  private static func unreadable(_ path: String) -> ServerError {
    ServerError(
      description:
        "the certificates of other servers cannot be checked, because \(path) has no authorities that can be read, in the PEM format"
    )
  }
}

extension UpstreamError {
  /// An error of TLS; nil for any other.
  init?(ofTLS error: any Error) {
    switch error {
    case NIOSSLError.uncleanShutdown:
      self = .brokenOff
    case let error as NIOSSLExtraError where error == .failedToValidateHostname:
      self.init(
        name: "serverCertificateUntrusted",
        reason: "The certificate of the other server is for other names")
    case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
      let text = "\(error)"
      let name = text.firstMatch(of: /OPENSSL_internal:([A-Z0-9_]+)/)?.1
      if name == "CERTIFICATE_VERIFY_FAILED" {
        self.init(
          name: "serverCertificateUntrusted",
          reason:
            "The certificate of the other server has expired, or is not trusted by this system")
      } else {
        let detail = name?.lowercased().replacing("_", with: " ") ?? text
        self.init(
          name: "secureConnectionFailed",
          reason: "The TLS handshake with the other server failed: \(detail)")
      }
    default: return nil
    }
  }
}
#endif
