#if canImport(XCTest) && canImport(Darwin) && !os(watchOS)
  public import XCTest

  extension XCUIApplication {
    /// Launches the app with the base URL of a session in its environment.
    ///
    /// The app reads the variable where it was built for debugging. Arguments and other variables stay as they are.
    @MainActor
    public func launch(with session: StubSession, baseURL variable: String = "STUBDB_BASE_URL") {
      launchEnvironment[variable] = session.baseURL.absoluteString
      launch()
    }
  }
#endif
