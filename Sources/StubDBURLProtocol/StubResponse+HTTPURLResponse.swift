public import Foundation
import HTTPTypes
public import StubDBModel

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension StubResponse {
  /// Makes a response that says what a Foundation response and its content say.
  ///
  /// Status and header fields are taken over; the URL is that of the request which is answered. Fields
  /// whose names HTTP does not allow are left out, and all of them where there are more than a thousand.
  public init(_ response: HTTPURLResponse, content: Data = Data()) {
    self.init(
      status: response.statusCode,
      headers: HTTPFields(foundationFields: response.allHeaderFields) ?? HTTPFields(),
      body: content.isEmpty ? nil : .data(content))
  }

  /// Makes a loading error.
  public static func error(_ code: URLError.Code) -> StubResponse {
    StubResponse(error: ResponseError(domain: NSURLErrorDomain, code: code.rawValue))
  }
}
