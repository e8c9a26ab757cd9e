package import Foundation
import StubDBFiles
package import StubDBLock
import StubDBSupport

extension PublicKey {
  /// Reads a file with a public key.
  package init(contentsOf file: URL) throws(RemoteError) {
    let text: String
    do {
      text = try String(contentsOf: file, encoding: .utf8)
    } catch {
      throw RemoteError(
        .invalid, "cannot read the public key \(file.path): \(FileFailure.reading(error))")
    }
    try self.init(parsing: text, at: file.path)
  }

  /// What OpenSSH calls it in messages.
  package var fingerprint: String {
    let digest = SHA256Digest.digest(of: encoded).base64EncodedString()
    return "SHA256:" + digest.prefix { $0 != "=" }
  }

  /// Its name and its fingerprint, for people.
  package var label: String { name.isEmpty ? fingerprint : "\(name) (\(fingerprint))" }

  /// The digest of the key, which is a part of the names of its signatures.
  package var digest: ObjectDigest { ObjectDigest(of: encoded) }
}
