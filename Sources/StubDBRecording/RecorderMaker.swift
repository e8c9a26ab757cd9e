package import StubDBModel
package import StubDBPlayback

/// Has the runs of a program recorded.
///
/// Interceptors look this class up by its name, so a program that is linked with this module can record without a call.
package final class RecorderMaker: RunTapMaker {
  /// Does nothing; whoever calls it is linked with this class, also where the module is a static library.
  package static func link() {}

  package static func tap(
    for scenario: ScenarioName, mode: RecordMode, catalog path: String
  ) throws -> any RunTap {
    RunRecorder(
      scenario, mode: mode, catalog: path, writer: try DraftWriter.shared(forCatalog: path))
  }
}
