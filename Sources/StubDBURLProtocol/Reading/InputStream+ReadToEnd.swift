import Foundation

extension InputStream {
  /// Opens the stream, reads all of it, and closes it.
  ///
  /// - Throws: The stream's error.
  func readToEnd() throws -> Data {
    open()
    defer { close() }
    let chunkSize = 65_536
    var content = Data()
    var buffer = [UInt8](repeating: 0, count: chunkSize)
    while true {
      let count = read(&buffer, maxLength: chunkSize)
      if count < 0 { throw streamError ?? URLError(.requestBodyStreamExhausted) }
      if count == 0 { return content }
      content.append(contentsOf: buffer[..<count])
    }
  }
}
