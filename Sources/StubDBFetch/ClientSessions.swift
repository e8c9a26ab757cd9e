import Foundation
import StubDBSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The sessions of a program that asks other machines: they keep no cookies or credentials, and cache nothing.
final class ClientSessions: Sendable {
  private let timeout: TimeInterval?
  private let shared = Locked(URLSession?.none)

  /// - Parameter timeout: The most seconds that a request may take in all; nil for as long as it needs.
  init(timeout: TimeInterval? = nil) {
    self.timeout = timeout
  }

  /// Runs a closure with the session for a request, of which one with content has its own on Linux.
  ///
  /// If a server ends a connection that was kept for the next request, libcurl sends the request again over a new one,
  /// and Foundation 6.3 on Linux leaves out what it has sent of the content: the server waits for the rest, and the client
  /// for the answer. The first request of a session has a new connection. `anUploadDoesNotUseAConnectionThatWasKept`
  /// shows when this can go.
  func withSession<Value: Sendable>(
    hasContent: Bool, delegate: any URLSessionDelegate, _ body: (URLSession) async -> Value
  ) async -> Value {
    #if canImport(FoundationNetworking)
      if hasContent {
        let own = made(delegate)
        defer { own.finishTasksAndInvalidate() }
        return await body(own)
      }
    #endif
    return await body(opened(delegate))
  }

  private func opened(_ delegate: any URLSessionDelegate) -> URLSession {
    shared.withLock { session in
      if let session { return session }
      let made = made(delegate)
      session = made
      return made
    }
  }

  private func made(_ delegate: any URLSessionDelegate) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCredentialStorage = nil
    if let timeout { configuration.timeoutIntervalForResource = timeout }
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }
}

extension URLAuthenticationChallenge {
  /// Whether a server asks for credentials of a user, which are refused.
  ///
  /// With default handling the task never ends on Linux.
  /// https://github.com/swiftlang/swift-corelibs-foundation/issues/5457
  var asksForCredentials: Bool {
    [
      NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
      NSURLAuthenticationMethodDefault, NSURLAuthenticationMethodNTLM,
      NSURLAuthenticationMethodNegotiate,
    ].contains(protectionSpace.authenticationMethod)
  }
}
