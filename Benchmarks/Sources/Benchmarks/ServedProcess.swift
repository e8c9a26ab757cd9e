#if os(Linux)
  import Foundation
  import Glibc

  /// A server that is measured: a process, where it listens, and what the system knows of it.
  final class ServedProcess {
    let url: String
    let port: Int
    private let process: Process

    private init(_ process: Process, port: Int) {
      self.process = process
      self.port = port
      url = "http://127.0.0.1:\(port)"
    }

    deinit { stop() }

    /// `stubdb serve` with a scenario of the catalog, from the first line that it prints.
    static func stubdb(
      _ program: String, scenario: String, catalog: URL, options: [String] = [],
      environment: [String: String] = [:]
    ) throws -> ServedProcess {
      let output = Pipe()
      let process = try start(
        program,
        ["serve", scenario, "--catalog", catalog.path, "--port", "0", "--json", "--log", "none"]
          + options, output: output, environment: environment)
      struct Started: Decodable { var url: URL }
      var line = Data()
      while line.last != UInt8(ascii: "\n") {
        let more = output.fileHandleForReading.readData(ofLength: 1)
        if more.isEmpty { throw Command.Failure(command: "stubdb serve", status: 1) }
        line += more
      }
      let port = try JSONDecoder().decode(Started.self, from: line).url.port
      return ServedProcess(process, port: port ?? 0)
    }

    /// nginx in one process, which serves the files of a folder.
    static func nginx(serving files: URL, in folder: URL) throws -> ServedProcess {
      let port = try LoopbackSocket.freePort()
      let settings = folder.appendingPathComponent("nginx.conf")
      let text = """
        daemon off; master_process off; error_log stderr crit; pid \(folder.path)/nginx.pid;
        events { worker_connections 20000; }
        http {
          access_log off; keepalive_requests 1000000000; default_type application/json;
          server { listen 127.0.0.1:\(port); root \(files.path); }
        }
        """
      try Data(text.utf8).write(to: settings)
      let process = try start(
        "/usr/bin/env", ["nginx", "-p", folder.path, "-c", settings.path], output: nil)
      for _ in 0..<200 where (try? LoopbackSocket(port)) == nil { usleep(10_000) }
      return ServedProcess(process, port: port)
    }

    private static func start(
      _ program: String, _ arguments: [String], output: Pipe?,
      environment: [String: String] = [:]
    ) throws -> Process {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = arguments
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      process.standardOutput = output ?? FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      return process
    }

    /// The CPU time that the process has used, in microseconds.
    func cpuTime() throws -> Double {
      let path = "/proc/\(process.processIdentifier)/stat"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      // The name, in parentheses, may have spaces; utime and stime are the 12th and 13th fields after it.
      let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
      let ticks = (Double(fields[12]) ?? 0) + (Double(fields[13]) ?? 0)
      return ticks * 1e6 / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The memory of the process now, in bytes.
    func memory() throws -> Int {
      let path = "/proc/\(process.processIdentifier)/status"
      let line = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        .first { $0.hasPrefix("VmRSS:") }
      return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }

    /// Kills the process: it begins with the signals blocked that the thread that starts it blocks, and threads of
    /// Swift's tasks block those that end a process in order.
    func stop() {
      guard process.isRunning else { return }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  /// Requests that `wrk` sends, over connections that it keeps.
  struct Wrk {
    var connections = 64
    var seconds = 3
    /// A Lua script that makes the requests, if they are not all for the URL.
    var script: URL?

    /// The requests that a server answered, and the CPU time that each took it, in microseconds.
    func load(_ server: ServedProcess, path: String) throws -> (count: Int, cpuTime: Double) {
      let before = try server.cpuTime()
      let text = try Command.output(
        "/usr/bin/env",
        [
          "wrk", "-t", "1", "-c", "\(connections)", "-d", "\(seconds)s", "-H",
          "Accept: application/json",
        ]
          + (script.map { ["-s", $0.path] } ?? []) + [server.url + path])
      let count = text.split(separator: "\n").compactMap { line -> Int? in
        let words = line.split(separator: " ")
        return words.count > 2 && words[1] == "requests" ? Int(words[0]) : nil
      }.first
      guard let count, count > 0, !text.contains("Non-2xx") else {
        throw Command.Failure(command: "wrk: \(text)", status: 1)
      }
      return (count, (try server.cpuTime() - before) / Double(count))
    }
  }
#endif
