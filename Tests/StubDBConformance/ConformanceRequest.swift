public import Foundation
public import HTTPTypes

/// One request of a conformance case.
public struct ConformanceRequest: Sendable {
  /// The content of a request.
  public enum Body: Sendable {
    /// Bytes; empty for no content.
    case bytes(Data)
    /// Content that cannot be read, which only the engine supports.
    case unknown
  }

  /// The method.
  public var method: String
  /// The URL as text.
  public var url: String
  /// The header fields in order.
  public var headers: [(name: String, value: String)]
  /// The content.
  public var body: Body
  /// Whether a URLSession client can send exactly this request.
  public var isSendable = true

  /// A `GET` without content.
  public static func get(
    _ url: String, _ headers: KeyValuePairs<String, String> = [:]
  ) -> ConformanceRequest {
    send("GET", url, headers)
  }

  /// A request of any method, with text as content.
  public static func send(
    _ method: String, _ url: String, _ headers: KeyValuePairs<String, String> = [:],
    _ text: String = ""
  ) -> ConformanceRequest {
    ConformanceRequest(
      method: method, url: url, headers: headers.map { ($0.key, $0.value) },
      body: .bytes(Data(text.utf8)))
  }

  /// A `POST` of text to any URL.
  public static func post(_ text: String) -> ConformanceRequest {
    send("POST", "https://a.test/", [:], text)
  }

  /// A `POST` of bytes to any URL.
  public static func post(bytes: [UInt8]) -> ConformanceRequest {
    var request = post("")
    request.body = .bytes(Data(bytes))
    return request
  }

  /// A `POST` whose content cannot be read.
  public static var postUnknown: ConformanceRequest {
    var request = post("").forEngineOnly
    request.body = .unknown
    return request
  }

  /// The same request, marked as one that a URLSession client cannot send unchanged.
  public var forEngineOnly: ConformanceRequest {
    var copy = self
    copy.isSendable = false
    return copy
  }
}

extension ConformanceRequest {
  /// The same for swift-http-types, without its content; nil if that cannot represent it.
  public var httpRequest: HTTPRequest? {
    guard let method = HTTPRequest.Method(rawValue: method) else { return nil }
    var fields = HTTPFields()
    for (name, value) in headers {
      guard let name = HTTPField.Name(name) else { return nil }
      fields.append(HTTPField(name: name, value: value))
    }
    guard let colon = url.range(of: "://") else { return nil }
    let rest = url[colon.upperBound...]
    let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
    let target = String(rest[end...].prefix { $0 != "#" })
    return HTTPRequest(
      method: method, scheme: String(url[..<colon.lowerBound]), authority: String(rest[..<end]),
      path: target.hasPrefix("/") ? target : "/" + target, headerFields: fields)
  }
}
