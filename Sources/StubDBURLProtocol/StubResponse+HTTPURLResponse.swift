public import Foundation
import HTTPTypes
public import StubDBModel

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension StubResponse {
  /// Makes a response from a Foundation response and its content.
  ///
  /// Status and header fields are copied; the URL is that of the answered request. Fields with names that HTTP does not
  /// allow are dropped, and all fields if there are more than a thousand.
  public init(_ response: HTTPURLResponse, content: Data = Data()) {
    self.init(
      status: response.statusCode,
      headers: HTTPFields(foundationFields: response.allHeaderFields) ?? HTTPFields(),
      body: content.isEmpty ? nil : .data(content))
  }

  /// Makes a URL loading error.
  public static func error(_ code: URLError.Code) -> StubResponse {
    StubResponse(error: ResponseError(domain: NSURLErrorDomain, code: code.rawValue))
  }
}
