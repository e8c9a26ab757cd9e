import Foundation
import StubDBEngine
import StubDBRemote

/// The `ssh-keygen` of this machine.
///
/// OpenSSH is nearly everywhere where git is, knows agents and security keys, and is audited, which cryptography of our
/// own would not be.
struct KeygenProgram: SignatureProgram {
  private let environment: [String: String]

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.environment = environment
  }

  func run(
    _ arguments: [String], input: URL?, mayAsk: Bool
  ) throws(RemoteError) -> SignatureProgramEnd {
    let program = try path()
    do {
      return mayAsk
        ? try Self.runAsking(
          program, arguments, hasChosenAskpass: environment["SSH_ASKPASS"] != nil)
        : try runAlone(program, arguments, input)
    } catch {
      throw RemoteError(
        .inputOutput, "cannot run \(program): \(ErrorText.message(for: error))")
    }
  }

  private func path() throws(RemoteError) -> String {
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let paths = folders.filter { $0.hasPrefix("/") }.map { $0 + "/ssh-keygen" }
    if let path = paths.first(where: { access($0, X_OK) == 0 }) { return path }
    throw RemoteError(
      .unsupported, "ssh-keygen, which makes signatures and verifies them, is not installed",
      hints: [
        "It is a part of OpenSSH 8.1 and later. On Debian and Ubuntu: apt-get install openssh-client"
      ])
  }

  /// Runs it without anything that the person has set up for ssh.
  private func runAlone(
    _ program: String, _ arguments: [String], _ input: URL?
  ) throws -> SignatureProgramEnd {
    let process = try Process.startable()
    let errors = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = environment.filter { !$0.key.hasPrefix("SSH_") }
      .merging(["LC_ALL": "C"]) { $1 }
    process.standardInput = try input.map { try FileHandle(forReadingFrom: $0) } ?? .nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    let end = try ProcessEnd(starting: process)
    let message = try ChildOutput.contents(of: [errors])[0]
    end.wait()
    // A signal is a failure too, whatever its number.
    let code = process.terminationReason == .exit ? process.terminationStatus : 255
    return SignatureProgramEnd(code: code, message: String(decoding: message, as: UTF8.self))
  }

  /// Runs it on the terminal of this process, if there is one.
  private static func runAsking(
    _ program: String, _ arguments: [String], hasChosenAskpass: Bool
  ) throws -> SignatureProgramEnd {
    // Without a terminal it would ask a program with a window, which nobody may see, and wait.
    let asking = hasChosenAskpass ? "" : "SSH_ASKPASS_REQUIRE=never "
    // A standard input that stays open and says nothing must not be waited for either.
    let input = isatty(STDIN_FILENO) == 1 ? "" : " </dev/null"
    let words = ([program] + arguments).map(ShellWord.quoted).joined(separator: " ")
    // popen(3), not Process: on Linux Foundation puts the child into a process group of its own, and what is in the
    // background of its terminal is stopped when it asks.
    guard let file = popen("LC_ALL=C \(asking)\(words) 2>&1 >/dev/null\(input)", "r") else {
      throw CommandError(String(cString: strerror(errno)))
    }
    var message = ""
    var line = [CChar](repeating: 0, count: 1024)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = line.withUnsafeBufferPointer { bytes in
        String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
      message += text
      // A device waits to be touched.
      if text.contains("presence") {
        Console.note(TerminalText.line(text.trimmingCharacters(in: .newlines)))
      }
    }
    let status = pclose(file)
    let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 255
    return SignatureProgramEnd(code: code, message: message)
  }
}
