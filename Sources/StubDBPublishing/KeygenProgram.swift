package import Foundation
internal import StubDBJobs
package import StubDBRemote

/// The `ssh-keygen` of this machine.
///
/// OpenSSH is nearly everywhere where git is, knows agents and security keys, and is audited, which cryptography of our
/// own would not be.
package struct KeygenProgram: SignatureProgram {
  private let environment: [String: String]
  /// Receives a line of `ssh-keygen` that asks the person to touch a device.
  private let waiting: @Sendable (String) -> Void

  package init(
    environment: [String: String], waiting: @escaping @Sendable (String) -> Void
  ) {
    (self.environment, self.waiting) = (environment, waiting)
  }

  package func run(
    _ arguments: [String], input: URL?, mayAsk: Bool
  ) throws(RemoteError) -> SignatureProgramEnd {
    let words = [try path()] + arguments
    do {
      return mayAsk ? try runAsking(words) : try runAlone(words, input)
    } catch {
      let reason = (error as? JobError)?.description ?? error.localizedDescription
      throw RemoteError(.inputOutput, "cannot run \(words[0]): \(reason)")
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
  private func runAlone(_ words: [String], _ input: URL?) throws -> SignatureProgramEnd {
    let variables = environment.filter { !$0.key.hasPrefix("SSH_") }
      .merging(["LC_ALL": "C"]) { $1 }
    let end = try Program(words, environment: variables).run(
      input: input.map { .file(try FileHandle(forReadingFrom: $0)) } ?? .nothing,
      output: .nothing)
    return SignatureProgramEnd(
      code: end.code, message: String(decoding: end.errors, as: UTF8.self))
  }

  /// Runs it on the terminal of this process, if there is one.
  private func runAsking(_ words: [String]) throws -> SignatureProgramEnd {
    var program = Program(words, environment: environment.merging(["LC_ALL": "C"]) { $1 })
    // Without a terminal it would ask a program with a window, which may not be visible, and wait.
    if environment["SSH_ASKPASS"] == nil { program.environment["SSH_ASKPASS_REQUIRE"] = "never" }
    // A standard input that stays open and says nothing must not be waited for either.
    let isOnTerminal = isatty(STDIN_FILENO) == 1
    let running = try program.start(
      input: isOnTerminal ? .inherited : .nothing, output: .nothing, errors: .pipe)
    var message = ""
    while let line = running.nextLine() {
      let text = String(decoding: line, as: UTF8.self)
      message += text + "\n"
      // A device waits to be touched.
      if text.contains("presence") { waiting(text) }
    }
    return SignatureProgramEnd(code: running.wait().code, message: message)
  }
}
