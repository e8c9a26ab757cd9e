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
  /// whose names HTTP does not allow are left out.
  public init(_ response: HTTPURLResponse, content: Data = Data()) {
    var headers = HTTPFields()
    for (name, value) in response.allHeaderFields {
      guard let name = name as? String, let value = value as? String,
        let field = HTTPField.Name(name)
      else { continue }
      headers.append(HTTPField(name: field, value: value))
    }
    self.init(
      status: response.statusCode, headers: headers, body: content.isEmpty ? nil : .data(content))
  }

  /// Makes a loading error.
  public static func error(_ code: URLError.Code) -> StubResponse {
    StubResponse(error: ResponseError(domain: NSURLErrorDomain, code: code.rawValue))
  }
}
