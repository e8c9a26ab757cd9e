import Foundation

/// An HTTP archive with every field of HAR 1.2, as a library that plays archives declares it.
///
/// http://www.softwareishard.com/blog/har-12-spec/
struct HAR: Codable {
  struct Log: Codable {
    var version: String
    var creator: Creator
    var browser: Creator?
    var pages: [Page]?
    var entries: [Entry]
    var comment: String?
  }

  struct Creator: Codable {
    var name: String
    var version: String
    var comment: String?
  }

  struct Page: Codable {
    var startedDateTime: Date
    var id: String
    var title: String
    var comment: String?
  }

  struct Entry: Codable {
    var pageref: String?
    var startedDateTime: Date
    var time: Double
    var request: Request
    var response: Response
    var cache: Cache
    var timings: Timings
    var serverIPAddress: String?
    var connection: String?
    var comment: String?
  }

  struct Request: Codable {
    var method: String
    var url: String
    var httpVersion: String
    var cookies: [Cookie]
    var headers: [NamedValue]
    var queryString: [NamedValue]
    var postData: PostData?
    var headersSize: Int
    var bodySize: Int
    var comment: String?
  }

  struct PostData: Codable {
    var mimeType: String
    var params: [NamedValue]?
    var text: String?
    var comment: String?
  }

  struct Response: Codable {
    var status: Int
    var statusText: String
    var httpVersion: String
    var cookies: [Cookie]
    var headers: [NamedValue]
    var content: Content
    var redirectURL: String
    var headersSize: Int
    var bodySize: Int
    var comment: String?
  }

  struct Content: Codable {
    var size: Int
    var compression: Int?
    var mimeType: String
    var text: String?
    var encoding: String?
    var comment: String?
  }

  struct Cookie: Codable {
    var name: String
    var value: String
    var path: String?
    var domain: String?
    var expires: Date?
    var httpOnly: Bool?
    var secure: Bool?
    var comment: String?
  }

  struct NamedValue: Codable {
    var name: String
    var value: String
    var comment: String?
  }

  struct Cache: Codable {
    var comment: String?
  }

  struct Timings: Codable {
    var blocked: Double?
    var dns: Double?
    var connect: Double?
    var send: Double
    var wait: Double
    var receive: Double
    var ssl: Double?
    var comment: String?
  }

  var log: Log

  static func decode(_ data: Data) throws -> HAR {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(HAR.self, from: data)
  }

  /// The workload as one archive.
  static func text(stubs count: Int, bodyByteCount: Int) throws -> Data {
    let entries = (0..<count).map { index in
      let body = Workload.bodyText(index, byteCount: bodyByteCount)
      return Entry(
        startedDateTime: Date(timeIntervalSince1970: 1_767_225_600), time: 12,
        request: Request(
          method: "GET", url: Workload.url(index), httpVersion: "HTTP/1.1", cookies: [],
          headers: [NamedValue(name: "Accept", value: "application/json")], queryString: [],
          headersSize: -1, bodySize: 0),
        response: Response(
          status: 200, statusText: "OK", httpVersion: "HTTP/1.1", cookies: [],
          headers: [NamedValue(name: "Content-Type", value: "application/json")],
          content: Content(size: body.utf8.count, mimeType: "application/json", text: body),
          redirectURL: "", headersSize: -1, bodySize: body.utf8.count),
        cache: Cache(), timings: Timings(send: 1, wait: 10, receive: 1))
    }
    let log = Log(
      version: "1.2", creator: Creator(name: "stubdb-benchmarks", version: "1"), entries: entries)
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    return try encoder.encode(HAR(log: log))
  }
}
