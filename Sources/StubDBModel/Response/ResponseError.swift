public import StubDBJSON

/// An error that a client gets in place of a response, or after a part of one.
public struct ResponseError: Hashable, Sendable {
  /// The error domain, such as `NSURLErrorDomain`.
  public var domain: String
  /// The code in that domain.
  public var code: Int
  /// Other information about the error; values are JSON.
  public var userInfo: [String: JSONValue]

  /// Makes an error.
  public init(domain: String, code: Int, userInfo: [String: JSONValue] = [:]) {
    self.domain = domain
    self.code = code
    self.userInfo = userInfo
  }

  /// Makes a URL loading error by its name, such as `notConnectedToInternet`; nil for an unknown name.
  public init?(urlErrorName name: String) {
    guard let code = URLErrorNames.code(named: name) else { return nil }
    self.init(domain: URLErrorNames.domain, code: code)
  }
}
