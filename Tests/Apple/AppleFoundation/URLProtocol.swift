// Names and forms are those of the systems that are stood in for.
// swift-format-ignore-file

@_exported public import FoundationNetworking
public import Foundation

/// As documented for Apple's systems, where the initializer is not `required` and the class is not `Sendable`.
///
/// https://developer.apple.com/documentation/foundation/urlprotocol
open class URLProtocol: NSObject {
  public let request: URLRequest
  public let cachedResponse: CachedURLResponse?
  public let client: (any URLProtocolClient)?
  /// Made by the system; a check sets it.
  public var task: URLSessionTask?

  public init(
    request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
  ) {
    self.request = request
    self.cachedResponse = cachedResponse
    self.client = client
  }

  open class func canInit(with request: URLRequest) -> Bool { false }
  open class func canInit(with task: URLSessionTask) -> Bool { false }
  open class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  open class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool { false }
  open func startLoading() {}
  open func stopLoading() {}

  @discardableResult
  open class func registerClass(_ protocolClass: AnyClass) -> Bool { true }
  open class func unregisterClass(_ protocolClass: AnyClass) {}
}

/// https://developer.apple.com/documentation/foundation/urlprotocolclient
public protocol URLProtocolClient: NSObjectProtocol {
  func urlProtocol(
    _ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse)
  func urlProtocol(
    _ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse)
  func urlProtocol(
    _ protocol: URLProtocol, didReceive response: URLResponse,
    cacheStoragePolicy policy: URLCache.StoragePolicy)
  func urlProtocol(_ protocol: URLProtocol, didLoad data: Data)
  func urlProtocolDidFinishLoading(_ protocol: URLProtocol)
  func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error)
  func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge)
  func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge)
}
