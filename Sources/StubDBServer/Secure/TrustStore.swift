#if TLS
import Foundation
import StubDBSupport

/// The commands that change what a system trusts; `FILE` represents the certificate.
package struct TrustStore {
  package var adding: [String]
  package var removing: [String]
  package var needsRoot = false

  /// The commands on the certificate at a path.
  package func commands(_ action: KeyPath<TrustStore, [String]>, _ path: String) -> [String] {
    self[keyPath: action].map { $0.replacing("FILE", with: path.inSingleQuotes) }
  }

  package static let simulator = TrustStore(
    adding: ["xcrun simctl keychain booted add-root-cert FILE"], removing: [])

  package static var ofSystem: TrustStore {
    #if os(macOS)
    TrustStore(
      adding: [
        "security add-trusted-cert -r trustRoot -p ssl "
          + "-k ~/Library/Keychains/login.keychain-db FILE"
      ],
      removing: ["security remove-trusted-cert FILE"])
    #else
    FileManager.default.fileExists(atPath: "/etc/pki/ca-trust/source/anchors")
      ? TrustStore(
        adding: [
          "cp FILE /etc/pki/ca-trust/source/anchors/stubdb.pem", "update-ca-trust",
        ],
        removing: ["rm -f /etc/pki/ca-trust/source/anchors/stubdb.pem", "update-ca-trust"],
        needsRoot: true)
      : TrustStore(
        adding: [
          "cp FILE /usr/local/share/ca-certificates/stubdb.crt", "update-ca-certificates",
        ],
        removing: [
          "rm -f /usr/local/share/ca-certificates/stubdb.crt",
          "update-ca-certificates --fresh",
        ],
        needsRoot: true)
    #endif
  }
}
#endif
