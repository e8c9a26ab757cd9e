#if canImport(Testing)
  public import StubDBCatalog
  public import StubDBModel
  public import StubDBPlayback
  import StubDBRecording
  public import StubDBTesting
  public import Testing

  extension Trait where Self == ScenarioTrait {
    /// Gives each test case a run of the scenario of its own, and records what the real network answers in its place.
    ///
    /// `record` counts in place of the mode in the options; otherwise as the trait of StubDBTesting without `record`.
    public static func scenario(
      _ name: some ScenarioNaming, catalog: String? = nil,
      options: PlaybackOptions = PlaybackOptions(), record: RecordMode,
      filePath: String = #filePath
    ) -> Self {
      RecorderMaker.link()
      return .scenario(
        name, catalog: catalog, options: options.recording(record), filePath: filePath)
    }

    /// Gives each test case a run of the scenario of an open catalog, and records what the real network answers in its place.
    ///
    /// `record` counts in place of the mode in the options.
    public static func scenario(
      _ name: some ScenarioNaming, catalog: Catalog, options: PlaybackOptions = PlaybackOptions(),
      record: RecordMode
    ) -> Self {
      RecorderMaker.link()
      return .scenario(name, catalog: catalog, options: options.recording(record))
    }
  }
#endif
