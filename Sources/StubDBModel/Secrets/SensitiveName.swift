/// What the name of a header field, a query parameter, a form field or a JSON member says about its value.
package enum SensitiveName: Hashable, Sendable {
  case none
  case password
  case secret
  case awsSecret
  case session
  /// A value that logs should not show, though it need not be random: a whole `Cookie` field, a signature.
  case credentials

  private static let passwords = WordList(["password", "passwd", "passphrase", "passwort"])
  private static let awsSecrets = WordList(["secretaccesskey"])
  private static let secrets = WordList([
    "secret", "apikey", "accesskey", "privatekey", "signingkey", "encryptionkey", "authkey",
    "subscriptionkey", "credential", "authorization", "masterkey", "sharedkey", "accountkey",
    "licensekey", "activationkey", "connectionstring",
  ])
  private static let sessions = WordList([
    "sessionid", "sessid", "sessiontoken", "sessionkey", "rememberme", "laravelsession",
    "cisession",
  ])
  /// Words in the names of public things.
  private static let harmless = WordList([
    "hash", "digest", "checksum", "sha1", "sha256", "md5", "etag", "fingerprint", "csrf", "xsrf",
    "tokentype", "nexttoken", "pagetoken", "continuationtoken", "synctoken", "tokencount",
    "tokenid", "secretname", "keyid", "passwordless", "expires",
  ])
  /// Endings in the names of public things; elsewhere they mean nothing: `security` contains `uri`.
  private static let harmlessEndings = bytes(of: ["url", "uri", "endpoint"])
  /// Whole names.
  private static let wholePasswords = bytes(of: ["pwd", "pass"])
  private static let wholeSessions = bytes(of: ["session", "sid", "connectsid"])
  private static let wholeSecrets = bytes(of: ["jwt"])
  private static let wholeCredentials = bytes(of: ["cookie", "setcookie", "sig", "otp"])
  private static let token = Array("token".utf8)
  private static let signature = Array("signature".utf8)

  private static func bytes(of words: [String]) -> [[UInt8]] { words.map { Array($0.utf8) } }

  /// Classifies a name such as `X-Api-Key`, `client_secret` or `JSESSIONID`, ignoring case and separators.
  package init(_ name: UnsafeBufferPointer<UInt8>) {
    var letters: [UInt8] = []
    letters.reserveCapacity(name.count)
    for byte in name {
      switch byte {
      case 0x41...0x5A: letters.append(byte | 0x20)
      case 0x61...0x7A, 0x30...0x39: letters.append(byte)
      default: continue
      }
    }
    self.init(letters: letters)
  }

  /// Classifies a name.
  package init(_ name: String) {
    var name = name
    self = name.withUTF8 { SensitiveName($0) }
  }

  private init(letters: [UInt8]) {
    func ends(with word: [UInt8]) -> Bool { letters.suffix(word.count).elementsEqual(word) }
    if letters.count < 3 || letters.count > 60 || Self.harmless.isFound(in: letters)
      || Self.harmlessEndings.contains(where: ends)
    {
      self = .none
    } else if Self.passwords.isFound(in: letters) || Self.wholePasswords.contains(letters) {
      self = .password
    } else if Self.awsSecrets.isFound(in: letters) {
      self = .awsSecret
    } else if Self.sessions.isFound(in: letters) || Self.wholeSessions.contains(letters) {
      self = .session
    } else if Self.secrets.isFound(in: letters) || ends(with: Self.token)
      || Self.wholeSecrets.contains(letters)
    {
      self = .secret
    } else if Self.wholeCredentials.contains(letters) || ends(with: Self.signature) {
      self = .credentials
    } else {
      self = .none
    }
  }

  /// Whether messages leave out some value of the name.
  package static func mayHide(_ name: String) -> Bool {
    SensitiveName(name) != .none || name.lowercased() == "key"
  }

  /// Whether messages leave out the value of the name.
  ///
  /// `key` alone names both sort keys and keys of services, which are long.
  package static func hides(_ name: String, value: String) -> Bool {
    SensitiveName(name) != .none || (value.utf8.count >= 20 && name.lowercased() == "key")
  }

  /// Whether a path such as `$.user.password` or `//token/text()` contains a sensitive name.
  package static func isNamed(in path: String) -> Bool {
    path.utf8.split { byte in
      !(0x30...0x39).contains(byte) && !(0x41...0x5A).contains(byte & 0xDF)
        && byte != UInt8(ascii: "_") && byte != UInt8(ascii: "-")
    }
    .contains { SensitiveName(String(Substring($0))) != .none }
  }
}

/// Words to find in a name, by their first byte.
///
/// `String.contains` takes microseconds for each word, which is too long for a stub with 100,000 names.
private struct WordList {
  private var byFirstByte = [[[UInt8]]](repeating: [], count: 128)

  init(_ words: [String]) {
    for word in words {
      guard let first = word.utf8.first else { continue }
      byFirstByte[Int(first)].append(Array(word.utf8))
    }
  }

  /// Whether a text of small letters and digits contains one of the words.
  func isFound(in text: [UInt8]) -> Bool {
    for place in text.indices {
      for word in byFirstByte[Int(text[place])] where text[place...].starts(with: word) {
        return true
      }
    }
    return false
  }
}
