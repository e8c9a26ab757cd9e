/// What the tokens of one service look like: a beginning of its own, and so many bytes of a set.
struct TokenShape {
  let kind: SecretKind
  let start: [UInt8]
  let rest: ByteSet
  let shortest: Int
  let longest: Int
  /// Whether digits and letters must both be there: where the beginning alone says little.
  let isMixed: Bool

  init(
    _ kind: SecretKind, _ start: String, _ rest: ByteSet, _ shortest: Int, _ longest: Int = 4_096,
    isMixed: Bool = false
  ) {
    self.kind = kind
    self.start = Array(start.utf8)
    self.rest = rest
    self.shortest = shortest
    self.longest = longest
    self.isMixed = isMixed
  }

  /// Every shape, by its first byte.
  static let byFirstByte: [[TokenShape]] = {
    var table = [[TokenShape]](repeating: [], count: 256)
    for shape in all { table[Int(shape.start[0])].append(shape) }
    return table
  }()

  /// The first two bytes of every shape, of JWT, and of `Bearer` and `Basic`.
  private static let beginnings: Set<UInt16> = {
    var pairs = Set(all.map { UInt16($0.start[0]) << 8 | UInt16($0.start[1]) })
    for text in ["ey", "Be", "be", "BE", "Ba", "ba", "BA"] {
      pairs.insert(text.utf8.reduce(0) { $0 << 8 | UInt16($1) })
    }
    return pairs
  }()

  /// The same by their bits, 65,536 of them.
  private static let beginningBits: [UInt64] = {
    var bits = [UInt64](repeating: 0, count: 1_024)
    for pair in beginnings { bits[Int(pair >> 6)] |= 1 << UInt64(pair & 63) }
    return bits
  }()

  /// Whether a token may begin with these two bytes.
  static func isBeginning(_ first: UInt8, _ second: UInt8) -> Bool {
    let pair = UInt16(first) << 8 | UInt16(second)
    return beginningBits[Int(pair >> 6)] >> UInt64(pair & 63) & 1 == 1
  }

  private static let all: [TokenShape] =
    ["AKIA", "ASIA", "ABIA", "ACCA"].map {
      TokenShape(.awsAccessKey, $0, .base32Capitals, 16, 16)
    }
    + ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map {
      TokenShape(.gitHubToken, $0, .alphanumerics, 36, 255)
    }
    + ["xoxb-", "xoxa-", "xoxp-", "xoxr-", "xoxs-", "xapp-"].map {
      TokenShape(.slackToken, $0, .urlSafe, 16)
    }
    + ["sk_live_", "rk_live_", "sk_test_", "rk_test_"].map {
      TokenShape(.stripeKey, $0, .alphanumerics, 16)
    }
    + [
      TokenShape(.gitHubToken, "github_pat_", .words, 40),
      TokenShape(.gitLabToken, "glpat-", .urlSafe, 20),
      TokenShape(.slackToken, "hooks.slack.com/services/T", .token68, 24),
      TokenShape(.stripeKey, "whsec_", .token68, 24),
      TokenShape(.googleKey, "AIza", .urlSafe, 35, 35),
      TokenShape(.googleKey, "ya29.", .urlSafe, 20),
      TokenShape(.googleKey, "GOCSPX-", .urlSafe, 20),
      TokenShape(.openAIKey, "sk-", .urlSafe, 20, isMixed: true),
      TokenShape(.sendGridKey, "SG.", .token68, 40, isMixed: true),
      TokenShape(.npmToken, "npm_", .alphanumerics, 36, 36),
      TokenShape(.pyPIToken, "pypi-AgEI", .urlSafe, 50),
    ]

  /// Where the token that begins at the place ends; nil where there is none.
  func end(in bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Int? {
    guard bytes.count - place >= start.count + shortest else { return nil }
    for index in start.indices where bytes[place + index] != start[index] { return nil }
    let first = place + start.count
    var end = first
    while end < bytes.count, rest.contains(bytes[end]) { end += 1 }
    guard (shortest...longest).contains(end - first) else { return nil }
    let value = UnsafeBufferPointer(rebasing: bytes[first..<end])
    if isMixed, !ValueLook.isMixed(value) { return nil }
    return Placeholders.isPlaceholder(value) ? nil : end
  }
}
