#if canImport(Testing)
  import StubDBCatalog
  import StubDBModel
  internal import StubDBPlayback
  import StubDBSupport
  public import StubDBURLProtocol
  import Testing

  #if os(Linux) && canImport(Runtime)
    import Runtime
  #endif
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
        "This request has no stubs: its session was created outside a scenario "
        + "(see the issue recorded in the test)."
      return CurrentScope(StubInterceptor(playing: nil, options: options))
    }()

    fileprivate static func valueOrNothing(for what: String) -> CurrentScope {
      if let value { return value }
      let message: Comment = """
        \(what) was used outside a scenario. Add the trait .scenario("area/situation") to the test or its suite, or \
        .interceptor for closures alone; in a detached task or on another thread, read it in the test and pass it on.
        """
      if let place = CallerPlace.find() ?? Test.current?.sourceLocation {
        Issue.record(message, sourceLocation: place)
      } else {
        Issue.record(message)
      }
      return nothing
    }
  }

  /// The interceptor of the running test case, and its session.
  package final class CurrentScope: Sendable {
    @TaskLocal package static var value: CurrentScope?

    let interceptor: StubInterceptor
    private let madeSession = Locked(URLSession?.none)

    package init(_ interceptor: StubInterceptor) {
      self.interceptor = interceptor
    }

    /// One for the whole case, so that cookies last as long as it does.
    ///
    /// Made only when it is asked for: on Linux each session has two sockets open.
    var session: URLSession {
      madeSession.withLock { made in
        if let made { return made }
        let session = interceptor.urlSession()
        made = session
        return session
      }
    }
  }

  /// Finds the line of a test that reads a property, since a property cannot have a `#line` argument.
  enum CallerPlace {
    #if os(Linux) && canImport(Runtime)
      /// The nearest line on the stack outside this module; nil if the program has no debug information.
      ///
      /// Takes some milliseconds.
      static func find() -> SourceLocation? {
        let ownFolder = Self.ownFolder
        guard let stack = try? Backtrace.capture(limit: 32, top: 0),
          let frames = stack.symbolicated(options: [.showSourceLocations])?.frames
        else { return nil }
        for frame in frames {
          guard let place = frame.symbol?.sourceLocation, place.path.hasSuffix(".swift"),
            !place.path.hasPrefix(ownFolder), place.line > 0
          else { continue }
          return SourceLocation(
            fileID: place.path.split(separator: "/").suffix(2).joined(separator: "/"),
            filePath: place.path, line: place.line, column: max(1, place.column))
        }
        return nil
      }

      /// The folder of this module's sources, with a trailing slash.
      private static var ownFolder: String {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast().joined(separator: "/") + "/"
      }
    #else
      /// Nil, because this system cannot resolve lines while a program runs.
      static func find() -> SourceLocation? { nil }
    #endif
  }
#endif
