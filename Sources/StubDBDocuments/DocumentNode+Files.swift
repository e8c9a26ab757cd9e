internal import Foundation
internal import StubDBModel
internal import StubDBSupport

extension DocumentNode {
  /// The content of the file, as text if it is text.
  func fileContent(
    _ readFile: (String) throws -> Data
  ) throws(DocumentError) -> ResponseBody {
    let path = try filledString("the file name")
    let data: Data
    do {
      data = try readFile(path)
    } catch {
      let reason = error is CocoaError ? error.localizedDescription : "\(error)"
      throw failure(.unreadableFile, "cannot read the file \"\(path)\": \(reason)")
    }
    if !data.contains(0), let text = String(strictUTF8: data) { return .text(text) }
    return .data(data)
  }
}
