package import StubDBModel
package import StubDBPlayback

/// Has the runs of a program recorded.
///
/// Interceptors look this class up by its name, so a program that is linked with this module can record without a call.
package final class RecorderMaker: RunTapMaker {
  package static func tap(
    for scenario: ScenarioName, mode: RecordMode, catalog path: String
  ) throws -> any RunTap {
    RunRecorder(
      scenario, mode: mode, catalog: path, writer: try DraftWriter.shared(forCatalog: path))
  }
}
