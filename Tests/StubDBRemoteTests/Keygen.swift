import Foundation
import StubDBTestSupport

@testable import StubDBRemote

/// The real `ssh-keygen`, and what it was asked for.
struct Keygen: SignatureProgram {
  /// Stands for a machine without it.
  struct Missing: SignatureProgram {
    func run(
      _ arguments: [String], input: URL?, mayAsk: Bool
    ) throws(RemoteError) -> SignatureProgramEnd {
      throw RemoteError(.unsupported, "ssh-keygen is not installed")
    }
  }

  /// Variables for what may ask.
  var environment: [String: String] = [:]

  func run(
    _ arguments: [String], input: URL?, mayAsk: Bool
  ) throws(RemoteError) -> SignatureProgramEnd {
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/ssh-keygen")
    process.arguments = arguments
    if mayAsk {
      process.environment = ["SSH_ASKPASS_REQUIRE": "never"].merging(environment) { $1 }
    } else {
      process.environment = [:]
    }
    do {
      process.standardInput = try input.map { try FileHandle(forReadingFrom: $0) } ?? .nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = errors
      try process.start()
      let message = try errors.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return SignatureProgramEnd(
        code: process.terminationStatus, message: String(decoding: message, as: UTF8.self))
    } catch {
      throw RemoteError(.inputOutput, "\(error)")
    }
  }
}
