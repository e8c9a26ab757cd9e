package import Foundation
package import StubDBModel
package import StubDBPlayback

/// Has the runs of a program recorded, and writes the journals of failing tests.
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

  package static func journal(of player: Player, test: String?, problems: [String]) -> Data {
    let text = JournalWriter.text(
      of: player, test: test, problems: problems,
      environment: ProcessInfo.processInfo.environment)
    return Data(text.utf8)
  }
}
