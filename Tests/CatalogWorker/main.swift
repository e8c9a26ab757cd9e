import Foundation
import StubDBEngine
import StubDBModel
import StubDBPlayback

@testable import StubDBCatalog
@testable import StubDBCatalogEditing

// The program that the catalog's tests run as another process: a verb, a catalog, and the verb's arguments.
// Each acknowledged edit is a line on standard output; the code and message of an error go to standard error.

/// Prints a line immediately, so that a killed process has reported what it did.
func say(_ text: String) {
  FileHandle.standardOutput.write(Data("\(text)\n".utf8))
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2 else { exit(64) }
let catalogURL = URL(fileURLWithPath: arguments[1])

func number(_ index: Int) -> Int {
  arguments.indices.contains(index) ? Int(arguments[index]) ?? 0 : 0
}

/// Adds scenarios `PREFIX/0`, `PREFIX/1`, … in an edit each.
func edit(prefix: String, count: Int, bodyByteCount: Int) throws {
  for index in 0..<count {
    guard let name = ScenarioName("\(prefix)/\(index)") else { exit(64) }
    let text = String(repeating: "\(prefix) \(index) ", count: bodyByteCount / 8)
    try Catalog(contentsOf: catalogURL).edit { editor in
      try editor.replace(
        Scenario(
          name: name, stubs: [Stub(key: "only", responses: [StubResponse(body: .text(text))])]))
    }
    say(name.rawValue)
  }
}

/// Plays a scenario a number of times, with a GET of a URL each time, for tests with the names `PREFIX/0`, `PREFIX/1`, ….
func play(_ scenario: String, prefix: String, count: Int, url: String) throws {
  for index in 0..<count {
    let player = Player(
      try Catalog(contentsOf: catalogURL).load(scenario), options: PlaybackOptions())
    player.keepInLedger()
    player.ledgerRun?.name(test: "\(prefix)/\(index)")
    _ = player.decide(about: StubRequest(url: url))
    player.end()
  }
}

do {
  switch arguments[0] {
  case "edit":
    try edit(prefix: arguments[2], count: number(3), bodyByteCount: number(4))
  case "edit-wal":
    // Acts like another tool that puts the file into WAL mode before each edit.
    for index in 0..<number(3) {
      try Connection(path: catalogURL.path, mode: .readWrite).execute("PRAGMA journal_mode = WAL")
      try edit(prefix: "\(arguments[2])/\(index)", count: 1, bodyByteCount: number(4))
    }
  case "read":
    for _ in 0..<max(1, number(2)) {
      let catalog = try Catalog(contentsOf: catalogURL)
      for summary in try catalog.scenarios() { _ = try catalog.scenario(named: summary.name) }
    }
    say("read")
  case "read-as-nobody":
    // 65534 is "nobody" on Linux; only root can become it.
    guard setgid(65_534) == 0, setuid(65_534) == 0 else { exit(77) }
    let catalog = try Catalog(contentsOf: catalogURL)
    for summary in try catalog.scenarios() {
      _ = try catalog.load(summary.name.rawValue)
      say(summary.name.rawValue)
    }
  case "edit-as-nobody":
    guard setgid(65_534) == 0, setuid(65_534) == 0 else { exit(77) }
    try edit(prefix: arguments[2], count: 1, bodyByteCount: 8)
  case "edit-limited", "edit-killed":
    // A file of the process cannot grow beyond this size: the write fails as on a full disk, or kills the process.
    signal(SIGXFSZ, arguments[0] == "edit-limited" ? SIG_IGN : SIG_DFL)
    // The parent process may ignore the signal.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGXFSZ)
    sigprocmask(SIG_UNBLOCK, &signals, nil)
    var limit = rlimit(rlim_cur: rlim_t(number(3)), rlim_max: rlim_t(number(3)))
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    try edit(prefix: arguments[2], count: 1, bodyByteCount: 100_000)
  case "play":
    try play(arguments[2], prefix: arguments[3], count: number(4), url: arguments[5])
  case "play-and-wait":
    try play(arguments[2], prefix: arguments[3], count: number(4), url: arguments[5])
    say("played")
    // Until it is killed.
    _ = readLine()
  default:
    exit(64)
  }
} catch let error as CatalogError {
  FileHandle.standardError.write(Data("\(error.code.rawValue)\n".utf8))
  say(error.message)
  exit(1)
}
