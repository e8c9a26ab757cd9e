import StubDBModel

/// Secrets that their place or their form gives away.
extension SecretSearch {
  /// The text of an XML element with a sensitive name.
  mutating func element(at bracket: Int) -> Place? {
    var open = bracket
    while open > 0, bracket - open < 200, bytes[open] != UInt8(ascii: "<") { open -= 1 }
    guard bytes[open] == UInt8(ascii: "<"), bracket > open + 1, bytes[bracket - 1] != 0x2F else {
      return nil
    }
    let name = bytes[(open + 1)..<bracket].prefix { !Self.isBlank($0) }
    guard name.first != 0x2F, SensitiveName(String(decoding: name, as: UTF8.self)) != .none else {
      return nil
    }
    let end = bytes[(bracket + 1)...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    examined += end - bracket
    return Place(range: bracket + 1..<end)
  }

  /// The content of a part of multipart content with a sensitive name.
  mutating func part(at colon: Int) -> Place? {
    guard let part = MultipartPlace(in: bytes, at: colon), SensitiveName.mayHide(part.name) else {
      return nil
    }
    if !head.contains(colon) {
      head = colon..<part.startOfContent(in: bytes)
      examined += head.count
    }
    let start = head.upperBound
    // What is not replaced is looked at again; the end of a part may be far.
    guard !SecretDisplay.isPlaceholder(beginning(of: start..<bytes.count)) else { return nil }
    let content = start..<part.endOfContent(from: start, in: bytes)
    examined += content.count
    let isHidden = SensitiveName.hides(part.name, value: beginning(of: content))
    return isHidden ? Place(range: content) : nil
  }

  /// The text between `://` and `@`.
  mutating func userInformation(at slash: Int) -> Place? {
    guard slash >= 2, bytes[slash - 1] == 0x2F, bytes[slash - 2] == UInt8(ascii: ":") else {
      return nil
    }
    let authority = bytes[(slash + 1)...].prefix { byte in
      byte > 0x20 && !"/?#\"'<>\\".utf8.contains(byte)
    }
    examined += authority.count
    guard let sign = authority.lastIndex(of: UInt8(ascii: "@")) else { return nil }
    return Place(range: slash + 1..<sign)
  }

  /// The text after `Bearer ` or `Basic `, if it looks like a token.
  mutating func scheme(at place: Int) -> Place? {
    guard place == 0 || !Self.isName(bytes[place - 1]) else { return nil }
    for scheme in ["bearer", "basic"] {
      let word = bytes[place...].prefix(scheme.utf8.count).map { $0.isASCIILetter ? $0 | 0x20 : $0 }
      guard word.elementsEqual(scheme.utf8) else { continue }
      let rest = bytes[(place + word.count)...]
      // A form has `+` for a space.
      let spaces = rest.prefix { Self.isBlank($0) || $0 == UInt8(ascii: "+") }
      if spaces.isEmpty { continue }
      // The end of a token that does not look random does not, either.
      if self.token.contains(spaces.endIndex) { return nil }
      let token = rest[spaces.endIndex...].prefix { ByteSet.token68.contains($0) }
      let looksRandom =
        token.contains(where: \.isASCIIDigit) || token.last == UInt8(ascii: "=")
        || token.dropFirst().contains { (0x41...0x5A).contains($0) }
      self.token = token.indices
      examined += token.count
      return token.count >= 8 && looksRandom ? Place(range: token.indices) : nil
    }
    return nil
  }

  mutating func webToken(at place: Int) -> Place? {
    guard bytes[place...].starts(with: "eyJ".utf8), place == 0 || !Self.isName(bytes[place - 1])
    else { return nil }
    let token = bytes[place...].prefix { Self.isName($0) || $0 == UInt8(ascii: ".") }
    examined += token.count
    return token.count >= 20 && token.contains(UInt8(ascii: "."))
      ? Place(range: token.indices) : nil
  }

  /// A token with a prefix that its service publishes, such as `ghp_`, or of a Discord bot.
  mutating func serviceToken(at place: Int) -> Place? {
    guard place == 0 || !(bytes[place - 1].isASCIILetter || bytes[place - 1].isASCIIDigit) else {
      return nil
    }
    let text = bytes
    return text.withUnsafeBufferPointer { bytes in
      let ends = TokenFormat.byFirstByte[Int(bytes[place])].compactMap { format in
        format.endOfPart(in: bytes, at: place, &runs)
      }
      let end = ends.max() ?? TokenShape.discordToken(in: bytes, at: place)?.end
      return end.map { Place(range: place..<$0) }
    }
  }

  /// The token of a Telegram bot, around a colon.
  func botToken(at colon: Int) -> Place? {
    bytes.withUnsafeBufferPointer { TokenShape.telegramToken(in: $0, at: colon) }
      .map { Place(range: $0) }
  }

  /// The content of a private key in PEM, also with escaped line ends.
  mutating func privateKey(at place: Int) -> Place? {
    let key = bytes.withUnsafeBufferPointer { TokenShape.privateKey(in: $0, at: place) }
    examined += key?.count ?? 0
    return key.map { Place(range: $0) }
  }
}
