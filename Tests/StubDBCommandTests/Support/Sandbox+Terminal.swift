import Foundation
import Testing

extension Sandbox {
  /// Runs the command on a pseudo-terminal of its own, types the text, and gives all it printed.
  func runOnTerminal(
    _ arguments: String..., typing text: String = "", environment: [String: String] = [:]
  ) throws -> (screen: String, code: Int32) {
    try runOnTerminal(words: arguments, typing: text, environment: environment)
  }

  /// The same for a list of arguments.
  func runOnTerminal(
    words arguments: [String], typing text: String = "", environment: [String: String] = [:]
  ) throws -> (screen: String, code: Int32) {
    let script = """
      import os, pty, sys
      pid, terminal = pty.fork()
      if pid == 0:
          os.execv(sys.argv[2], sys.argv[2:])
      if sys.argv[1]:
          os.write(terminal, sys.argv[1].encode())
      screen = b""
      while True:
          try:
              data = os.read(terminal, 4096)
          except OSError:
              break
          if not data:
              break
          screen += data
      _, status = os.waitpid(pid, 0)
      sys.stdout.buffer.write(screen)
      sys.exit(os.WEXITSTATUS(status))
      """
    let result = try run(
      executable: URL(fileURLWithPath: "/usr/bin/env"),
      arguments: ["python3", "-c", script, text, Self.binary.path] + arguments,
      environment: environment.merging(
        environment["PAGER"] == nil ? ["TERM": "xterm", "STUBDB_PAGER": ""] : ["TERM": "xterm"]
      ) { given, _ in given })
    try #require(result.err == "")
    return (result.out.replacing("\r\n", with: "\n"), result.code)
  }
}
