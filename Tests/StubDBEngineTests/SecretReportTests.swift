import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBJSON
import StubDBModel
import StubDBServing
import Testing

@testable import StubDBEngine

/// Secrets of every format and shape, in every part of a request: no report shows them.
@Suite struct SecretReportTests {
  /// Characters that all formats allow in a mixture of letters and digits, from a generator with a seed.
  private static func random(_ count: Int, of set: ByteSet, seed: Int) -> String {
    let allowed = (UInt8(0x30)...0x7A).filter {
      set.contains($0) && ($0.isASCIILetter || $0.isASCIIDigit)
    }
    var state = UInt64(seed) &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let bytes = (0..<count).map { index in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // The first two are a letter and a digit.
      let part = index == 0 ? allowed.filter(\.isASCIILetter) : allowed.filter(\.isASCIIDigit)
      return index < 2
        ? part[Int(state >> 33) % part.count] : allowed[Int(state >> 33) % allowed.count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// One secret of each format, with what has to be gone of it.
  private static let secrets: [String] =
    TokenFormat.all.enumerated().map { index, format in
      String(decoding: format.start, as: UTF8.self)
        + random(format.shortest, of: format.rest, seed: index)
    } + [
      "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0." + random(43, of: .alphanumerics, seed: 91),
      "1029384756:AA" + random(33, of: .alphanumerics, seed: 92),
      Data("104857629384756102".utf8).base64EncodedString() + ".Gq7Zt3."
        + random(38, of: .alphanumerics, seed: 93),
    ]

  private enum Encoding: CaseIterable {
    case plain, percent, percentTwice, base64, escapes

    func encode(_ text: String) -> String {
      switch self {
      case .plain: text
      case .percent: Self.percent(text)
      case .percentTwice: Self.percent(Self.percent(text))
      case .base64: Data("id:\(text)".utf8).base64EncodedString().replacing("=", with: "")
      case .escapes: text.utf8.map { "\\u00" + String($0, radix: 16) }.joined()
      }
    }

    private static func percent(_ text: String) -> String {
      text.utf8.map { "%" + String($0, radix: 16, uppercase: true) }.joined()
    }
  }

  /// A request with a text in a part; nil if the text cannot be there.
  private enum Part: CaseIterable {
    case method, path, lastSegment, fragment, user, query, queryName, named, bearer, header
    case headerName, cookie, json, member, jsonInQuery, form, text, xml, multipart

    func request(with text: String) -> StubRequest? {
      let isToken = text.utf8.allSatisfy {
        $0.isASCIILetter || $0.isASCIIDigit || "!#$%&'*+-.^_`|~".utf8.contains($0)
      }
      let isPlain = isToken && !text.contains("%")
      let quoted = text.replacing("\"", with: "\\\"")
      func post(_ body: String, _ type: String) -> StubRequest {
        StubRequest(
          method: "POST", url: "https://h.test/a", headers: [.contentType: type],
          body: .bytes(Data(body.utf8)))
      }
      func get(_ url: String, _ headers: HTTPFields = [:]) -> StubRequest {
        StubRequest(method: "GET", url: "https://\(url)", headers: headers, body: .bytes(Data()))
      }
      switch self {
      case .method:
        return isPlain
          ? StubRequest(method: text, url: "https://h.test/a", headers: [:], body: .bytes(Data()))
          : nil
      case .path: return get("h.test/v1/\(text)/items")
      case .lastSegment: return get("h.test/unsubscribe/\(text)")
      case .fragment: return get("h.test/a#\(text)")
      case .user: return get("ada:\(text.replacing("/", with: "%2F"))@h.test/a")
      case .query: return get("h.test/a?x=\(text)&y=1")
      case .queryName: return get("h.test/a?\(text)=1")
      case .named: return get("h.test/a?access_token=\(text)")
      case .bearer: return get("h.test/a?z=Bearer%20\(text)")
      case .header: return HTTPField.Name("X-A").map { get("h.test/a", [$0: text]) }
      case .headerName:
        return isPlain ? HTTPField.Name(text).map { get("h.test/a", [$0: "1"]) } : nil
      case .cookie: return get("h.test/a", [.cookie: "a=\(text); b=2"])
      case .json: return post("{\"x\": [\"\(quoted)\"]}", "application/json")
      case .member: return post("{\"x\": {\"\(quoted)\": 1}}", "application/json")
      case .jsonInQuery: return get("h.test/a?x=%7B%22a%22%3A%22\(text)%22%7D")
      case .form: return post("a=b&c=\(text)", "application/x-www-form-urlencoded")
      case .text: return post("see \(text) there", "text/plain")
      case .xml: return post("<a><b>\(text)</b></a>", "application/xml")
      case .multipart:
        return post(
          "--b\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\n\(text)\r\n--b--\r\n",
          "multipart/form-data; boundary=b")
      }
    }
  }

  private static let stubs = """
    [{"key": "s", "request": {"url": "https://h.test/b", "headers": {"X-A": "1"}, "query": {"x": "1"},
      "cookies": {"a": "1"}}},
     {"key": "json", "request": {"method": "POST", "url": "https://h.test/a", "body": {"equalToJson": {"x": 1}}}},
     {"key": "xml", "request": {"method": "POST", "url": "https://h.test/a", "body": {"equalToXml": "<a/>"}}},
     {"key": "form", "request": {"method": "POST", "url": "https://h.test/a", "body": {"form": {"c": "1"}}}},
     {"key": "text", "request": {"method": "POST", "url": "https://h.test/a", "body": {"equalTo": "1"}}}]
    """

  private static func run() throws -> LoadedScenario {
    let document = #"{"scenario": "a", "stubs": \#(stubs)}"#
    let scenario = try ScenarioDocument.decode(Data(document.utf8))
    let sources = scenario.stubs.map { LoadedScenario.Source(origin: scenario.name, stub: $0) }
    return try LoadedScenario(
      name: scenario.name, stubs: sources, catalogDescription: "/shop.stubdb")
  }

  @Test func noSecretOfAnyFormatInAnyPartIsInAReport() throws {
    let loaded = try Self.run()
    for (index, secret) in Self.secrets.enumerated() {
      // As it is, and in one encoding after another.
      for encoding in [.plain, Encoding.allCases[1 + index % (Encoding.allCases.count - 1)]] {
        let text = encoding.encode(secret)
        for part in Part.allCases {
          guard let request = part.request(with: text) else { continue }
          let run = loaded.run()
          guard case .unmatched(let event) = run.respond(to: request) else {
            throw EngineTestFailure.notAnswered
          }
          var report = run.report(on: run.journal[0])
          report.programWords = ["stubdb"]
          let printed = report.text + event.nearMisses.map { "\($0.json.text)" }.joined()
          #expect(!printed.contains(text), "\(part) \(encoding) \(text)\n\(printed)")
          #expect(!printed.contains(secret), "\(part) \(encoding) \(secret)\n\(printed)")
        }
      }
    }
  }
}
