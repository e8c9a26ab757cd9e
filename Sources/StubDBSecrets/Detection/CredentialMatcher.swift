internal import Foundation
internal import StubDBModel

/// Finds secrets with several parts: JSON web tokens, credentials, bot tokens, private keys in PEM.
enum CredentialMatcher {
  /// The first two bytes of everything that is found here.
  private static let beginnings =
    ["ey", "Be", "be", "BE", "Ba", "ba", "BA"] + TokenShape.discordBeginnings

  /// The first two bytes of all tokens that are found here or have a format.
  static let tokenBeginnings: BytePairs = {
    var pairs = BytePairs()
    for start in TokenFormat.all.map(\.start) + beginnings.map({ Array($0.utf8) }) {
      pairs.insert(start[0], start[1])
    }
    return pairs
  }()

  /// The first bytes of all tokens.
  static let firstBytes = Set(
    TokenFormat.all.map { $0.start[0] } + beginnings.compactMap(\.utf8.first))

  /// The secret that begins at the offset, or nil.
  static func token(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int, _ runs: inout CredentialRuns
  ) -> SecretMatch? {
    switch bytes[place] {
    case UInt8(ascii: "e"): jwt(in: bytes, at: place, &runs)
    case UInt8(ascii: "M"), UInt8(ascii: "N"), UInt8(ascii: "O"): discord(in: bytes, at: place)
    case UInt8(ascii: "B"), UInt8(ascii: "b"): authorization(in: bytes, at: place, &runs)
    default: nil
    }
  }

  private static let jwtStart = Array("eyJ".utf8)
  private static let bearer = Array("bearer".utf8)
  private static let basic = Array("basic".utf8)
  /// Longer credentials are no password.
  private static let longestBasic = 8_192

  /// Matches three parts in base64url, of which the first is a JSON object with `alg`.
  /// https://www.rfc-editor.org/rfc/rfc7519
  private static func jwt(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int, _ runs: inout CredentialRuns
  ) -> SecretMatch? {
    guard has(jwtStart, in: bytes, at: place),
      let ends = runs.endsOfThreeParts(in: bytes, at: place), ends[1] - ends[0] > 8,
      ends[2] - ends[1] > 16
    else { return nil }
    let (header, range) = (place..<ends[0], place..<ends[2])
    guard !Placeholders.isPublished(UnsafeBufferPointer(rebasing: bytes[range])),
      !runs.isDismissed(header)
    else { return nil }
    guard let text = Base64.decoded(bytes[header]), text.range(of: Data("alg".utf8)) != nil else {
      runs.dismiss(header)
      return nil
    }
    return SecretMatch(kind: .jwt, range: range)
  }

  /// Matches the number of a bot in base64, a time and a signature.
  private static func discord(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int
  ) -> SecretMatch? {
    guard let token = TokenShape.discordToken(in: bytes, at: place),
      let number = Base64.decoded(bytes[token.number]),
      number.allSatisfy(ByteSet.digits.contains)
    else { return nil }
    return SecretMatch(kind: .discordToken, range: place..<token.end)
  }

  /// Matches the number of a bot and its key, from the colon between them.
  static func telegram(in bytes: UnsafeBufferPointer<UInt8>, at colon: Int) -> SecretMatch? {
    guard let range = TokenShape.telegramToken(in: bytes, at: colon) else { return nil }
    let key = UnsafeBufferPointer(rebasing: bytes[(colon + 1)..<range.upperBound])
    guard key.isMixed, !Placeholders.isPlaceholder(key) else { return nil }
    return SecretMatch(kind: .telegramToken, range: range)
  }

  /// Matches `Bearer` and a token, or `Basic` and credentials. https://www.rfc-editor.org/rfc/rfc9110#section-11.4
  private static func authorization(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int, _ runs: inout CredentialRuns
  ) -> SecretMatch? {
    let isBearer = has(bearer, in: bytes, at: place, foldingCase: true)
    guard isBearer || has(basic, in: bytes, at: place, foldingCase: true) else { return nil }
    var start = place + (isBearer ? bearer.count : basic.count)
    let afterWord = start
    while start < bytes.count, isSpace(bytes[start]) { start += 1 }
    guard start > afterWord else { return nil }
    let end = runs.tokens.end(of: .token68, in: bytes, at: start)
    let value = UnsafeBufferPointer(rebasing: bytes[start..<end])
    let range = start..<end
    if isBearer {
      if jwt(in: bytes, at: start, &runs) != nil { return nil }
      return SecretHeuristics.isRandom(value) ? SecretMatch(kind: .bearerToken, range: range) : nil
    }
    // Credentials end at no period, and the header of a web token does: what was dismissed is of one of them.
    guard value.count <= longestBasic, !runs.isDismissed(range),
      let credentials = Base64.decoded(bytes[range])
    else { return nil }
    guard let colon = credentials.firstIndex(of: UInt8(ascii: ":")) else {
      runs.dismiss(range)
      return nil
    }
    let isSecret = Array(credentials[(colon + 1)...]).withUnsafeBufferPointer(
      SecretHeuristics.isPassword)
    return isSecret ? SecretMatch(kind: .basicCredentials, range: range) : nil
  }

  /// Matches a private key in PEM that is not empty.
  static func privateKey(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int, _ runs: inout CredentialRuns
  ) -> SecretMatch? {
    guard let range = TokenShape.privateKey(in: bytes, at: place) else { return nil }
    runs.examine(range.count)
    let value = UnsafeBufferPointer(rebasing: bytes[range])
    guard value.count > 40, SecretHeuristics.entropy(value) > 3.5, !Placeholders.isPublished(value)
    else { return nil }
    return SecretMatch(kind: .privateKey, range: range)
  }

  private static func has(
    _ word: [UInt8], in bytes: UnsafeBufferPointer<UInt8>, at place: Int, foldingCase: Bool = false
  ) -> Bool {
    guard bytes.count - place >= word.count else { return false }
    for index in word.indices {
      let byte = foldingCase ? bytes[place + index] | 0x20 : bytes[place + index]
      if byte != word[index] { return false }
    }
    return true
  }

  /// The white space of a header field, and the `+` of a form.
  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: "+")
  }
}
