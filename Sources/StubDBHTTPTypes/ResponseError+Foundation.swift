import Foundation
import StubDBJSON
import StubDBModel

extension ResponseError {
  /// The error as Foundation gives it: a `URLError` in its domain.
  var foundationError: any Error {
    let code: URLError.Code? = URLError.Code(rawValue: code)
    let userInfo = userInfo.mapValues(\.foundationValue)
    guard domain == NSURLErrorDomain, let code else {
      return NSError(domain: domain, code: self.code, userInfo: userInfo)
    }
    return URLError(code, userInfo: userInfo)
  }
}
