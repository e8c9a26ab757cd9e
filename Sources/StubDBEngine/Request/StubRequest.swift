public import Foundation
public import HTTPTypes
public import StubDBJSON
internal import StubDBSupport

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
  /// What the client calls what it asks for, such as the `operationId` of a description; nil if it has no name.
  public var operation: String?

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

  /// Hashes no values of header fields, whose hash in swift-http-types 1.8 differs for some that are equal.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(method)
    hasher.combine(url)
    hasher.combine(headers.count)
    hasher.combine(body)
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
public struct RequestBody: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case bytes(Data)
    case unknown(reason: String)
  }

  package let kind: Kind

  /// The whole content; empty if the request has none.
  public static func bytes(_ content: Data) -> RequestBody { RequestBody(kind: .bytes(content)) }

  /// There is or may be content that cannot be read; the reason is the end of a sentence.
  ///
  /// This differs from empty content: a pattern that examines the content does not match.
  public static func unknown(reason: String) -> RequestBody {
    RequestBody(kind: .unknown(reason: reason))
  }
}

extension StubRequest {
  /// The method, the URL without secrets, and the operation, in one line for reports.
  package var title: String {
    "\(method) \(TextExcerpt.plain(SecretDisplay.text(url)))"
      + (operation.map { " (\(TextExcerpt.plain($0)))" } ?? "")
  }

  /// The content; nil if it cannot be read.
  ///
  /// Empty if the request has none.
  public var content: Data? {
    guard case .bytes(let content) = body.kind else { return nil }
    return content
  }

  /// The content as text; nil if it cannot be read or is not UTF-8.
  public var text: String? { content.flatMap { String(strictUTF8: $0) } }

  /// The content as a JSON value.
  ///
  /// - Throws: ``RequestContentError`` if the content cannot be read or is not JSON.
  public func json() throws(RequestContentError) -> JSONValue {
    do {
      return try JSONValue(parsing: try knownContent())
    } catch let error as RequestContentError {
      throw error
    } catch {
      throw contentError("is not JSON: \(error)")
    }
  }

  /// The content, decoded from JSON.
  ///
  /// - Throws: ``RequestContentError`` if the content cannot be read or decoded as that type.
  public func decoded<Value: Decodable>(
    as type: Value.Type = Value.self, with decoder: JSONDecoder = JSONDecoder()
  ) throws(RequestContentError) -> Value {
    let content = try knownContent()
    do {
      return try decoder.decode(type, from: content)
    } catch {
      throw contentError("cannot be decoded as \(type): \(error)")
    }
  }

  private func knownContent() throws(RequestContentError) -> Data {
    switch body.kind {
    case .bytes(let content): return content
    case .unknown(let reason): throw contentError("is not known: \(reason)")
    }
  }

  private func contentError(_ problem: String) -> RequestContentError {
    RequestContentError(description: "the content of \(method) \(url) \(problem)")
  }
}

/// Reports that the content of a request does not have the requested form.
public struct RequestContentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The request and the problem, in one sentence.
  public let description: String
}
