import Foundation
import StubDBTestSupport
import Testing

@testable import StubDBSecrets

/// Contents that are too long to be kept in memory as a whole.
struct ContentRedactionTests {
  private static let secrets = (0..<8).map { number in
    "sk_live_" + String(repeating: "4eC39HqLyjWDarjtT1zdp7d", count: 1) + "\(number)"
  }

  /// A content with secrets at random places, and its lengths of pieces.
  private static func content(_ random: inout SeededRandom) -> (String, [String]) {
    var (text, planted) = ("", [String]())
    for _ in 0..<Int.random(in: 1...40, using: &random) {
      let filling = ["word ", "{\"a\": 1, ", "é ü\n", "0123456789", "x"].randomElement(
        using: &random)
      text += String(
        repeating: filling ?? "", count: Int.random(in: 0...300, using: &random))
      guard let secret = secrets.randomElement(using: &random) else { continue }
      text += " \(secret)\n"
      planted.append(secret)
    }
    return (text, planted)
  }

  private static func redacted(
    _ content: Data, pieces: Int, _ redaction: inout RunningRedaction
  ) throws -> (Data, isText: Bool) {
    var (stream, result) = (ContentRedaction(window: 1_024, overlap: 256), Data())
    var rest = content
    while !rest.isEmpty {
      try stream.take(Data(rest.prefix(pieces)), &redaction) { result += $0 }
      rest = rest.dropFirst(pieces)
    }
    try stream.finish(&redaction) { result += $0 }
    return (result, stream.isText)
  }

  @Test(arguments: [1, 100, 1_024, 5_000, 1_000_000])
  func secretsAreFoundAtTheEdgesOfPieces(pieces: Int) throws {
    var random = SeededRandom(seed: UInt64(pieces))
    for _ in 0..<(pieces == 1 ? 3 : 20) {
      let (text, planted) = Self.content(&random)
      var redaction = RunningRedaction(rules: [], known: [])
      let (result, isText) = try Self.redacted(Data(text.utf8), pieces: pieces, &redaction)
      #expect(isText && !redaction.isFound(in: result))
      let clean = String(decoding: result, as: UTF8.self)
      let marked = clean.replacing(/REDACTED-[0-9]+/, with: "•")
      #expect(marked == planted.reduce(text) { $0.replacing($1, with: "•") })
    }
  }

  @Test func knownValuesAreTakenOutInAllEncodings() throws {
    let value = "tulip/window+harbor"
    var redaction = RunningRedaction(rules: [], known: [value])
    let forms = [
      value, "tulip%2Fwindow%2Bharbor", "tulip\\/window+harbor",
      Data("user:\(value)".utf8).base64EncodedString(),
    ]
    let text = (0..<400).map { forms[$0 % forms.count] + "\n" }.joined()
    let (result, _) = try Self.redacted(Data(text.utf8), pieces: 777, &redaction)
    #expect(!redaction.isFound(in: result))
    #expect(String(decoding: result, as: UTF8.self).contains("REDACTED-1"))
  }

  @Test func bytesThatAreNoTextStayAsTheyAre() throws {
    var random = SeededRandom(seed: 3)
    let bytes = Data((0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) })
    var redaction = RunningRedaction(rules: [], known: ["tulip window harbor"])
    let content = bytes + Data("tulip window harbor".utf8) + bytes
    let (result, isText) = try Self.redacted(content, pieces: 3_000, &redaction)
    #expect(!isText && result == bytes + Data("REDACTED-1".utf8) + bytes)
  }

  /// A run of characters without an end, such as an image in base64, has no good place for a cut.
  @Test func aLongRunOfBase64IsCutWhereNoSecretIs() throws {
    let value = "tulip window harbor"
    var redaction = RunningRedaction(rules: [], known: [value])
    var plain = Data()
    for number in 0..<200 { plain += Data("part \(number) \(value)".utf8) }
    let content = Data(plain.base64EncodedString().utf8)
    let result = try? Self.redacted(content, pieces: 512, &redaction).0
    // Either it is free of the value, or it is not passed on.
    #expect(result.map { !redaction.isFound(in: $0) } ?? true)
  }
}
