import Foundation
import Testing

/// What somebody does at a terminal.
enum TerminalStep {
  /// Waits until the text is shown, after what was seen before.
  case see(String)
  case type(String)
  /// Types Control-Z, waits until the process is suspended, and resumes it as `fg` does.
  case suspendAndResume
  /// Sends a signal of this name, such as `SIGTERM`.
  case signal(String)

  fileprivate var words: [String] {
    switch self {
    case .see(let text): ["see", text]
    case .type(let text): ["type", text]
    case .suspendAndResume: ["suspend", ""]
    case .signal(let name): ["signal", name]
    }
  }
}

/// What became of a command at a terminal.
struct TerminalReport: Decodable {
  var screen: String
  /// Nil if a signal ended it.
  var code: Int32?
  /// The name of the signal that ended it.
  var signal: String?
  /// Whether the terminal waited for lines and showed what is typed, each time the process was suspended, and at its
  /// end.
  var usualModes: [Bool]
}

extension Sandbox {
  /// Runs the command in the foreground of a terminal, as a shell does, and does the steps.
  func atTerminal(
    _ words: [String], environment: [String: String] = [:], _ steps: [TerminalStep]
  ) throws -> TerminalReport {
    let given = String(
      decoding: try JSONEncoder().encode([[Self.binary.path] + words] + steps.map(\.words)),
      as: UTF8.self)
    let result = try run(
      executable: URL(fileURLWithPath: "/usr/bin/env"),
      arguments: ["python3", "-c", Self.shell, given],
      environment: ["TERM": "xterm", "STUBDB_PAGER": ""].merging(environment) { $1 })
    try #require(result.err == "" && result.code == 0, "\(result)")
    var report = try JSONDecoder().decode(TerminalReport.self, from: Data(result.out.utf8))
    report.screen = report.screen.replacing("\r\n", with: "\n")
    return report
  }

  /// The leader of the session is a shell with one job; its parent has the other end of the terminal.
  private static let shell = """
    import json, os, pty, select, signal, sys, termios
    words, *steps = json.loads(sys.argv[1])
    # Threads of tests may have blocked signals, which programs that they start inherit.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.alarm(100)
    told, tell = os.pipe()
    asked, ask = os.pipe()

    def shell():
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        job = os.fork()
        if job == 0:
            os.setpgid(0, 0)
            os.tcsetpgrp(0, os.getpid())
            for name in ["SIGTTOU", "SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGTSTP"]:
                signal.signal(getattr(signal, name), signal.SIG_DFL)
            os.execv(words[0], words)
        os.write(tell, b"%d\\n" % job)
        while True:
            _, status = os.waitpid(job, os.WUNTRACED)
            mode = termios.tcgetattr(0)[3]
            os.tcsetpgrp(0, os.getpgrp())
            state = {"usual": bool(mode & termios.ICANON and mode & termios.ECHO)}
            if os.WIFSTOPPED(status):
                state["stopped"] = True
            elif os.WIFSIGNALED(status):
                state["signal"] = signal.Signals(os.WTERMSIG(status)).name
            else:
                state["code"] = os.WEXITSTATUS(status)
            os.write(tell, json.dumps(state).encode() + b"\\n")
            if not os.WIFSTOPPED(status):
                os._exit(0)
            os.read(asked, 1)
            os.tcsetpgrp(0, job)
            os.kill(-job, signal.SIGCONT)

    leader, terminal = pty.fork()
    if leader == 0:
        shell()
    os.close(tell)
    reports = os.fdopen(told)
    job = int(reports.readline())
    screen, seen = b"", 0

    def read():
        global screen
        if not select.select([terminal], [], [], 60)[0]:
            sys.exit("nothing came after: " + repr(screen))
        try:
            data = os.read(terminal, 4096)
        except OSError:
            data = b""
        screen += data
        return data

    modes = []
    for kind, text in steps:
        if kind == "see":
            while text.encode() not in screen[seen:]:
                if not read():
                    sys.exit("not shown: " + repr(text) + " in " + repr(screen))
            seen = screen.index(text.encode(), seen) + len(text.encode())
        elif kind == "type":
            os.write(terminal, text.encode())
        elif kind == "signal":
            os.kill(job, getattr(signal, text))
        elif kind == "suspend":
            os.write(terminal, b"\\x1a")
            modes.append(json.loads(reports.readline())["usual"])
            os.write(ask, b"c")
    while read():
        pass
    state = json.loads(reports.readline())
    os.waitpid(leader, 0)
    json.dump({"screen": screen.decode(), "code": state.get("code"), "signal": state.get("signal"),
        "usualModes": modes + [state["usual"]]}, sys.stdout)
    """
}
