import Foundation
import StubDBTestSupport

/// An empty folder that is removed with its owner.
final class TemporaryFolder: Sendable {
  let url: URL

  init() {
    url = (try? makeTemporaryFolder()) ?? FileManager.default.temporaryDirectory
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}
