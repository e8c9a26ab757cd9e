public import Foundation
public import HTTPTypes

/// A request as the engine sees it.
public struct StubRequest: Hashable, Sendable {
  /// The method, case-sensitive.
  public var method: String
  /// The URL as text: absolute, or beginning with `/` if scheme and host are unknown.
  public var url: String
  /// The header fields; fields of one name keep their order.
  public var headers: HTTPFields
  /// The content.
  public var body: RequestBody

  /// Makes a request; without arguments but the URL a `GET` without header fields or content.
  public init(
    method: String = "GET", url: String, headers: HTTPFields = [:],
    body: RequestBody = .bytes(Data())
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

extension HTTPFields {
  /// The value of the header fields with a name, ignoring case; nil if there are none.
  ///
  /// Several fields of one name are joined with commas, `Cookie` fields with semicolons. An invalid name gives nil. If
  /// another module declares the same subscript, that one is used.
  @_disfavoredOverload
  public subscript(name: String) -> String? {
    HTTPField.Name(name).flatMap { self[$0] }
  }
}

/// The content of a request, as far as it is known.
public enum RequestBody: Hashable, Sendable {
  /// The whole content; empty if the request has none.
  case bytes(Data)
  /// There is or may be content that cannot be read; the reason is the end of a sentence.
  ///
  /// This differs from empty content: a pattern that examines the content does not match.
  case unknown(reason: String)
}
