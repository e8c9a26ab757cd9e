#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import StubDBModel
  import StubDBPlayback
  import Testing

  @testable import StubDBURLProtocol

  @Suite struct CookieStoragesTests {
    private static func storage() throws -> HTTPCookieStorage {
      try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
    }

    private static func cookie() throws -> HTTPCookie {
      try #require(
        HTTPCookie(properties: [.domain: "h.test", .path: "/", .name: "session", .value: "1"]))
    }

    @Test func aStorageLikeNewIsTakenOnce() throws {
      let storages = CookieStorages()
      let identity = try {
        let storage = try Self.storage()
        storages.add([storage])
        return ObjectIdentifier(storage)
      }()
      let taken = try #require(storages.take())
      #expect(ObjectIdentifier(taken) == identity)
      #expect(storages.take() == nil)
    }

    @Test func aStorageThatSomethingElseRefersToIsNotTaken() throws {
      let storages = CookieStorages()
      var configuration: URLSessionConfiguration? = .ephemeral
      storages.add([try #require(configuration?.httpCookieStorage)])
      #expect(storages.take() == nil)
      configuration = nil
      #expect(storages.take() != nil)
    }

    @Test func aStorageThatWasUsedIsLetGo() throws {
      let storages = CookieStorages()
      try {
        let (withCookie, withPolicy) = (try Self.storage(), try Self.storage())
        withCookie.setCookie(try Self.cookie())
        withPolicy.cookieAcceptPolicy = .never
        storages.add([withCookie, withPolicy])
      }()
      #expect(storages.take() == nil)
    }

    @Test func theOldestAreLetGo() throws {
      let storages = CookieStorages()
      for _ in 0..<100 { storages.add([try Self.storage()]) }
      var taken = 0
      while storages.take() != nil { taken += 1 }
      #expect(taken == 32)
    }

    @Test func aCopiedConfigurationIsLikeAnEphemeralOne() throws {
      CookieStorages.shared.add([try Self.storage()])
      let one = PlatformURLProtocol.makeConfiguration()
      let other = URLSessionConfiguration.ephemeral
      #expect(one.identifier == other.identifier)
      #expect(one.requestCachePolicy == other.requestCachePolicy)
      #expect(one.timeoutIntervalForRequest == other.timeoutIntervalForRequest)
      #expect(one.timeoutIntervalForResource == other.timeoutIntervalForResource)
      #expect(one.httpShouldSetCookies == other.httpShouldSetCookies)
      #expect(one.httpCookieAcceptPolicy == other.httpCookieAcceptPolicy)
      #expect(one.httpMaximumConnectionsPerHost == other.httpMaximumConnectionsPerHost)
      #expect(one.httpAdditionalHeaders == nil && other.httpAdditionalHeaders == nil)
      #expect(one.httpCookieStorage !== other.httpCookieStorage)
    }

    @Test func sessionsOfOneRunHaveStoragesOfTheirOwn() throws {
      for _ in 0..<3 {
        let interceptor = try StubInterceptor(answering(StubResponse()))
        let configurations = (0..<5).map { _ in interceptor.configuration() }
        let storages = configurations.compactMap(\.httpCookieStorage)
        #expect(Set(storages.map { ObjectIdentifier($0) }).count == 5)
        interceptor.end()
        // A run that has ended does not take back what is still in use.
        #expect(interceptor.configuration().httpCookieStorage?.cookies?.isEmpty == true)
      }
    }
  }
#endif
