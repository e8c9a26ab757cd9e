internal import StubDBModel

extension SensitiveName {
  /// The kind of secret that a value with this name is; nil if the name does not make it one.
  ///
  /// Fields with credentials are parsed, and their parts need not be random.
  func kind(of value: UnsafeBufferPointer<UInt8>) -> SecretKind? {
    switch self {
    case .none, .credentials: nil
    case .password: SecretHeuristics.isPassword(value) ? .password : nil
    case .secret: SecretHeuristics.isRandom(value) ? .namedSecret : nil
    case .awsSecret: SecretHeuristics.isRandom(value) ? .awsSecretKey : nil
    case .session: SecretHeuristics.isRandom(value) ? .sessionCookie : nil
    }
  }

  /// The value with this name at a place in a text; nil if it is no secret.
  func match(in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> SecretMatch? {
    kind(of: UnsafeBufferPointer(rebasing: bytes[range])).map {
      SecretMatch(kind: $0, range: range)
    }
  }

  /// Whether the name alone may make its value secret.
  var mayBeSecret: Bool { self != .none && self != .credentials }
}

/// A cache of facts about names: a catalog has few different names, each many times.
struct SensitiveNames {
  /// The largest number of names that are cached.
  private static let most = 10_000

  private var known: [[UInt8]: SensitiveName] = [:]
  private var lastName: [UInt8] = []
  private var last = SensitiveName.none

  /// The facts about a name.
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
