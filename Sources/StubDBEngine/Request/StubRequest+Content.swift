public import Foundation
public import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

extension StubRequest {
  /// The content; nil if it cannot be read.
  ///
  /// Empty if the request has none.
  public var content: Data? {
    guard case .bytes(let content) = body else { return nil }
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
    switch body {
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
