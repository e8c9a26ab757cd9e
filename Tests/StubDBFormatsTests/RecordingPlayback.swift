import Foundation
import HTTPTypes
import StubDBEngine
import StubDBFormats
import StubDBHTTPTypes
import StubDBJSON
import StubDBModel
import Testing

/// A request of a recording, and what was answered to it, written down beside the fixture.
struct RecordedCase {
  var method = "GET"
  var url: String
  var headers: HTTPFields = [:]
  var body = Data()
  var status = 200
  /// The content after decoding; nil where any will do.
  var content: Data?
}

extension ImportRun {
  /// Plays requests through one run of the first scenario, in their order; each must get its recorded answer.
  func play(_ cases: [RecordedCase]) async throws {
    let session = ScenarioSession(try LoadedScenario(try #require(result.scenarios.first)))
    defer { session.end() }
    for recorded in cases {
      let url = try #require(URLComponents(string: recorded.url))
      var request = HTTPRequest(
        method: try #require(HTTPRequest.Method(recorded.method)), scheme: url.scheme,
        authority: url.port.map { "\(url.host ?? ""):\($0)" } ?? url.host,
        path: (url.percentEncodedPath.isEmpty ? "/" : url.percentEncodedPath)
          + (url.percentEncodedQuery.map { "?" + $0 } ?? ""))
      request.headerFields = recorded.headers
      let (content, response) = try await session.upload(for: request, from: recorded.body)
      #expect(response.status.code == recorded.status, "\(recorded.method) \(recorded.url)")
      if let wanted = recorded.content {
        // JSON is kept as a value: the order of members and white space are its own.
        let isSame =
          content == wanted
          || (try? JSONValue(parsing: content)) == (try? JSONValue(parsing: wanted))
            && (try? JSONValue(parsing: wanted)) != nil
        #expect(isSame, "\(recorded.method) \(recorded.url)")
      }
    }
  }
}
