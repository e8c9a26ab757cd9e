/// What a name says about the value it stands for: of a header field, a query parameter, a form field, a JSON member.
package enum SensitiveName: Hashable, Sendable {
  case none
  case password
  case secret
  case awsSecret
  case session
  /// A value that nobody should read in a log, though it need not be random: a whole `Cookie` field, a signature.
  case credentials

  private static let passwords = ["password", "passwd", "passphrase", "passwort"]
  private static let secrets = [
    "secret", "apikey", "accesskey", "privatekey", "signingkey", "encryptionkey", "authkey",
    "subscriptionkey", "credential", "authorization", "masterkey", "sharedkey",
  ]
  private static let sessions = ["sessionid", "sessid", "sessiontoken", "sessionkey", "rememberme"]
  /// Words that make a name one of something public.
  private static let harmless = [
    "hash", "digest", "checksum", "sha1", "sha256", "md5", "etag", "fingerprint", "csrf", "xsrf",
    "tokentype", "nexttoken", "pagetoken", "continuationtoken", "synctoken", "tokencount",
    "tokenid", "secretname", "keyid", "passwordless", "expires",
  ]
  /// Endings that do the same; in the middle of a name they say nothing: `security` holds `uri`.
  private static let harmlessEndings = ["url", "uri", "endpoint"]

  /// Reads a name such as `X-Api-Key`, `client_secret` or `JSESSIONID`, whatever its case and its separators.
  package init(_ name: some Sequence<UInt8>) {
    var letters: [UInt8] = []
    for byte in name {
      switch byte {
      case 0x41...0x5A: letters.append(byte | 0x20)
      case 0x61...0x7A, 0x30...0x39: letters.append(byte)
      default: continue
      }
    }
    self.init(letters: String(decoding: letters, as: UTF8.self))
  }

  /// Reads a name.
  package init(_ name: String) { self.init(name.utf8) }

  private init(letters: String) {
    func has(_ words: [String]) -> Bool { words.contains { letters.contains($0) } }
    if letters.utf8.count < 3 || letters.utf8.count > 60 || has(Self.harmless)
      || Self.harmlessEndings.contains(where: letters.hasSuffix)
    {
      self = .none
    } else if has(Self.passwords) || ["pwd", "pass"].contains(letters) {
      self = .password
    } else if letters.contains("secretaccesskey") {
      self = .awsSecret
    } else if has(Self.sessions) || ["session", "sid", "connectsid"].contains(letters) {
      self = .session
    } else if has(Self.secrets) || letters.hasSuffix("token") || letters == "jwt" {
      self = .secret
    } else if ["cookie", "setcookie", "sig", "otp"].contains(letters)
      || letters.hasSuffix("signature")
    {
      self = .credentials
    } else {
      self = .none
    }
  }

  /// Whether a text for people leaves out what stands under the name.
  ///
  /// `key` alone names both sort keys and the keys of services, which are long.
  package static func hides(_ name: String, value: String) -> Bool {
    SensitiveName(name) != .none || (value.utf8.count >= 20 && name.lowercased() == "key")
  }

  /// Whether a path such as `$.user.password` or `//token/text()` goes through a name that is sensitive.
  package static func isNamed(in path: String) -> Bool {
    path.utf8.split { byte in
      !(0x30...0x39).contains(byte) && !(0x41...0x5A).contains(byte & 0xDF)
        && byte != UInt8(ascii: "_") && byte != UInt8(ascii: "-")
    }
    .contains { SensitiveName($0) != .none }
  }
}
