internal import Foundation

/// Finds secrets with several parts: JSON web tokens, credentials, bot tokens, private keys in PEM.
enum CredentialMatcher {
  /// The first two bytes of everything that is found here.
  ///
  /// A Discord token begins with decimal digits encoded in base64.
  static let beginnings = [
    "ey", "Be", "be", "BE", "Ba", "ba", "BA", "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT",
  ]

  /// The secret that begins at the offset; nil if there is none.
  static func token(in bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> SecretMatch? {
    switch bytes[place] {
    case UInt8(ascii: "e"): jwt(in: bytes, at: place)
    case UInt8(ascii: "M"), UInt8(ascii: "N"), UInt8(ascii: "O"): discord(in: bytes, at: place)
    case UInt8(ascii: "B"), UInt8(ascii: "b"): authorization(in: bytes, at: place)
    default: nil
    }
  }

  private static let jwtStart = Array("eyJ".utf8)
  private static let bearer = Array("bearer".utf8)
  private static let basic = Array("basic".utf8)
  private static let keyStart = Array("-----BEGIN ".utf8)
  private static let keyName = Array("PRIVATE KEY-----".utf8)
  private static let keyEnd = Array("-----END".utf8)
  private static let longestKey = 16_384

  /// Matches three parts in base64url, of which the first is a JSON object with `alg`.
  /// https://www.rfc-editor.org/rfc/rfc7519
  private static func jwt(in bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> SecretMatch? {
    guard has(jwtStart, in: bytes, at: place) else { return nil }
    var ends: [Int] = []
    var end = place
    while end < bytes.count, ends.count < 3 {
      while end < bytes.count, ByteSet.urlSafe.contains(bytes[end]) { end += 1 }
      ends.append(end)
      guard end < bytes.count, bytes[end] == UInt8(ascii: ".") else { break }
      end += 1
    }
    guard ends.count == 3, ends[1] - ends[0] > 8, ends[2] - ends[1] > 16,
      let header = Base64.decoded(bytes[place..<ends[0]]), header.range(of: Data("alg".utf8)) != nil
    else { return nil }
    let range = place..<ends[2]
    if Placeholders.isPublished(UnsafeBufferPointer(rebasing: bytes[range])) { return nil }
    return SecretMatch(kind: .jwt, range: range)
  }

  /// Matches the number of a bot in base64, a time and a signature.
  private static func discord(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int
  ) -> SecretMatch? {
    var ends: [Int] = []
    var end = place
    while end < bytes.count, ends.count < 3 {
      while end < bytes.count, ByteSet.urlSafe.contains(bytes[end]) { end += 1 }
      ends.append(end)
      guard end < bytes.count, bytes[end] == UInt8(ascii: ".") else { break }
      end += 1
    }
    guard ends.count == 3, (23...28).contains(ends[0] - place), ends[1] - ends[0] == 7,
      (28...40).contains(ends[2] - ends[1]), let number = Base64.decoded(bytes[place..<ends[0]]),
      number.allSatisfy(ByteSet.digits.contains)
    else { return nil }
    return SecretMatch(kind: .discordToken, range: place..<ends[2])
  }

  /// Matches `123456789:AA…`, the number of a bot and its key, from the colon.
  static func telegram(in bytes: UnsafeBufferPointer<UInt8>, at colon: Int) -> SecretMatch? {
    guard colon + 36 <= bytes.count, bytes[colon + 1] == UInt8(ascii: "A"),
      bytes[colon + 2] == UInt8(ascii: "A")
    else { return nil }
    var start = colon
    while start > 0, colon - start < 11, ByteSet.digits.contains(bytes[start - 1]) { start -= 1 }
    var end = colon + 1
    while end < bytes.count, ByteSet.urlSafe.contains(bytes[end]) { end += 1 }
    guard (8...10).contains(colon - start), end - colon == 36 else { return nil }
    let key = UnsafeBufferPointer(rebasing: bytes[(colon + 1)..<end])
    guard SecretHeuristics.isMixed(key), !Placeholders.isPlaceholder(key) else { return nil }
    return SecretMatch(kind: .telegramToken, range: start..<end)
  }

  /// Matches `Bearer` and a token, or `Basic` and credentials. https://www.rfc-editor.org/rfc/rfc9110#section-11.4
  private static func authorization(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int
  ) -> SecretMatch? {
    let isBearer = has(bearer, in: bytes, at: place, foldingCase: true)
    guard isBearer || has(basic, in: bytes, at: place, foldingCase: true) else { return nil }
    var start = place + (isBearer ? bearer.count : basic.count)
    let afterWord = start
    while start < bytes.count, isSpace(bytes[start]) { start += 1 }
    guard start > afterWord else { return nil }
    var end = start
    while end < bytes.count, ByteSet.token68.contains(bytes[end]) { end += 1 }
    let value = UnsafeBufferPointer(rebasing: bytes[start..<end])
    let range = start..<end
    if isBearer {
      if jwt(in: bytes, at: start) != nil { return nil }
      return SecretHeuristics.isRandom(value) ? SecretMatch(kind: .bearerToken, range: range) : nil
    }
    guard let credentials = Base64.decoded(bytes[range]),
      let colon = credentials.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    let isSecret = Array(credentials[(colon + 1)...]).withUnsafeBufferPointer(
      SecretHeuristics.isPassword)
    return isSecret ? SecretMatch(kind: .basicCredentials, range: range) : nil
  }

  /// Matches a private key in PEM that is not empty. https://www.rfc-editor.org/rfc/rfc7468
  static func privateKey(in bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> SecretMatch? {
    guard has(keyStart, in: bytes, at: place) else { return nil }
    var name = place + keyStart.count
    let furthest = min(bytes.count, name + 24)
    while name < furthest, !has(keyName, in: bytes, at: name) { name += 1 }
    guard name < furthest else { return nil }
    let start = name + keyName.count
    var end = start
    let last = min(bytes.count, start + longestKey)
    while end < last, !has(keyEnd, in: bytes, at: end) { end += 1 }
    let value = UnsafeBufferPointer(rebasing: bytes[start..<end])
    guard value.count > 40, SecretHeuristics.entropy(value) > 3.5, !Placeholders.isPublished(value)
    else {
      return nil
    }
    return SecretMatch(kind: .privateKey, range: start..<end)
  }

  static func has(
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
