import Foundation
import StubDBJSON
import StubDBModel
import StubDBSecrets
import Testing

/// A secret of every kind, as a text that is found wherever it is.
///
/// Concatenated here so that secret scanners do not report this file.
struct SecretSample: Sendable, CustomTestStringConvertible {
  let kind: SecretKind
  /// The text with the part that makes it a secret.
  let text: String
  /// The part that must be gone after a redaction.
  let value: String

  var testDescription: String { kind.rawValue }

  init(_ kind: SecretKind, _ before: String, _ value: String, _ after: String = "") {
    self.kind = kind
    self.text = before + value + after
    self.value = value
  }

  private static let r40 = Samples.random40
  private static let hex = "3f9a07c4" + "d1e85b26" + "90af7c3d" + "e4b81652"
  private static let password = "Tr0ub4dor" + "-3zq"

  static let all: [SecretSample] = [
    SecretSample(.bearerToken, "Bearer ", r40),
    SecretSample(.basicCredentials, "", password),
    SecretSample(.jwt, "", Samples.jwt),
    SecretSample(.awsAccessKey, "", "AKIA" + Samples.capitals),
    SecretSample(.awsSecretKey, "aws_secret_access_key=", r40),
    SecretSample(.gitHubToken, "", "ghp_" + r40.prefix(36)),
    SecretSample(.gitLabToken, "", "glpat-" + Samples.random20),
    SecretSample(.slackToken, "", "xoxb-" + "1029384756-" + Samples.random20),
    SecretSample(.stripeKey, "", "sk_live_" + Samples.random20),
    SecretSample(.googleKey, "", "AIza" + r40.prefix(35)),
    SecretSample(.openAIKey, "", "sk-proj-" + r40),
    SecretSample(.sendGridKey, "", "SG." + Samples.random20 + "." + r40),
    SecretSample(.npmToken, "", "npm_" + r40.prefix(36)),
    SecretSample(.pyPIToken, "", "pypi-AgEI" + r40 + r40),
    SecretSample(.twilioKey, "", "SK" + hex), SecretSample(.mailgunKey, "", "key-" + hex),
    SecretSample(.telegramToken, "", "1029384756:" + "AA" + r40.prefix(33)),
    SecretSample(
      .discordToken, "",
      Samples.base64URL("104857629384756102") + ".Gq7Zt3." + r40.prefix(38)),
    SecretSample(.digitalOceanToken, "", "dop_v1_" + hex + hex),
    SecretSample(.shopifyToken, "", "shpat_" + hex),
    SecretSample(.huggingFaceToken, "", "hf_" + r40.prefix(34)),
    SecretSample(.databricksToken, "", "dapi" + hex),
    SecretSample(.squareToken, "", "sq0atp-" + r40.prefix(22)),
    SecretSample(.linearKey, "", "lin_api_" + r40),
    SecretSample(.newRelicKey, "", "NRAK-" + "Q7ZT3VW9KXB2MN5PRS8YD4FGHJ6"),
    SecretSample(.atlassianToken, "", "ATATT3" + r40 + r40 + r40 + "=9A8B7C6D"),
    SecretSample(.vaultToken, "", "hvs." + r40), SecretSample(.dopplerToken, "", "dp.pt." + r40),
    SecretSample(.ageKey, "", "AGE-SECRET-KEY-1" + (hex + hex).uppercased().prefix(58)),
    SecretSample(
      .privateKey, "-----BEGIN RSA PRIVATE" + " KEY-----", "\n" + r40 + r40 + "\n",
      "-----END RSA PRIVATE KEY-----"),
    SecretSample(.sessionCookie, "sessionid=", r40),
    SecretSample(.urlCredentials, "https://ada:", password, "@shop.test/x"),
    SecretSample(.password, "password=", password),
    SecretSample(.namedSecret, "client_secret=", r40),
  ].map { $0.kind == .basicCredentials ? $0.asCredentials : $0 }

  private var asCredentials: SecretSample {
    SecretSample(kind: kind, text: "Basic " + Samples.base64("ada:" + value), value: value)
  }

  private init(kind: SecretKind, text: String, value: String) {
    (self.kind, self.text, self.value) = (kind, text, value)
  }
}

/// An encoding of a text inside another text.
enum SampleEncoding: String, CaseIterable, Sendable {
  case plain, percent, percentTwice, form, json, jsonInJSON, base64, base64URL, base64Shifted
  case escapedForICU, escapedForPython, quotation, classes, references, base64Percent

  func encode(_ text: String) -> String {
    func percent(_ text: String) -> String {
      text.utf8.map { byte in
        ByteSetForTests.isPlain(byte)
          ? String(UnicodeScalar(byte)) : "%" + String(format: "%02X", byte)
      }.joined()
    }
    func json(_ text: String) -> String { String(SecretCase.quoted(text).dropFirst().dropLast()) }
    switch self {
    case .plain: return text
    case .percent: return percent(text)
    case .percentTwice: return percent(percent(text))
    case .form: return "a=b&c=" + percent(text).replacing("%20", with: "+")
    case .json: return "{\"a\":\"" + json(text) + "\"}"
    case .jsonInJSON: return "{\"a\":\"" + json("{\"b\":\"" + json(text) + "\"}") + "\"}"
    case .base64: return Samples.base64("here: " + text + " .")
    case .base64URL: return Samples.base64URL("here: " + text + " .")
    case .base64Shifted: return "x " + Samples.base64("here:\t" + text)
    case .escapedForICU: return "^" + NSRegularExpression.escapedPattern(for: text) + "$"
    case .escapedForPython:
      return text.unicodeScalars.map { scalar in
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_"
          ? String(scalar) : "\\" + String(scalar)
      }.joined()
    case .quotation: return "^\\Q" + text + "\\E$"
    case .classes:
      return text.map { $0 == "." || $0 == "-" || $0 == "+" ? "[\($0)]" : String($0) }.joined()
    case .references:
      return text.unicodeScalars.map { scalar in
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          ? String(scalar) : "&#\(scalar.value);"
      }.joined()
    case .base64Percent: return percent(Samples.base64("here: " + text + " ."))
    }
  }
}

private enum ByteSetForTests {
  static func isPlain(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}

/// A place of a document that can contain any text.
enum SamplePlace: String, CaseIterable, Sendable {
  case header, cookie, location, json, member, text, base64, binaryEqualTo, matches, queryParameter
  case path, form, capture, headerName, queryName, key, summary, tag, userInfo, xml, variables

  /// Whether the text is a name at this place.
  var isName: Bool {
    [.member, .capture, .headerName, .queryName, .key].contains(self)
  }

  /// The document with the text at the place; nil if the text is not valid there.
  func document(with text: String) -> String? {
    let isLine = !text.unicodeScalars.contains { $0.value < 0x20 }
    let isToken = text.utf8.allSatisfy {
      ByteSetForTests.isPlain($0) || "!#$%&'*+-.^_`|~".utf8.contains($0)
    }
    let quoted = SecretCase.quoted(text)
    func stub(_ members: String) -> String {
      #"{"scenario":"a/b","stubs":[{"key":"k",\#(members)}]}"#
    }
    func response(_ members: String) -> String { stub(#""responses":[{\#(members)}]"#) }
    func request(_ members: String) -> String { stub(#""request":{\#(members)}"#) }
    switch self {
    case .header: return isLine ? response(#""headers":{"X-A":\#(quoted)}"#) : nil
    case .cookie:
      return isLine
        ? response(#""headers":{"Set-Cookie":\#(SecretCase.quoted("a=" + text + "; Path=/"))}"#)
        : nil
    case .location:
      return isLine
        ? response(#""headers":{"Location":\#(SecretCase.quoted("/x?a=" + text))}"#) : nil
    case .json: return response(#""json":{"x":[\#(quoted)]}"#)
    case .member: return response(#""json":{"x":{\#(quoted):1}}"#)
    case .text: return response(#""text":\#(SecretCase.quoted("see " + text + " there"))"#)
    case .base64:
      return response(#""base64":"\#(Samples.base64("\u{0}" + text + "\u{0}"))""#)
    case .binaryEqualTo:
      return request(#""body":{"binaryEqualTo":"\#(Samples.base64("see " + text))"}"#)
    case .matches: return request(#""headers":{"X-A":{"matches":\#(quoted)}}"#)
    case .queryParameter: return request(#""query":{"a":\#(quoted)}"#)
    case .path: return isToken ? request(#""url":"/x/\#(text)/y""#) : nil
    case .form: return request(#""body":{"form":{"a":\#(quoted)}}"#)
    case .capture:
      return stub(#""capture":{\#(quoted):{"query":"a"}}"#)
    case .headerName: return isToken ? request(#""headers":{\#(quoted):"a"}"#) : nil
    case .queryName: return request(#""query":{\#(quoted):"a"}"#)
    case .key:
      return isLine && text.count < 200 ? #"{"scenario":"a/b","stubs":[{"key":\#(quoted)}]}"# : nil
    case .summary: return isLine ? stub(#""summary":\#(quoted)"#) : nil
    case .tag: return isLine ? #"{"scenario":"a/b","tags":[\#(quoted)],"stubs":[]}"# : nil
    case .userInfo:
      return response(#""error":{"domain":"d","code":1,"userInfo":{"a":\#(quoted)}}"#)
    case .xml:
      return request(#""body":{"equalToXml":\#(SecretCase.quoted("<a>" + text + "</a>"))}"#)
    case .variables: return request(#""body":{"graphql":{"variables":{"a":\#(quoted)}}}"#)
    }
  }
}
