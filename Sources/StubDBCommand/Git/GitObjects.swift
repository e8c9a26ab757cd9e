import Foundation

/// Reads objects of a repository one after another through one process.
///
/// https://git-scm.com/docs/git-cat-file#_batch_output
final class GitObjects {
  private let process: Process
  private let input = Pipe()
  private let output = Pipe()
  private var buffer = Data()

  init(_ git: GitCommand) throws {
    process = git.process(["cat-file", "--batch"])
    process.standardInput = input
    process.standardOutput = output
    try git.start(process)
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The content of an object; nil if it is missing, as in a shallow clone.
  func bytes(of id: String) throws -> Data? {
    try input.fileHandleForWriting.write(contentsOf: Data("\(id)\n".utf8))
    let header = try line().split(separator: " ")
    guard header.count == 3, let size = Int(header[2]) else { return nil }
    return try take(size + 1).dropLast()
  }

  private func line() throws -> String {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer = Data(buffer[buffer.index(after: end)...])
        return line
      }
      try read()
    }
  }

  private func take(_ count: Int) throws -> Data {
    while buffer.count < count { try read() }
    let bytes = Data(buffer.prefix(count))
    buffer = Data(buffer.dropFirst(count))
    return bytes
  }

  private func read() throws {
    let data = output.fileHandleForReading.availableData
    guard !data.isEmpty else { throw CommandFailure("git cat-file ended before its answer") }
    buffer.append(data)
  }
}
