#if Server
import Foundation

/// A certificate that clients have to trust, in a file that is there as long as the value.
final class TrustedFile: Sendable {
  let text: String
  let url: URL

  /// Writes the file into the folder for temporary ones.
  ///
  /// - Throws: ``ServerError`` if it cannot be written.
  init(_ text: String) throws(ServerError) {
    self.text = text
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("stubdb-authority-\(UUID().uuidString).pem")
    do {
      try Data(text.utf8).write(to: url, options: .withoutOverwriting)
    } catch {
      throw ServerError(
        description: "cannot write the certificate of the server to \(url.path): "
          + error.localizedDescription)
    }
  }

  deinit { remove() }

  /// Removes the file, if it is still there.
  func remove() {
    try? FileManager.default.removeItem(at: url)
  }
}
#endif
