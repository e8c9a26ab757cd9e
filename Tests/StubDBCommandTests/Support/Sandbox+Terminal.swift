import Foundation
import Testing

extension Sandbox {
  /// Runs the command on a pseudo-terminal of its own, types the text, and returns its output.
  func runOnTerminal(
    _ arguments: String..., typing text: String = "", environment: [String: String] = [:]
  ) throws -> (screen: String, code: Int32) {
    try runOnTerminal(words: arguments, typing: text, environment: environment)
  }

  /// The same for a list of arguments.
  func runOnTerminal(
    words arguments: [String], typing text: String = "", environment: [String: String] = [:]
  ) throws -> (screen: String, code: Int32) {
    try runOnTerminal(commands: [arguments], typing: text, environment: environment)[0]
  }

  /// The same for several commands, one after another, each on a pseudo-terminal of its own.
  func runOnTerminal(
    commands: [[String]], typing text: String = "", environment: [String: String] = [:]
  ) throws -> [(screen: String, code: Int32)] {
    let script = """
      import json, os, pty, sys
      text, binary, commands = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
      results = []
      for words in commands:
          pid, terminal = pty.fork()
          if pid == 0:
              os.execv(binary, [binary] + words)
          if text:
              os.write(terminal, text.encode())
          screen = b""
          while True:
              try:
                  data = os.read(terminal, 4096)
              except OSError:
                  break
              if not data:
                  break
              screen += data
          os.close(terminal)
          _, status = os.waitpid(pid, 0)
          results.append({"screen": screen.decode(), "code": os.WEXITSTATUS(status)})
      json.dump(results, sys.stdout)
      """
    let words = String(decoding: try JSONEncoder().encode(commands), as: UTF8.self)
    let result = try run(
      executable: URL(fileURLWithPath: "/usr/bin/env"),
      arguments: ["python3", "-c", script, text, Self.binary.path, words],
      environment: environment.merging(
        environment["PAGER"] == nil ? ["TERM": "xterm", "STUBDB_PAGER": ""] : ["TERM": "xterm"]
      ) { given, _ in given })
    try #require(result.err == "" && result.code == 0)
    struct Shown: Decodable {
      var screen: String
      var code: Int32
    }
    return try JSONDecoder().decode([Shown].self, from: Data(result.out.utf8)).map {
      ($0.screen.replacing("\r\n", with: "\n"), $0.code)
    }
  }
}
