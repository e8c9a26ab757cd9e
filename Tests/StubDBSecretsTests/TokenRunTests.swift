import Foundation
import StubDBModel
import StubDBTestSupport
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
      var (runs, parts) = (TokenRuns(), TokenRuns())
      for place in bytes.indices {
        var own = TokenRuns()
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

  /// Beginnings of secrets that are none, to be repeated, and what ends them.
  private static let beginnings = [
    ("MT-", ""), ("sk-", ""), ("SG.", ""), ("eyJ-", ""), ("eyJ-", ".aaaaaaaaa.aaaaaaaaaaaaaaaaaaa"),
    ("eyJ.", ""), ("AIza-", ""), ("NRAK-", ""), ("bearer+", ""), ("basic+", ""), ("token=", ""),
    ("token:", ""), ("\"token\":[", ""), ("sk-test0", ""), ("-----BEGIN A PRIVATE KEY-----", ""),
  ]

  @Test(arguments: beginnings)
  func aSearchTakesTimeInProportionToTheText(_ beginning: String, _ end: String) {
    let token = "ghp_" + "x9Kd82LqPz7RtVw3" + "YbNm5HcJf1GsAe4UoTi6"
    func search(_ size: Int) {
      var text = Self.times(size / beginning.utf8.count, beginning) + end + " \n" + token
      let last = text.withUTF8 { SecretDetector.matches(in: $0).last }
      // What begins a private key that does not end is one to the end of the text.
      let found = text.utf8.count - token.utf8.count..<text.utf8.count
      #expect(last?.range.clamped(to: found) == found, "\(beginning)")
    }
    // Eight times as much; 64 would be the square of that.
    #expect(ProcessorTime.ratio((8_000, 64_000), of: search) < 24, "\(beginning)")
  }
}
