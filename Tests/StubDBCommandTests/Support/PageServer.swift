#if Server
  import Foundation
  import StubDBTestSupport

  /// A server that a page starts, beside its other commands.
  ///
  /// It listens on a free port, which `curl` in the sandbox finds under 127.0.0.1:8080.
  final class PageServer {
    private let process = Process()
    /// Where the server listens.
    let origin: String

    init(_ command: String, in box: Sandbox) throws {
      process.executableURL = Sandbox.binary
      let words = command.split(separator: " ").dropFirst().map(String.init)
      process.arguments =
        words + ["--port", "0"] + (words.contains("--log") ? [] : ["--log", "text"])
      process.currentDirectoryURL = box.folder
      process.environment = box.base
      let output = Pipe()
      process.standardOutput = output
      process.standardError = try FileHandle(
        forWritingTo: try box.write("log", ""))
      try process.start()
      var line = Data()
      while line.last != UInt8(ascii: "\n") {
        let byte = output.fileHandleForReading.readData(ofLength: 1)
        if byte.isEmpty { break }
        line += byte
      }
      let port = (String(decoding: line, as: UTF8.self).split(separator: ":").last ?? "")
        .filter(\.isNumber)
      origin = "http://127.0.0.1:\(port)"
      try box.write("pid", "\(process.processIdentifier)\n")
      try box.write(
        "../.curlrc",
        "silent\nconnect-to = \"127.0.0.1:8080:127.0.0.1:\(port)\"\n")
    }

    deinit { end() }

    func end() {
      process.terminate()
      process.waitUntilExit()
    }
  }
#endif
