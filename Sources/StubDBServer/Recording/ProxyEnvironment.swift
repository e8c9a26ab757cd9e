#if TLS
package import Foundation

/// What has programs use a proxy and trust its certificates.
package enum ProxyEnvironment {
  /// The variables for a child process.
  ///
  /// Requests to this machine itself avoid the proxy, unless they are recorded: tests call servers of their own.
  package static func variables(
    proxy url: String, bundle: CertificateBundle, recordsThisMachine: Bool
  ) -> [String: String] {
    var variables: [String: String] = [:]
    for name in ["http_proxy", "https_proxy", "all_proxy"] {
      // libcurl, and with it URLSession on Linux, reads the first one in lower case only.
      (variables[name], variables[name.uppercased()]) = (url, url)
    }
    let direct = recordsThisMachine ? "" : "localhost,127.0.0.1,::1"
    (variables["no_proxy"], variables["NO_PROXY"]) = (direct, direct)
    // In place of the system's authorities.
    for name in [
      "SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "AWS_CA_BUNDLE",
      "GIT_SSL_CAINFO", "URLSessionCertificateAuthorityInfoFile",
    ] {
      variables[name] = bundle.file.path
    }
    // In addition to those that the program has.
    (variables["NODE_EXTRA_CA_CERTS"], variables["DENO_CERT"]) = (
      bundle.own.path, bundle.own.path
    )
    variables["NODE_USE_ENV_PROXY"] = "1"
    return variables
  }
}

/// A file with the authorities of the system and ours, for programs that take one file in place of the system's.
package struct CertificateBundle {
  package let file: URL
  /// The file with our authority alone.
  package let own: URL
  private let folder: URL

  /// Where systems keep their authorities in one file.
  private static let systemFiles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
  ]

  /// Writes the files to a temporary folder.
  ///
  /// - Throws: ``ServerError`` if they cannot be written.
  package init(
    _ authority: CertificateAuthority, _ environment: [String: String]
  ) throws(ServerError) {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("stubdb-record-\(UUID().uuidString)")
    (file, own) = (
      folder.appendingPathComponent("bundle.pem"), folder.appendingPathComponent("ca.pem")
    )
    let files = [environment["SSL_CERT_FILE"]].compactMap(\.self) + Self.systemFiles
    let system = files.lazy.compactMap { FileManager.default.contents(atPath: $0) }.first
    let pem = Data(authority.certificatePEM.utf8)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: NSNumber(value: 0o700)])
      try pem.write(to: own)
      try ((system.map { $0 + Data("\n".utf8) } ?? Data()) + pem).write(to: file)
    } catch {
      throw ServerError(
        description:
          "cannot write the certificates for the command to \(folder.path): \(error.localizedDescription)"
      )
    }
  }

  package func remove() { try? FileManager.default.removeItem(at: folder) }
}
#endif
