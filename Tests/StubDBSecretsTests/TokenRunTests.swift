import Foundation
import StubDBModel
import Testing

@testable import StubDBSecrets

/// Long texts in which a token may begin at every few bytes.
struct TokenRunTests {
  private static func times(_ count: Int, _ text: String) -> String {
    String(repeating: text, count: count)
  }

  private static let text = Array(
    ("sk-" + times(30, "a-sk-b1") + " eyJ-" + times(40, "eyJ-") + ".aaaaaaaaaaaa." + times(20, "b1")
      + " AIza" + times(20, "-AIza0") + " NRAK-NRAK-NRAK-" + times(9, "q7") + " bearer+bearer+"
      + times(9, "Zq8w")).utf8)

  @Test func aRunIsTheSameHoweverOftenItIsLookedAt() {
    Self.text.withUnsafeBufferPointer { bytes in
      for set in [ByteSet.urlSafe, .token68, .alphanumerics, .words, .hexadecimals] {
        var runs = TokenRuns()
        for place in bytes.indices {
          let end = bytes[place...].firstIndex { !set.contains($0) } ?? bytes.count
          #expect(runs.end(of: set, in: bytes, at: place) == end)
        }
      }
    }
  }

  @Test func aTokenInALongTextIsTheSameAsAlone() {
    Self.text.withUnsafeBufferPointer { bytes in
      var (runs, parts) = (TokenRuns(), CredentialRuns())
      for place in bytes.indices {
        var own = CredentialRuns()
        #expect(
          parts.endsOfThreeParts(in: bytes, at: place)
            == own.endsOfThreeParts(in: bytes, at: place))
        for format in TokenFormat.byFirstByte[Int(bytes[place])] {
          var own = TokenRuns()
          #expect(
            format.end(in: bytes, at: place, &runs) == format.end(in: bytes, at: place, &own))
        }
      }
    }
  }

  /// Beginnings of secrets that do not follow, to be repeated, and what ends them.
  private static let beginnings = [
    ("MT-", ""), ("sk-", ""), ("SG.", ""), ("eyJ-", ""), ("eyJ-", ".aaaaaaaaa.aaaaaaaaaaaaaaaaaaa"),
    ("eyJ.", ""), ("AIza-", ""), ("NRAK-", ""), ("bearer+", ""), ("basic+", ""), ("sk-test0", ""),
    ("-----BEGIN A PRIVATE KEY-----", ""),
  ]
  private static let token = "ghp_" + "x9Kd82LqPz7RtVw3" + "YbNm5HcJf1GsAe4UoTi6"

  /// How many bytes a search looks at beyond those where something may begin.
  private static func examined(in text: String) -> Int {
    var text = text
    var runs = CredentialRuns()
    let last = text.withUTF8 { SecretDetector.matches(in: $0, &runs).last }
    // What begins a private key that does not end is one to the end of the text.
    let found = text.utf8.count - token.utf8.count..<text.utf8.count
    #expect(last?.range.clamped(to: found) == found, "\(text.prefix(40))")
    return runs.examined
  }

  @Test(arguments: beginnings)
  func aSearchLooksAtTheBytesOfARunAFewTimes(_ beginning: String, _ end: String) {
    let text = Self.times(20_000 / beginning.utf8.count, beginning) + end + " \n" + Self.token
    // Once for each set of bytes that tokens are made of, and for what they encode.
    #expect(Self.examined(in: text) < 16 * text.utf8.count)
  }

  @Test(arguments: ["token=", "token:", "\"token\":["])
  func aSearchLooksAtNoMoreThanTheLongestValueAfterAName(_ beginning: String) {
    let count = 20_000 / beginning.utf8.count
    let text = Self.times(count, beginning) + " \n" + Self.token
    #expect(Self.examined(in: text) < count * (SecretHeuristics.longest + 2) + 16 * text.utf8.count)
  }
}
