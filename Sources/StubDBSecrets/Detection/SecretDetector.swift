internal import StubDBModel

/// Finds secrets in a text, in one pass over its bytes.
///
/// Only bytes that may begin a secret are examined; for all others the cost is one table look-up per byte.
struct SecretDetector {
  /// What a byte may belong to.
  private enum Role: UInt8 {
    case nothing
    /// The first byte of a token format, or of `Bearer` and `Basic`.
    case start
    /// The separator of a name and its value.
    case assignment
    /// The end of a tag such as `<password>`.
    case tag
    case dash
  }

  private static let roles: [Role] = {
    var roles = [Role](repeating: .nothing, count: 256)
    for byte in CredentialMatcher.firstBytes { roles[Int(byte)] = .start }
    for byte in ":=".utf8 { roles[Int(byte)] = .assignment }
    roles[Int(UInt8(ascii: ">"))] = .tag
    roles[Int(UInt8(ascii: "-"))] = .dash
    return roles
  }()

  /// Whether a text may contain a secret, or a name that makes a value secret; errs on the side of true.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - names: A cache of facts about names.
  /// - Returns: False if a closer look would find nothing.
  static func isSuspicious(
    _ bytes: UnsafeBufferPointer<UInt8>, _ names: inout SensitiveNames
  ) -> Bool {
    guard bytes.count >= 8 else { return false }
    let beginnings = CredentialMatcher.tokenBeginnings
    var runs = CredentialRuns()
    return roles.withUnsafeBufferPointer { roles in
      for place in bytes.indices {
        switch roles[Int(bytes[place])] {
        case .nothing: continue
        case .start:
          guard isBeginning(beginnings, bytes, place) else { continue }
          if match(in: bytes, at: place, .start, &runs) != nil { return true }
        case .assignment:
          if KeyValueMatcher.hasHint(in: bytes, at: place, &names)
            || KeyValueMatcher.urlCredentials(in: bytes, at: place) != nil
            || CredentialMatcher.telegram(in: bytes, at: place) != nil
            || ControlMatcher.match(in: bytes, at: place) != nil
          {
            return true
          }
        case .tag:
          if ElementMatcher.match(in: bytes, at: place) != nil { return true }
        case .dash:
          if CredentialMatcher.privateKey(in: bytes, at: place, &runs) != nil { return true }
        }
      }
      return false
    }
  }

  /// The secrets of a text, in order and without overlaps.
  static func matches(in bytes: UnsafeBufferPointer<UInt8>) -> [SecretMatch] {
    var runs = CredentialRuns()
    return matches(in: bytes, &runs)
  }

  /// The same, with the runs of the text, which count what is looked at.
  static func matches(
    in bytes: UnsafeBufferPointer<UInt8>, _ runs: inout CredentialRuns
  ) -> [SecretMatch] {
    guard bytes.count >= 8 else { return [] }
    var matches: [SecretMatch] = []
    var place = 0
    let beginnings = CredentialMatcher.tokenBeginnings
    roles.withUnsafeBufferPointer { roles in
      while place < bytes.count {
        let role = roles[Int(bytes[place])]
        if role != .nothing, role != .start || isBeginning(beginnings, bytes, place),
          let match = match(in: bytes, at: place, role, &runs)
        {
          // A token format is more specific than the name before it.
          if let last = matches.last, last.range.overlaps(match.range) {
            place += 1
            continue
          }
          matches += matchesInLines(of: bytes, after: place, before: match, &runs)
          matches.append(match)
          place = max(place + 1, match.range.upperBound)
        } else {
          place += 1
        }
      }
    }
    return matches
  }

  /// Whether a token may begin at the offset.
  @inline(__always)
  private static func isBeginning(
    _ beginnings: BytePairs, _ bytes: UnsafeBufferPointer<UInt8>, _ place: Int
  ) -> Bool {
    place + 1 < bytes.count && beginnings.hold(bytes[place], bytes[place + 1])
  }

  /// The secrets in the header fields of a part, which are between its name and its content.
  private static func matchesInLines(
    of bytes: UnsafeBufferPointer<UInt8>, after place: Int, before match: SecretMatch,
    _ runs: inout CredentialRuns
  ) -> [SecretMatch] {
    guard place + 1 < match.range.lowerBound else { return [] }
    let between = bytes[(place + 1)..<match.range.lowerBound]
    guard between.contains(0x0A) else { return [] }
    var inner = CredentialRuns()
    defer { runs.examine(inner.examined) }
    return matches(in: UnsafeBufferPointer(rebasing: between), &inner).map {
      let range = ($0.range.lowerBound + place + 1)..<($0.range.upperBound + place + 1)
      return SecretMatch(kind: $0.kind, range: range)
    }
  }

  private static func match(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int, _ role: Role, _ runs: inout CredentialRuns
  ) -> SecretMatch? {
    switch role {
    case .nothing: return nil
    case .start:
      // A token does not begin in the middle of a word.
      if place > 0, ByteSet.words.contains(bytes[place - 1]) { return nil }
      return CredentialMatcher.token(in: bytes, at: place, &runs)
        ?? token(in: bytes, at: place, &runs)
    case .assignment:
      return KeyValueMatcher.urlCredentials(in: bytes, at: place)
        ?? CredentialMatcher.telegram(in: bytes, at: place)
        ?? KeyValueMatcher.value(in: bytes, at: place, &runs)
        ?? ControlMatcher.match(in: bytes, at: place)
    case .tag: return ElementMatcher.match(in: bytes, at: place)
    case .dash: return CredentialMatcher.privateKey(in: bytes, at: place, &runs)
    }
  }

  private static func token(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int, _ runs: inout CredentialRuns
  ) -> SecretMatch? {
    for format in TokenFormat.byFirstByte[Int(bytes[place])] {
      guard let end = format.end(in: bytes, at: place, &runs.tokens) else { continue }
      let rest = UnsafeBufferPointer(rebasing: bytes[(place + format.start.count)..<end])
      if !Placeholders.isPlaceholder(rest) {
        return SecretMatch(kind: format.kind, range: place..<end)
      }
    }
    return nil
  }
}

/// A secret in a text, as a range of bytes.
struct SecretMatch: Hashable {
  let kind: SecretKind
  /// The secret itself, without its name.
  let range: Range<Int>
}

extension ByteSet {
  /// The characters that end an unquoted value.
  static let valueEnds = ByteSet(" \t\r\n\"'`,;&<>(){}[]|\\")
  static let urlEnds = ByteSet(" \t\r\n\"'`<>/\\?#")
}

/// A set of pairs of bytes, stored as 65,536 bits.
struct BytePairs: Sendable {
  private var bits = [UInt64](repeating: 0, count: 1_024)

  init() {}

  mutating func insert(_ first: UInt8, _ second: UInt8) {
    bits[Int(first) << 2 | Int(second >> 6)] |= 1 << UInt64(second & 63)
  }

  func hold(_ first: UInt8, _ second: UInt8) -> Bool {
    bits[Int(first) << 2 | Int(second >> 6)] >> UInt64(second & 63) & 1 == 1
  }
}
