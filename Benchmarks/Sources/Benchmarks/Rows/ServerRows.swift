#if os(Linux)
  import Foundation
  import StubDB

  /// `stubdb serve` under load: CPU time against nginx, memory, and how long one client waits for another.
  enum ServerRows {
    static func measure(in folder: URL, stubdb: String) async throws -> [Row] {
      let missing = ["wrk", "nginx"].filter { !Command.exists($0) }
      guard missing.isEmpty else {
        print("skipped: the rows of the server need \(missing.joined(separator: " and "))")
        return []
      }
      LoopbackSocket.raiseLimit()
      let catalog = folder.appendingPathComponent("served.stubdb")
      try Catalog.create(at: catalog).edit { editor in
        for count in [10, 10_000, 100_000] {
          try editor.insert(Workload.scenario("bench/\(count)", stubs: count))
        }
        try editor.insert(Workload.scenario("bench/file", stubs: 10, bodyByteCount: 1_024))
      }
      func serve(_ stubs: String) throws -> ServedProcess {
        try ServedProcess.stubdb(stubdb, scenario: "bench/\(stubs)", catalog: catalog)
      }
      return [
        try againstNginx(try serve("file"), in: folder),
        try manyStubs(few: try serve("10"), many: try serve("100000"), in: folder),
        try openConnections(try serve("file")),
        try waiting(try serve("10000")),
        try await start { try serve("file") },
      ]
    }

    /// The CPU time of a request over 64 connections, in turn with nginx and a file with the same bytes.
    ///
    /// No two requests are equal: the query, a cookie and the id of the request differ.
    private static func againstNginx(_ server: ServedProcess, in folder: URL) throws -> Row {
      let files = folder.appendingPathComponent("files")
      try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
      try Data(Workload.bodyText(1, byteCount: 1_024).utf8)
        .write(to: files.appendingPathComponent("1"))
      let nginx = try ServedProcess.nginx(serving: files, in: folder)
      let (ratio, cpuTimes) = try compare(
        { try Wrk(script: try differing("/1", in: folder)).load(nginx, path: "/").cpuTime },
        {
          try Wrk(script: try differing("/v1/items/1", in: folder)).load(server, path: "/").cpuTime
        })
      return .atMost(
        2, ratio, name: "CPU time of a served request, 64 connections",
        detail: "\(format(cpuTimes.subject)) µs against \(format(cpuTimes.baseline)) µs of nginx "
          + "for a file")
    }

    /// A script for requests to a path that are all different.
    private static func differing(_ path: String, in folder: URL) throws -> URL {
      try script(
        """
        local number = 0
        request = function()
          number = number + 1
          wrk.headers["Cookie"] = "session=" .. number
          wrk.headers["X-Request-ID"] = "request-" .. number
          return wrk.format("GET", "\(path)?number=" .. number)
        end
        """, in: folder)
    }

    /// A script for 90,000 different requests: each of the 90,000 stubs with a literal path gets one of them, and each
    /// of nine stubs gets 10,000.
    private static func spread(over stubs: Int, in folder: URL) throws -> URL {
      try script(
        """
        local number = 0
        request = function()
          number = (number + 7919) % 100000
          if number % 10 == 9 then number = number - 1 end
          return wrk.format("GET", "/v1/items/" .. number % \(stubs) .. "?number=" .. number)
        end
        """, in: folder)
    }

    private static func script(_ text: String, in folder: URL) throws -> URL {
      let url = folder.appendingPathComponent("requests.lua")
      try Data(text.utf8).write(to: url)
      return url
    }

    /// The same with 100,000 stubs against ten.
    private static func manyStubs(
      few: ServedProcess, many: ServedProcess, in folder: URL
    ) throws -> Row {
      let (ratio, cpuTimes) = try compare(
        { try Wrk(script: try spread(over: 10, in: folder)).load(few, path: "/").cpuTime },
        { try Wrk(script: try spread(over: 100_000, in: folder)).load(many, path: "/").cpuTime })
      return .atMost(
        1.5, ratio, name: "the same, 90,000 different requests, 100,000 stubs against 10",
        detail: "\(format(cpuTimes.subject)) µs against \(format(cpuTimes.baseline)) µs")
    }

    /// The memory of 10,000 connections that stay open, each after an answer.
    private static func openConnections(_ server: ServedProcess) throws -> Row {
      try LoopbackSocket(server.port).get("/v1/items/1")
      let before = try server.memory()
      var connections: [LoopbackSocket] = []
      for _ in 0..<10_000 {
        let connection = try LoopbackSocket(server.port)
        try connection.get("/v1/items/1")
        connections.append(connection)
      }
      let each = Double(try server.memory() - before) / Double(connections.count)
      return .atMost(
        10, each / 1_000, unit: " kB", name: "memory of each of 10,000 open connections",
        detail: "\(format(Double(try server.memory()) / 1e6)) MB in all")
    }

    /// How much later a client gets its answers while another asks for what no stub of 10,000 answers.
    private static func waiting(_ server: ServedProcess) throws -> Row {
      // It is stopped with its last use.
      defer { withExtendedLifetime(server) {} }
      let client = try LoopbackSocket(server.port)
      let alone = try slowest(client)
      let other = try LoopbackSocket(server.port)
      let isOver = Flag()
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) {
        var number = 0
        while !isOver.isSet {
          number += 1
          try? other.get("/v2/nothing/\(number)")
        }
      }
      let together = try slowest(client)
      isOver.set()
      group.wait()
      return .atMost(
        5, (together - alone) / 1_000, unit: " ms",
        name: "wait for another client's unmatched requests, 10,000 stubs",
        detail: "99 of 100 answers within \(format(together)) µs against \(format(alone)) µs")
    }

    /// Set once, and seen by other threads.
    private final class Flag: @unchecked Sendable {
      private let lock = NSLock()
      private var value = false

      var isSet: Bool { lock.withLock { value } }

      func set() { lock.withLock { value = true } }
    }

    /// The time within which 99 of 100 answers come, in microseconds.
    private static func slowest(_ client: LoopbackSocket) throws -> Double {
      var times: [Double] = []
      for number in 0..<2_000 {
        let start = ContinuousClock.now
        try client.get("/v1/items/\(number % 1_000 / 10 * 10)")
        let elapsed = ContinuousClock.now - start
        times.append(
          Double(elapsed.components.seconds) * 1e6 + Double(elapsed.components.attoseconds) / 1e12)
      }
      return times.sorted()[times.count * 99 / 100]
    }

    /// The time from starting the process to its first answer.
    private static func start(_ serve: () throws -> ServedProcess) async throws -> Row {
      var times: [Double] = []
      for _ in 0..<9 {
        // Kept: it is stopped with its last use, which is no part of the time.
        var server: ServedProcess?
        times.append(
          try await Measurement.microseconds {
            let started = try serve()
            server = started
            try LoopbackSocket(started.port).get("/v1/items/1")
          })
        server?.stop()
      }
      return .atMost(
        30, Measurement.median(times) / 1_000, unit: " ms",
        name: "start of stubdb serve to its first answer", detail: "a catalog of 110,010 stubs")
    }

    /// Both in turn, five times: the median of the ratios, and of each.
    private static func compare(
      _ baseline: () throws -> Double, _ subject: () throws -> Double
    ) throws -> (ratio: Double, (baseline: Double, subject: Double)) {
      var pairs: [(Double, Double)] = []
      for _ in 0..<5 { pairs.append((try baseline(), try subject())) }
      return (
        Measurement.median(pairs.map { $1 / $0 }),
        (Measurement.median(pairs.map(\.0)), Measurement.median(pairs.map(\.1)))
      )
    }
  }
#endif
