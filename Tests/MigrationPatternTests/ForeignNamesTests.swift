import ForeignNames
import StubDB
import StubDBHTTPTypes
import StubDBTesting
import Testing

/// The test is that this file compiles: a name that both modules declare could not be written unqualified.
@Suite struct ForeignNamesTests {
  @Test func namesOfAlamofireCanBeWrittenBesideOurs() {
    let foreign: [Any.Type] = [
      AFError.self, Adapter.self, AuthenticationInterceptor<Int>.self, CachedResponseHandler.self,
      ClosureEventMonitor.self, ConnectionLostRetryPolicy.self, DataRequest.self,
      DataResponse<Int, Int>.self, DataStreamRequest.self, DownloadRequest.self, Empty.self,
      (any EventMonitor).self, HTTPHeader.self, HTTPHeaders.self, HTTPMethod.self,
      Interceptor.self, JSONEncoding.self, MultipartFormData.self,
      NetworkReachabilityManager.self, Parameters.self, RedirectHandler.self, Request.self,
      (any RequestAdapter).self, (any RequestInterceptor).self, (any RequestRetrier).self,
      (any ResponseSerializer).self, Retrier.self, RetryPolicy.self, Session.self,
      SessionDelegate.self, StringResponseSerializer.self, UploadRequest.self, URLEncoding.self,
      URLResponseSerializer.self, WebSocketRequest.self,
    ]
    let ours: [Any.Type] = [
      Catalog.self, PlaybackOptions.self, ScenarioSession.self, ServeEvent.self,
      StubInterceptor.self, StubRequest.self, StubResponse.self, UnmatchedPolicy.self,
    ]
    #expect(foreign.count == 35 && ours.count == 8)
  }

  /// `import StubDB` gives the names in its list, and not all that its modules have.
  @Test func namesThatOnlyOurModulesUseAmongThemselvesAreFree() {
    let foreign: [Any.Type] = [
      Outcome.self, Player.self, Recording.self, SearchHit.self, Selection.self,
    ]
    #expect(foreign.allSatisfy { String(reflecting: $0).hasPrefix("ForeignNames.") })
  }
}
