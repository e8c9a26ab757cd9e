#if canImport(Testing)
  public import StubDB
  import StubDBModel
  import Testing

  #if canImport(FoundationNetworking)
    public import FoundationNetworking
  #else
    public import Foundation
  #endif

  extension StubInterceptor {
    /// The interceptor of the running test case, from the trait `.scenario` or `.interceptor`.
    ///
    /// The test's task and its child tasks see it; other threads and detached tasks do not. Without an interceptor, an
    /// issue is recorded at the caller's line, and the interceptor returned fails every request.
    public static var current: StubInterceptor {
      CurrentScope.valueOrNothing(for: "StubInterceptor.current").interceptor
    }
  }

  extension URLSession {
    /// A session that the scenario of the running test case answers, the same one throughout the case.
    ///
    /// Without a scenario, an issue is recorded at the caller's line, and every request of the session fails.
    public static var stubbed: URLSession {
      CurrentScope.valueOrNothing(for: "URLSession.stubbed").session
    }
  }

  extension CurrentScope {
    /// An interceptor that fails every request, for code that asks for one outside a scenario.
    private static let nothing: CurrentScope = {
      var options = PlaybackOptions()
      options.refusal =
        "Nothing answers this request: its session was taken where no scenario is, as the test reports."
      return CurrentScope(StubInterceptor(playing: nil, options: options))
    }()

    fileprivate static func valueOrNothing(for what: String) -> CurrentScope {
      if let value { return value }
      let message: Comment = """
        \(what) is used where no scenario is. Add the trait .scenario("area/situation") to the test or its suite, or \
        .interceptor for closures alone; in a detached task or on another thread, take it in the test and hand it over.
        """
      if let place = CallerPlace.find() ?? Test.current?.sourceLocation {
        Issue.record(message, sourceLocation: place)
      } else {
        Issue.record(message)
      }
      return nothing
    }
  }
#endif
