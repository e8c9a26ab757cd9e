#if TLS
import NIOCore
import NIOSSL

/// Encrypts connections to other servers, which have to prove that they are the ones that are called.
enum UpstreamEncryption {
  /// Makes the handlers of connections; they trust the authorities of the system, and those of a text in the PEM format.
  ///
  /// Reads the system's authorities at once. If that fails, each connection fails.
  static func handlers(trusting pem: String? = nil) -> ForwardingOptions.Encryption {
    let context = Result {
      var settings = TLSConfiguration.makeClientConfiguration()
      settings.minimumTLSVersion = .tlsv12
      settings.applicationProtocols = ["http/1.1"]
      if let pem {
        let authorities = try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8))
        settings.additionalTrustRoots = [.certificates(authorities)]
      }
      return try NIOSSLContext(configuration: settings)
    }
    return { host in
      [try NIOSSLClientHandler(context: try context.get(), serverHostname: name(of: host))]
    }
  }

  /// The name that is asked for, and that the certificate must have; nil for an address, which is compared as such.
  ///
  /// https://www.rfc-editor.org/rfc/rfc6066#section-3
  private static func name(of host: String) -> String? {
    if (try? SocketAddress(ipAddress: host, port: 0)) != nil { return nil }
    return host.hasSuffix(".") ? String(host.dropLast()) : host
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
