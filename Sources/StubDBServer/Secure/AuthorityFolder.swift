#if TLS
package import Foundation
import StubDBFiles
import StubDBSupport

/// The folder in which a person's certificate authority is kept.
///
/// Who has the key can pretend to be any server to the clients that trust the authority. Therefore each person has one
/// of their own, and one whose key others could have read is not used.
package struct AuthorityFolder: Sendable {
  package let url: URL

  package init(_ url: URL) {
    self.url = url
  }

  /// The folder of the person who runs the process.
  package static func ofUser(_ environment: [String: String]) -> AuthorityFolder {
    let home = URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true)
    let settings = SettingsFolder.url(environment) ?? SettingsFolder.url(["HOME": home.path])
    return AuthorityFolder((settings ?? home).appendingPathComponent("stubdb/ca"))
  }

  /// The certificate, which clients trust.
  package var certificateFile: URL { url.appendingPathComponent("ca.pem") }
  private var keyFile: URL { url.appendingPathComponent("ca-key.pem") }

  package var exists: Bool { FileManager.default.fileExists(atPath: certificateFile.path) }

  /// Reads the authority.
  ///
  /// - Throws: ``ServerError`` if there is none, if others may read its key, or if its time is over.
  package func load() throws(ServerError) -> CertificateAuthority {
    let authority: CertificateAuthority
    do {
      try checkRights()
      authority = try CertificateAuthority(
        certificatePEM: String(contentsOf: certificateFile, encoding: .utf8),
        keyPEM: String(contentsOf: keyFile, encoding: .utf8))
    } catch let error as ServerError {
      throw error
    } catch {
      let reason = error is CocoaError ? error.localizedDescription : "\(error)"
      throw ServerError(
        description:
          "the certificate authority in \(url.path) cannot be used (\(reason)); stubdb ca create --replace makes a new one"
      )
    }
    guard authority.end > Date() else {
      throw ServerError(
        description:
          "the certificate authority in \(url.path) was valid until \(authority.end); stubdb ca create --replace makes a new one"
      )
    }
    return authority
  }

  private func checkRights() throws {
    guard try Self.isAllowed(keyFile, without: 0o077) else {
      throw ServerError(
        description:
          "others may read \(keyFile.path), and could pretend to be any server with it; stubdb ca create --replace makes a new authority"
      )
    }
    guard try Self.isAllowed(url, without: 0o022) else {
      throw ServerError(
        description:
          "others may write to \(url.path), and could have put another authority there; stubdb ca create --replace makes a new one"
      )
    }
  }

  /// Whether a file or folder has none of these rights.
  private static func isAllowed(_ place: URL, without rights: Int) throws -> Bool {
    let given = try FileManager.default.attributesOfItem(atPath: place.path)[.posixPermissions]
    return (given as? NSNumber).map { $0.intValue & rights == 0 } ?? false
  }

  /// Makes an authority and keeps it; nil if there is one that is not to be replaced, also if another process makes it
  /// meanwhile.
  ///
  /// - Throws: ``ServerError`` if it cannot be written.
  package func create(replacing: Bool) throws(ServerError) -> CertificateAuthority? {
    let files = FileManager.default
    let temporary = url.deletingLastPathComponent()
      .appendingPathComponent("ca-\(UUID().uuidString)")
    defer { try? files.removeItem(at: temporary) }
    do {
      let authority = try CertificateAuthority()
      try files.createDirectory(
        at: temporary, withIntermediateDirectories: true,
        attributes: [.posixPermissions: NSNumber(value: 0o700)])
      let made = AuthorityFolder(temporary)
      try made.write(authority.keyPEM, to: made.keyFile, rights: 0o600)
      try made.write(authority.certificatePEM, to: made.certificateFile, rights: 0o644)
      return try put(temporary, replacing: replacing) ? authority : nil
    } catch {
      throw ServerError(
        description:
          "no certificate authority can be kept in \(url.path): \(error.localizedDescription)")
    }
  }

  /// How often another process may put an authority there while this one does.
  private static let mostAttempts = 100

  /// Moves a whole folder into place, so that a key never stands beside the certificate of another one; false if there
  /// is an authority that is not to be replaced.
  private func put(_ made: URL, replacing: Bool) throws -> Bool {
    let files = FileManager.default
    var attempts = 0
    while true {
      if exists, !replacing { return false }
      do {
        try files.moveItem(at: made, to: url)
        return true
      } catch {
        attempts += 1
        guard attempts < Self.mostAttempts, files.fileExists(atPath: url.path) else { throw error }
      }
      // Moved away before it is removed: another process would take a folder that is half empty for its place.
      let old = url.deletingLastPathComponent().appendingPathComponent("ca-\(UUID().uuidString)")
      if exists, !replacing { return false }
      if (try? files.moveItem(at: url, to: old)) != nil { try? files.removeItem(at: old) }
    }
  }

  private func write(_ text: String, to file: URL, rights: Int) throws {
    let isWritten = FileManager.default.createFile(
      atPath: file.path, contents: Data(text.utf8),
      attributes: [.posixPermissions: NSNumber(value: rights)])
    guard isWritten else { throw CocoaError(.fileWriteUnknown) }
  }
}
#endif
