import Foundation
import Yams

/// `stubdb import` of large recordings, the whole process: an archive against `JSONSerialization`, cassettes against
/// `Yams.compose`, which are what any reader of these formats begins with.
enum ImportRow {
  private static let entryCount = 10_000
  private static let cassetteCount = 2_000

  static func measure(in folder: URL, stubdb: String) async throws -> [Row] {
    try await archiveRows(in: folder, stubdb: stubdb) + [cassettesRow(in: folder, stubdb: stubdb)]
  }

  // MARK: HAR

  private static func archiveRows(in folder: URL, stubdb: String) async throws -> [Row] {
    let archive = folder.appendingPathComponent("large.har")
    let catalog = folder.appendingPathComponent("archive.stubdb")
    let size = try writeArchive(to: archive)
    defer { try? FileManager.default.removeItem(at: archive) }
    let arguments = ["import", archive.path, "--catalog", catalog.path]
    // Before anything else takes memory here: a process begins with the peak of the one that starts it.
    try renew(catalog, stubdb)
    let memory = try Command.peakMemory(stubdb, arguments)
    let result = try await Measurement.compare(
      rounds: 3, warmUpRounds: 0, prepare: { try renew(catalog, stubdb) },
      baseline: { _ = try JSONSerialization.jsonObject(with: Data(contentsOf: archive)) },
      subject: { try Command.run(stubdb, arguments) })
    let megabytes = Double(size) / 1e6
    return [
      .atMost(
        3, result.ratio, name: "importing a HAR of 10,000 entries, whole process",
        detail: "\(format(result.subject / 1e6)) s for \(format(megabytes)) MB against "
          + "\(format(result.baseline / 1e6)) s of JSONSerialization"),
      .atMost(
        3, Double(memory) / Double(size), name: "peak memory of the same by the size of the file",
        detail: "\(format(Double(memory) / 1e6)) MB for \(format(megabytes)) MB"),
    ]
  }

  private static func renew(_ catalog: URL, _ stubdb: String) throws {
    try? FileManager.default.removeItem(at: catalog)
    try Command.run(stubdb, ["init", catalog.path])
  }

  /// Writes the archive entry by entry, and gives its size.
  private static func writeArchive(to url: URL) throws -> Int {
    _ = FileManager.default.createFile(atPath: url.path, contents: nil)
    let file = try FileHandle(forWritingTo: url)
    defer { try? file.close() }
    try file.write(
      contentsOf: Data(#"{"log":{"version":"1.2","creator":{"name":"Bench"},"entries":["#.utf8))
    for number in 0..<entryCount {
      try file.write(contentsOf: Data(((number > 0 ? "," : "") + entry(number)).utf8))
    }
    try file.write(contentsOf: Data("]}}".utf8))
    return Int(try file.offset())
  }

  private static func entry(_ number: Int) -> String {
    let items = (0..<110).map { item in
      #"{\"id\":\#(number * 1_000 + item),\"sku\":\"tea-\#(item)\",\"title\":\"Green tea with ginger, "#
        + #"lemon and \u00e9clairs, number \#(number)\",\"price\":\#(item).25,\"tags\":[\"tea\",\"new\"]}"#
    }
    let content = #"{\"page\":\#(number),\"items\":[\#(items.joined(separator: ","))]}"#
    let headers = [
      ("Content-Type", "application/json"), ("Date", "Fri, 20 Nov 2026 10:00:00 GMT"),
      ("ETag", "e\(number)"), ("Cache-Control", "no-cache"), ("Server", "bench"),
    ].map { #"{"name":"\#($0.0)","value":"\#($0.1)"}"# }.joined(separator: ",")
    return """
      {"startedDateTime":"2026-11-20T10:00:00.000Z","time":12.5,"request":{"method":"GET",\
      "url":"https://api.shop.test/v1/items/\(number)?sort=name","httpVersion":"HTTP/2","cookies":[],\
      "headers":[{"name":"Accept","value":"application/json"}],\
      "queryString":[{"name":"sort","value":"name"}],"headersSize":-1,"bodySize":-1},\
      "response":{"status":200,"statusText":"OK","httpVersion":"HTTP/2","cookies":[],\
      "headers":[\(headers)],"content":{"size":\(content.utf8.count),"mimeType":"application/json",\
      "text":"\(content)"},"redirectURL":"","headersSize":-1,"bodySize":-1},"cache":{},\
      "timings":{"send":1,"wait":8,"receive":3.5}}
      """
  }

  // MARK: VCR

  private static func cassettesRow(in folder: URL, stubdb: String) async throws -> Row {
    let cassettes = folder.appendingPathComponent("cassettes")
    let catalog = folder.appendingPathComponent("cassettes.stubdb")
    try FileManager.default.createDirectory(at: cassettes, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: cassettes) }
    let files = try (0..<cassetteCount).map { number in
      let file = cassettes.appendingPathComponent("case-\(number).yml")
      try Data(cassette(number).utf8).write(to: file)
      return file
    }
    let result = try await Measurement.compare(
      rounds: 5, prepare: { try renew(catalog, stubdb) },
      baseline: {
        for file in files { _ = try Yams.compose(yaml: String(contentsOf: file, encoding: .utf8)) }
      },
      subject: {
        try Command.run(stubdb, ["import", cassettes.path, "--catalog", catalog.path])
      })
    return .atMost(
      1.5, result.ratio, name: "importing 2,000 VCR cassettes, whole process",
      detail: "\(format(result.subject / 1e6)) s against \(format(result.baseline / 1e6)) s of "
        + "Yams.compose")
  }

  private static func cassette(_ number: Int) -> String {
    // As many header fields as the answers of large services have.
    let fields = (0..<20).map { "      X-Field-\($0):\n      - 'value \($0) of \(number)'\n" }
      .joined()
    let interactions = (0..<4).map { call in
      """
      - request:
          method: get
          uri: https://api.shop.test/v1/items/\(number)?page=\(call)
          body:
            encoding: US-ASCII
            string: ''
          headers:
            User-Agent:
            - Shop/1.0
            Accept:
            - application/json
        response:
          status:
            code: 200
            message: OK
          headers:
            Content-Type:
            - application/json; charset=utf-8
            Date:
            - Sat, 21 Nov 2026 04:49:54 GMT
      \(fields)    body:
            encoding: UTF-8
            string: '{"id":\(number),"items":[{"sku":"tea-\(call)","title":"Green tea with ginger"}]}'
          http_version: null
        recorded_at: Sat, 21 Nov 2026 04:49:54 GMT

      """
    }
    return "---\nhttp_interactions:\n" + interactions.joined() + "recorded_with: VCR 6.1.0\n"
  }
}
