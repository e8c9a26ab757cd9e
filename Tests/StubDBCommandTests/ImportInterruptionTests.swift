import Foundation
import Testing

/// An import that is ended by the user leaves everything as it was.
@Suite struct ImportInterruptionTests {
  /// An archive of requests that all differ.
  private static func har(_ count: Int, status: Int = 200) -> String {
    let entries = (0..<count).map { number in
      """
      {"request": {"method": "GET", "url": "https://api.shop.test/v1/items/\(number)"},
       "response": {"status": \(status), "headers": [{"name": "ETag", "value": "e\(number)"}],
         "content": {"size": 9, "mimeType": "application/json", "text": "{\\"id\\": \(number)}"}}}
      """
    }
    return #"{"log": {"version": "1.2", "entries": [\#(entries.joined(separator: ","))]}}"#
  }

  private func box(_ har: String) throws -> (Sandbox, Data) {
    let box = try Sandbox()
    _ = try box.run("init", "shop.stubdb")
    try box.write("shop.har", har)
    return (box, try Data(contentsOf: box.folder.appendingPathComponent("shop.stubdb")))
  }

  private func python(_ script: String, _ box: Sandbox) throws -> CommandResult {
    try box.run(
      executable: URL(fileURLWithPath: "/usr/bin/env"),
      arguments: ["python3", "-c", script, Sandbox.binary.path],
      environment: ["TERM": "xterm", "STUBDB_PAGER": ""])
  }

  private func requireUntouched(_ box: Sandbox, _ bytes: Data) throws {
    let folder = box.folder
    #expect(try Data(contentsOf: folder.appendingPathComponent("shop.stubdb")) == bytes)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(names.filter { !$0.hasPrefix(".") }) == ["shop.har", "shop.stubdb"])
  }

  @Test func aLongImportShowsItsProgressAndControlCEndsIt() throws {
    let (box, bytes) = try box(Self.har(20_000))
    let result = try python(
      """
      import os, pty, signal, sys
      pid, terminal = pty.fork()
      if pid == 0:
          # A job in the background of a script ignores it, and threads of Dispatch block it; both are inherited.
          signal.signal(signal.SIGINT, signal.SIG_DFL)
          signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
          os.execv(sys.argv[1], [sys.argv[1], "import", "shop.har"])
      screen = b""
      while b"Importing: " not in screen or b"shop.har" not in screen and b"requests" not in screen:
          screen += os.read(terminal, 4096)
      os.write(terminal, b"\\x03")
      try:
          while os.read(terminal, 4096):
              pass
      except OSError:
          pass
      _, status = os.waitpid(pid, 0)
      print(os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGINT)
      """, box)
    #expect(result.out == "True\n", "\(result)")
    try requireUntouched(box, bytes)
  }

  @Test func aLongExportShowsItsProgress() throws {
    let stubs = (0..<4_000).map {
      #"{"key": "s\#($0)", "request": {"method": "GET", "url": "https://h.test/\#($0)"}}"#
    }
    let box = try Sandbox()
    _ = try box.run("init", "shop.stubdb")
    try box.write("all.json", #"{"scenario": "a/b", "stubs": [\#(stubs.joined(separator: ","))]}"#)
    _ = try box.run("add", "--file", "all.json")
    let result = try python(
      """
      import os, pty, sys
      pid, terminal = pty.fork()
      if pid == 0:
          os.execv(sys.argv[1], [sys.argv[1], "export", "a/b", "--format", "har", "--output", "a.har"])
      screen = b""
      try:
          while True:
              screen += os.read(terminal, 65536)
      except OSError:
          pass
      _, status = os.waitpid(pid, 0)
      lines = screen.split(b"\\r\\x1b[K")
      print(status, b"Exporting: " in screen and b" stubs written" in screen, b"Exported " in lines[-1] and b"Exporting" not in lines[-1])
      """, box)
    #expect(result.out == "0 True True\n", "\(result)")
  }

  @Test func anImportThatIsEndedBeforeItWritesChangesNothing() throws {
    // A report that is longer than a pipe holds stops the import right before it writes.
    let (box, bytes) = try box(Self.har(1_000, status: 0))
    let result = try python(
      """
      import signal, subprocess, sys
      process = subprocess.Popen(
          [sys.argv[1], "import", "shop.har", "--json"], stdout=subprocess.PIPE,
          stderr=subprocess.DEVNULL,
          preexec_fn=lambda: (
              signal.signal(signal.SIGINT, signal.SIG_DFL),
              signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])))
      process.stdout.read(1)
      process.send_signal(signal.SIGINT)
      print(process.wait() == -signal.SIGINT)
      """, box)
    #expect(result.out == "True\n", "\(result)")
    try requireUntouched(box, bytes)
  }
}
