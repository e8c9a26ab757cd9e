import AppleFoundation
import Foundation

/// What a protocol said, where, in order.
final class ScriptedClient: NSObject, URLProtocolClient {
  enum Call: Equatable {
    case redirect(String)
    case response(Int)
    case content(String)
    case finish
    case failure(Int)
    case other
  }

  private(set) var calls: [Call] = []
  /// Whether all of them came on the thread that the client was made on.
  private(set) var isOnOneThread = true
  private let thread = Thread.current
  /// Whether the loader follows a redirect, and so stops the instance that reports it.
  var followsRedirects = true

  /// Whether the answer is complete.
  var isOver: Bool {
    switch calls.last {
    case .finish, .failure: true
    case .redirect: followsRedirects
    default: false
    }
  }

  private func note(_ call: Call) {
    calls.append(call)
    isOnOneThread = isOnOneThread && Thread.current == thread
    if isOver { CFRunLoopStop(CFRunLoopGetCurrent()) }
  }

  func urlProtocol(
    _ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse
  ) {
    note(.redirect("\(request.httpMethod ?? "") \(request.url?.absoluteString ?? "")"))
    if followsRedirects { `protocol`.stopLoading() }
  }

  func urlProtocol(
    _ protocol: URLProtocol, didReceive response: URLResponse,
    cacheStoragePolicy policy: URLCache.StoragePolicy
  ) {
    note(.response((response as? HTTPURLResponse)?.statusCode ?? 0))
  }

  func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) {
    note(.content(String(decoding: data, as: UTF8.self)))
  }

  func urlProtocolDidFinishLoading(_ protocol: URLProtocol) { note(.finish) }

  func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {
    note(.failure((error as NSError).code))
  }

  func urlProtocol(
    _ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse
  ) { note(.other) }

  func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
    note(.other)
  }

  func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {
    note(.other)
  }
}
