package import Foundation

/// A signature in OpenSSH's format, with the key that made it.
///
/// What is in it proves nothing before `ssh-keygen` has verified it.
/// https://github.com/openssh/openssh-portable/blob/master/PROTOCOL.sshsig
package struct SSHSignature: Hashable, Sendable {
  /// The largest signature that is read, in bytes; that of a key in a file has about 300.
  static let maximumSize = 4096
  private static let (begin, end) = (
    "-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"
  )

  /// The text that is stored.
  package let armored: Data
  /// The key that it says it was made with; without a name.
  package let key: PublicKey

  /// Reads a text; nil if it is no signature of an Ed25519 key.
  init?(armored: Data) {
    guard armored.count <= Self.maximumSize else { return nil }
    let lines = String(decoding: armored, as: UTF8.self).split(separator: "\n").map(String.init)
    guard lines.count > 2, lines.first == Self.begin, lines.last == Self.end,
      let data = Data(base64Encoded: lines[1..<(lines.count - 1)].joined())
    else { return nil }
    let magic = Data("SSHSIG".utf8)
    guard data.starts(with: magic) else { return nil }
    var fields = SSHFields(data.dropFirst(magic.count))
    guard fields.number() == 1, let encoded = fields.data(),
      let key = PublicKey(encoded: encoded, name: "")
    else { return nil }
    (self.armored, self.key) = (armored, key)
  }
}
