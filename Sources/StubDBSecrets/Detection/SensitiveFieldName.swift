/// What the name of a value says about it.
enum SensitiveFieldName: Hashable, Sendable {
  case none
  case password
  case secret
  case awsSecret
  case session

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
  /// Words that make a name one of something public.
  private static let harmless = WordList([
    "hash", "digest", "checksum", "sha1", "sha256", "md5", "etag", "fingerprint", "csrf", "xsrf",
    "tokentype", "nexttoken", "pagetoken", "continuationtoken", "synctoken", "tokencount",
    "tokenid", "secretname", "keyid", "passwordless", "url", "uri", "endpoint", "expires",
  ])
  /// Whole names.
  private static let shortPasswords = ["pwd", "pass"].map { Array($0.utf8) }
  private static let shortSessions = ["session", "sid", "connectsid"].map { Array($0.utf8) }
  private static let shortSecrets = ["jwt"].map { Array($0.utf8) }

  /// Reads a name such as `X-Api-Key`, `client_secret` or `JSESSIONID`.
  init(name: some Sequence<UInt8>) {
    var letters: [UInt8] = []
    for byte in name {
      switch byte {
      case 0x41...0x5A: letters.append(byte | 0x20)
      case 0x61...0x7A, 0x30...0x39: letters.append(byte)
      default: continue
      }
    }
    self.init(letters: letters)
  }

  private init(letters: [UInt8]) {
    func isOne(of words: [[UInt8]]) -> Bool { words.contains(letters) }
    if letters.count < 3 || letters.count > 60 {
      self = .none
    } else if Self.passwords.isFound(in: letters) || isOne(of: Self.shortPasswords) {
      self = .password
    } else if Self.awsSecrets.isFound(in: letters) {
      self = .awsSecret
    } else if Self.sessions.isFound(in: letters) || isOne(of: Self.shortSessions) {
      self = .session
    } else if Self.secrets.isFound(in: letters) || letters.suffix(5).elementsEqual("token".utf8)
      || isOne(of: Self.shortSecrets)
    {
      self = .secret
    } else {
      self = .none
    }
    if self != .none, Self.harmless.isFound(in: letters) { self = .none }
  }

  /// The kind of secret that a value of this name is; nil for none.
  func kind(of value: UnsafeBufferPointer<UInt8>) -> SecretKind? {
    switch self {
    case .none: nil
    case .password: SecretHeuristics.isPassword(value) ? .password : nil
    case .secret: SecretHeuristics.isRandom(value) ? .namedSecret : nil
    case .awsSecret: SecretHeuristics.isRandom(value) ? .awsSecretKey : nil
    case .session: SecretHeuristics.isRandom(value) ? .sessionCookie : nil
    }
  }
}

/// Words that are looked for in a name, by their first byte.
///
/// `String.contains` takes microseconds for each word, which is too long for a stub with 100,000 names.
private struct WordList {
  private var byFirstByte = [[[UInt8]]](repeating: [], count: 128)

  init(_ words: [String]) {
    for word in words {
      let bytes = Array(word.utf8)
      byFirstByte[Int(bytes[0])].append(bytes)
    }
  }

  /// Whether one of the words is in a text of small letters and digits.
  func isFound(in text: [UInt8]) -> Bool {
    for place in text.indices {
      for word in byFirstByte[Int(text[place])] where text[place...].starts(with: word) {
        return true
      }
    }
    return false
  }
}

/// What names say, remembered: a catalog has few different names, each many times.
struct SensitiveNames {
  /// More names than this are not worth remembering.
  private static let most = 10_000

  private var known: [[UInt8]: SensitiveFieldName] = [:]
  private var lastName: [UInt8] = []
  private var last = SensitiveFieldName.none

  /// What the name says about its value.
  mutating func meaning(of name: UnsafeBufferPointer<UInt8>) -> SensitiveFieldName {
    if lastName.elementsEqual(name) { return last }
    let key = Array(name)
    let meaning: SensitiveFieldName
    if let remembered = known[key] {
      meaning = remembered
    } else {
      meaning = SensitiveFieldName(name: key)
      if known.count >= Self.most { known = [:] }
      known[key] = meaning
    }
    (lastName, last) = (key, meaning)
    return meaning
  }

  mutating func meaning(of name: String) -> SensitiveFieldName {
    var name = name
    return name.withUTF8 { meaning(of: $0) }
  }
}
