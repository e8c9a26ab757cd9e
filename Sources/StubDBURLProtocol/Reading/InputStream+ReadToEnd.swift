import Foundation

extension InputStream {
  /// Reads what the stream holds, opening and closing it.
  ///
  /// - Throws: the stream's own error.
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
