internal import StubDBModel

extension SensitiveName {
  /// The kind of secret that a value of this name is; nil for none.
  ///
  /// Fields of credentials are read part by part, and what they sign need not be random.
  func kind(of value: UnsafeBufferPointer<UInt8>) -> SecretKind? {
    switch self {
    case .none, .credentials: nil
    case .password: SecretHeuristics.isPassword(value) ? .password : nil
    case .secret: SecretHeuristics.isRandom(value) ? .namedSecret : nil
    case .awsSecret: SecretHeuristics.isRandom(value) ? .awsSecretKey : nil
    case .session: SecretHeuristics.isRandom(value) ? .sessionCookie : nil
    }
  }

  /// Whether a value of this name may be a secret by its name alone.
  var mayBeSecret: Bool { self != .none && self != .credentials }
}

/// What names say, remembered: a catalog has few different names, each many times.
struct SensitiveNames {
  /// More names than this are not worth remembering.
  private static let most = 10_000

  private var known: [[UInt8]: SensitiveName] = [:]
  private var lastName: [UInt8] = []
  private var last = SensitiveName.none

  /// What the name says about its value.
  mutating func meaning(of name: UnsafeBufferPointer<UInt8>) -> SensitiveName {
    if lastName.elementsEqual(name) { return last }
    let key = Array(name)
    let meaning: SensitiveName
    if let remembered = known[key] {
      meaning = remembered
    } else {
      meaning = SensitiveName(name)
      if known.count >= Self.most { known = [:] }
      known[key] = meaning
    }
    (lastName, last) = (key, meaning)
    return meaning
  }

  mutating func meaning(of name: String) -> SensitiveName {
    var name = name
    return name.withUTF8 { meaning(of: $0) }
  }
}
