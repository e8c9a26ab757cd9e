/// What the name of a value says about it.
enum SensitiveFieldName: Hashable, Sendable {
  case none
  case password
  case secret
  case awsSecret
  case session

  private static let passwords = ["password", "passwd", "passphrase", "passwort"]
  private static let secrets = [
    "secret", "apikey", "accesskey", "privatekey", "signingkey", "encryptionkey", "authkey",
    "subscriptionkey", "credential", "authorization", "masterkey", "sharedkey",
    "accountkey", "licensekey", "activationkey", "connectionstring",
  ]
  private static let sessions = [
    "sessionid", "sessid", "sessiontoken", "sessionkey", "rememberme", "laravelsession",
    "cisession",
  ]
  /// Words that make a name one of something public.
  private static let harmless = [
    "hash", "digest", "checksum", "sha1", "sha256", "md5", "etag", "fingerprint", "csrf", "xsrf",
    "tokentype", "nexttoken", "pagetoken", "continuationtoken", "synctoken", "tokencount",
    "tokenid", "secretname", "keyid", "passwordless", "url", "uri", "endpoint", "expires",
  ]

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
    self.init(letters: String(decoding: letters, as: UTF8.self))
  }

  private init(letters: String) {
    func has(_ words: [String]) -> Bool { words.contains { letters.contains($0) } }
    if letters.utf8.count < 3 || letters.utf8.count > 60 || has(Self.harmless) {
      self = .none
    } else if has(Self.passwords) || ["pwd", "pass"].contains(letters) {
      self = .password
    } else if letters.contains("secretaccesskey") {
      self = .awsSecret
    } else if has(Self.sessions) || letters == "session" || letters == "sid"
      || letters == "connectsid"
    {
      self = .session
    } else if has(Self.secrets) || letters.hasSuffix("token") || letters == "jwt" {
      self = .secret
    } else {
      self = .none
    }
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
