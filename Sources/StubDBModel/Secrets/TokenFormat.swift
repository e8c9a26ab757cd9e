/// The format of a service's tokens: a prefix, then a number of bytes of a set.
///
/// The table is for scans, which judge what has the format, and for reports, which hide whatever may be a token.
package struct TokenFormat: Sendable {
  package let kind: SecretKind
  package let start: [UInt8]
  package let rest: ByteSet
  package let shortest: Int
  let longest: Int
  /// Whether both digits and letters must occur, for prefixes that are not distinctive.
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

  /// All formats, by first byte.
  package static let byFirstByte: [[TokenFormat]] = {
    var table = [[TokenFormat]](repeating: [], count: 256)
    for format in all { table[Int(format.start[0])].append(format) }
    return table
  }()

  package static let all: [TokenFormat] =
    ["AKIA", "ASIA", "ABIA", "ACCA"].map {
      TokenFormat(.awsAccessKey, $0, .base32Capitals, 16, 16)
    }
    + ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map {
      TokenFormat(.gitHubToken, $0, .alphanumerics, 36, 255)
    }
    + ["xoxb-", "xoxa-", "xoxp-", "xoxr-", "xoxs-", "xapp-"].map {
      TokenFormat(.slackToken, $0, .urlSafe, 16)
    }
    + ["sk_live_", "rk_live_", "sk_test_", "rk_test_"].map {
      TokenFormat(.stripeKey, $0, .alphanumerics, 16)
    }
    + [
      TokenFormat(.gitHubToken, "github_pat_", .words, 40),
      TokenFormat(.gitLabToken, "glpat-", .urlSafe, 20),
      TokenFormat(.slackToken, "hooks.slack.com/services/T", .token68, 24),
      TokenFormat(.stripeKey, "whsec_", .token68, 24),
      TokenFormat(.googleKey, "AIza", .urlSafe, 35, 35),
      TokenFormat(.googleKey, "ya29.", .urlSafe, 20),
      TokenFormat(.googleKey, "GOCSPX-", .urlSafe, 20),
      TokenFormat(.openAIKey, "sk-", .urlSafe, 20, isMixed: true),
      TokenFormat(.sendGridKey, "SG.", .token68, 40, isMixed: true),
      TokenFormat(.npmToken, "npm_", .alphanumerics, 36, 36),
      TokenFormat(.pyPIToken, "pypi-AgEI", .urlSafe, 50),
      TokenFormat(.twilioKey, "SK", .hexadecimals, 32, 32, isMixed: true),
      TokenFormat(.mailgunKey, "key-", .hexadecimals, 32, 32, isMixed: true),
      TokenFormat(.huggingFaceToken, "hf_", .alphanumerics, 30, 64),
      TokenFormat(.databricksToken, "dapi", .hexadecimals, 32, 32, isMixed: true),
      TokenFormat(.squareToken, "sq0atp-", .urlSafe, 22, 22),
      TokenFormat(.squareToken, "sq0csp-", .urlSafe, 43, 43),
      TokenFormat(.squareToken, "EAAA", .urlSafe, 60, 60, isMixed: true),
      TokenFormat(.atlassianToken, "ATATT3", .token68, 100, 400, isMixed: true),
      TokenFormat(.ageKey, "AGE-SECRET-KEY-1", .capitals, 58, 58),
    ]
    + ["dop_v1_", "doo_v1_", "dor_v1_"].map {
      TokenFormat(.digitalOceanToken, $0, .hexadecimals, 64, 64)
    }
    + ["shpat_", "shpca_", "shppa_", "shpss_"].map {
      TokenFormat(.shopifyToken, $0, .hexadecimals, 32, 32)
    }
    + ["lin_api_", "lin_oauth_"].map { TokenFormat(.linearKey, $0, .alphanumerics, 32, 80) }
    + ["NRAK-", "NRRA-", "NRJS-", "NRII-"].map {
      TokenFormat(.newRelicKey, $0, .urlSafe, 19, 42, isMixed: true)
    }
    + ["hvs.", "hvb.", "hvr."].map { TokenFormat(.vaultToken, $0, .urlSafe, 24, isMixed: true) }
    + ["dp.pt.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."].map {
      TokenFormat(.dopplerToken, $0, .alphanumerics, 40, 44)
    }
    + ["dp.st."].map { TokenFormat(.dopplerToken, $0, .tokenNames, 40, 100, isMixed: true) }
    + ["glptt-", "gldt-", "glrt-", "glcbt-"].map {
      TokenFormat(.gitLabToken, $0, .urlSafe, 20, isMixed: true)
    }

  /// The least number of bytes after a distinctive prefix that reports hide, since texts are cut.
  private static let shortestShown = 8

  /// Whether nothing but tokens begins like this: the prefix ends in a separator, and any bytes of the set follow.
  private var isDistinctive: Bool {
    !isMixed && start.last.map { !$0.isASCIILetter && !$0.isASCIIDigit } ?? false
  }

  /// The end of the text in this format that begins at the offset, or nil.
  package func end(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int, _ runs: inout TokenRuns
  ) -> Int? {
    end(in: bytes, at: place, lengths: shortest...longest, &runs)
  }

  /// The end of what may be such a token, or a part of one: a distinctive prefix and some bytes suffice.
  package func endOfPart(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int, _ runs: inout TokenRuns
  ) -> Int? {
    isDistinctive
      ? end(in: bytes, at: place, lengths: min(Self.shortestShown, shortest)...Int.max, &runs)
      : end(in: bytes, at: place, &runs)
  }

  private func end(
    in bytes: UnsafeBufferPointer<UInt8>, at place: Int, lengths: ClosedRange<Int>,
    _ runs: inout TokenRuns
  ) -> Int? {
    guard bytes.count - place >= start.count + lengths.lowerBound else { return nil }
    for index in start.indices where bytes[place + index] != start[index] { return nil }
    let first = place + start.count
    let run = runs.run(of: rest, in: bytes, at: first)
    guard lengths.contains(run.end - first), !isMixed || run.isMixed(from: first) else {
      return nil
    }
    return run.end
  }
}
