package import Foundation
internal import StubDBSupport

/// The public half of an Ed25519 key that signs catalogs, as OpenSSH writes it.
///
/// Only Ed25519 is read: with one kind of key there is nothing to choose, and nothing weaker to fall back to.
package struct PublicKey: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of keys: in a file, or in a device that has to be touched.
  package enum Kind: String, Sendable, CaseIterable {
    case file = "ssh-ed25519"
    case device = "sk-ssh-ed25519@openssh.com"
  }

  private static let maximumSize = 1024
  private static let maximumName = 100

  package let kind: Kind
  /// The key as OpenSSH encodes it, kind included. https://www.rfc-editor.org/rfc/rfc8709#section-4
  package let encoded: Data
  /// What people call it; may be empty.
  package let name: String

  /// Parses a line such as `ssh-ed25519 AAAA… ada@example.test`; `place` says where it is, for messages.
  ///
  /// - Throws: ``RemoteError`` with `invalid` for anything else, such as a line with options before the key, several
  /// lines, or a name that a terminal would not show as it is.
  package init(parsing text: String, at place: String) throws(RemoteError) {
    func wrong(_ reason: String) -> RemoteError {
      RemoteError(
        .invalid, "\(place) is no public key that signs catalogs: \(reason)",
        hints: ["It is a line that begins with ssh-ed25519, as in a file whose name ends with .pub"]
      )
    }
    guard text.utf8.count <= Self.maximumSize else {
      throw wrong("it has more than \(Self.maximumSize) bytes")
    }
    if text.hasPrefix("-----BEGIN") {
      throw wrong("it is the private half; the public half is beside it, with .pub after its name")
    }
    let line = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard line.unicodeScalars.allSatisfy(Self.isShown) else {
      throw wrong("it has several lines, or characters that cannot be shown")
    }
    let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
    guard parts.count >= 2 else { throw wrong("it is not two or three words") }
    // The text may be a secret that was given by mistake, so that nothing of it is repeated.
    guard Kind(rawValue: parts[0]) != nil else {
      throw wrong("its first word is neither ssh-ed25519 nor \(Kind.device.rawValue)")
    }
    let name = parts.count == 3 ? parts[2].trimmingCharacters(in: .whitespaces) : ""
    guard name.utf8.count <= Self.maximumName else {
      throw wrong("its name has more than \(Self.maximumName) bytes")
    }
    guard let data = Data(base64Encoded: parts[1]), data.base64EncodedString() == parts[1],
      let key = PublicKey(encoded: data, name: name), key.kind.rawValue == parts[0]
    else { throw wrong("its second word is not the text of such a key") }
    self = key
  }

  /// Reads the encoding of a key; nil if it is not an Ed25519 key.
  package init?(encoded: Data, name: String) {
    var fields = SSHFields(encoded)
    guard let kind = fields.text().flatMap(Kind.init(rawValue:)), fields.data()?.count == 32 else {
      return nil
    }
    // The application that a device knows the key by.
    if kind == .device, fields.data() == nil { return nil }
    guard fields.isAtEnd else { return nil }
    (self.kind, self.encoded, self.name) = (kind, encoded, name)
  }

  /// Whether both are the same key, whatever they are called.
  package func isSame(as other: PublicKey) -> Bool { encoded == other.encoded }

  /// The key in a line, as it is written to a lock file.
  package var description: String { name.isEmpty ? bare : "\(bare) \(name)" }

  /// The key in a line, without its name.
  package var bare: String { "\(kind.rawValue) \(encoded.base64EncodedString())" }

  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      false
    default: true
    }
  }
}

/// The fields of a value in SSH's encoding, read in order. https://www.rfc-editor.org/rfc/rfc4251#section-5
package struct SSHFields {
  private var rest: Data

  package init(_ data: Data) {
    rest = data
  }

  package var isAtEnd: Bool { rest.isEmpty }

  /// The next number; nil if there are not enough bytes.
  package mutating func number() -> Int? {
    guard rest.count >= 4 else { return nil }
    defer { rest = rest.dropFirst(4) }
    return rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
  }

  /// The next string of bytes; nil if there are not enough.
  package mutating func data() -> Data? {
    guard let count = number(), count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return Data(rest.prefix(count))
  }

  /// The next string of bytes as text; nil if there are not enough, or if they are no text.
  package mutating func text() -> String? {
    data().flatMap { String(data: $0, encoding: .utf8) }
  }
}
