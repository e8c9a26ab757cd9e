import Foundation

/// An HTTP archive, as far as a tool that plays one reads it.
///
/// http://www.softwareishard.com/blog/har-12-spec/
struct HAR: Codable {
  struct Log: Codable {
    var version: String
    var creator: Creator
    var entries: [Entry]
  }

  struct Creator: Codable {
    var name: String
    var version: String
  }

  struct Entry: Codable {
    var startedDateTime: String
    var time: Double
    var request: Request
    var response: Response
    var cache: [String: String]
    var timings: [String: Double]
  }

  struct Request: Codable {
    var method: String
    var url: String
    var httpVersion: String
    var cookies: [NamedValue]
    var headers: [NamedValue]
    var queryString: [NamedValue]
    var headersSize: Int
    var bodySize: Int
  }

  struct Response: Codable {
    var status: Int
    var statusText: String
    var httpVersion: String
    var cookies: [NamedValue]
    var headers: [NamedValue]
    var content: Content
    var redirectURL: String
    var headersSize: Int
    var bodySize: Int
  }

  struct Content: Codable {
    var size: Int
    var mimeType: String
    var text: String
  }

  struct NamedValue: Codable {
    var name: String
    var value: String
  }

  var log: Log

  /// The workload as one archive.
  static func text(stubs count: Int, bodyByteCount: Int) throws -> Data {
    let entries = (0..<count).map { index in
      let body = Workload.bodyText(index, byteCount: bodyByteCount)
      return Entry(
        startedDateTime: "2026-01-01T00:00:00.000Z", time: 12,
        request: Request(
          method: "GET", url: Workload.url(index), httpVersion: "HTTP/1.1", cookies: [],
          headers: [NamedValue(name: "Accept", value: "application/json")], queryString: [],
          headersSize: -1, bodySize: 0),
        response: Response(
          status: 200, statusText: "OK", httpVersion: "HTTP/1.1", cookies: [],
          headers: [NamedValue(name: "Content-Type", value: "application/json")],
          content: Content(size: body.utf8.count, mimeType: "application/json", text: body),
          redirectURL: "", headersSize: -1, bodySize: body.utf8.count),
        cache: [:], timings: ["send": 1, "wait": 10, "receive": 1])
    }
    let log = Log(
      version: "1.2", creator: Creator(name: "stubdb-benchmarks", version: "1"), entries: entries)
    return try JSONEncoder().encode(HAR(log: log))
  }
}
