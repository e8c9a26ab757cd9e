import Foundation
import StubDBDocuments
import StubDBJSON
import StubDBModel
import Testing

@testable import StubDBFormats

/// `stubdb export --format openapi`.
struct OpenAPIExportTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// A check of scenarios with the description made of others.
  private func check(
    _ scenarios: [Scenario], with result: ExportResult
  ) throws -> OpenAPICheck {
    let file = try #require(result.files.first)
    let input = try ImportInput(
      file: file.path, path: ["openapi"], bytes: file.content, folder: nil, log: ReportLog())
    var check = try OpenAPICheck(input)
    try check.check(ExportContent(scenarios))
    return check
  }

  /// What a check of scenarios with the description made of them finds, besides stubs that it says to have left out.
  private func errors(of scenarios: [Scenario]) throws -> [OpenAPIFinding] {
    let result = Exporter.result(of: ExportContent(scenarios), as: OpenAPIExport())
    let left = Set(result.report.lines.filter { $0.id == .stubLeftOut }.map(\.key))
    return try check(scenarios, with: result).findings
      .filter { $0.level == .error && !left.contains($0.key.rawValue) }
  }

  private static func examples() throws -> [Scenario] {
    let folder = root.appendingPathComponent("Examples/scenarios")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".json") }.sorted()
    return try names.map {
      try ScenarioDocument.decode(Data(contentsOf: folder.appendingPathComponent($0)), file: $0)
    }
  }

  /// The documents of the table of good ones, each with the scenario or stub around it.
  private static func goodDocuments() throws -> [Scenario] {
    let data = try Data(contentsOf: root.appendingPathComponent("Tests/Documents/good.json"))
    guard case .array(let rows) = try JSONValue(parsing: data) else { return [] }
    return rows.enumerated().compactMap { index, row in
      guard case .object(let members) = row, let value = members["value"] else { return nil }
      let stub: JSONObject
      switch members["in"] {
      case "document": return try? ScenarioDocument.decode(Data(value.canonicalText.utf8))
      case "stub":
        guard case .object(let own) = value else { return nil }
        stub = own
      case "request": stub = ["request": value]
      case "body": stub = ["request": ["url": "/", "body": value]]
      case "response": stub = ["responses": [value]]
      default: return nil
      }
      let document: JSONValue = .object([
        "scenario": .string("row-\(index)"),
        "stubs": [.object(stub.merging(["key": "k"]) { $1 })],
      ])
      return try? ScenarioDocument.decode(Data(document.canonicalText.utf8))
    }
  }

  @Test func stubsSatisfyTheDescriptionMadeOfThem() throws {
    let examples = try Self.examples()
    let good = try Self.goodDocuments()
    let features = try FeatureDocuments.all.map { try ScenarioDocument.decode(Data($0.utf8)) }
    #expect(examples.count >= 6 && good.count > 50)
    for scenarios in [examples, features] + (examples + good).map({ [$0] }) {
      let errors = try errors(of: scenarios)
      #expect(errors == [], "\(scenarios.map(\.name)): \(errors)")
    }
    for seed in 0..<200 {
      var random = RandomStubs(seed: UInt64(seed))
      let errors = try errors(of: [random.scenario()])
      #expect(errors == [], "seed \(seed): \(errors)")
    }
  }

  @Test func allFeaturesAreAccountedFor() throws {
    let runs = try (0..<2).map { _ in try ExportRun(FeatureDocuments.all, as: OpenAPIExport()) }
    #expect(runs[0].unknown == [])
    #expect(runs[0].text == runs[1].text)
  }

  @Test func whatWasSeenOnceIsNotRequired() throws {
    func required(_ answers: String...) throws -> [JSONValue?] {
      let stubs = answers.enumerated().map {
        #"{"key": "s\#($0)", "request": {"method": "GET", "url": "https://a.test/o/\#($0)?q=1"}, "responses": [{"json": \#($1)}]}"#
      }
      let json = try ExportRun(stubs: stubs, as: OpenAPIExport()).json
      let operation = JSONPointer(["paths", "/o/{id}", "get"])
      let schema = operation.appending(
        JSONPointer(["responses", "200", "content", "application/json", "schema"]))
      return [
        json.value(at: schema.appending("required")),
        json.value(at: operation.appending("parameters").appending(0).appending("required")),
      ]
    }
    #expect(try required(#"{"a": 1, "b": 2}"#) == [nil, nil])
    #expect(try required(#"{"a": 1, "b": 2}"#, #"{"a": null}"#) == [["a"], nil])
  }

  @Test func aStubOfAnyMethodIsSaidToBeDescribedForOne() throws {
    func changed(_ method: String) throws -> Int {
      let request = #"{\#(method)"url": "https://a.test/o"}"#
      let stub = #"{"key": "k", "request": \#(request), "responses": [{"json": 1}]}"#
      let run = try ExportRun(stubs: [stub], as: OpenAPIExport())
      return run.result.report.lines.count { $0.level == .changed }
    }
    #expect(try changed("") == 1)
    #expect(try changed(#""method": "GET", "#) == 0)
  }

  private static func scenario(_ method: String, _ url: String) throws -> Scenario {
    let request = #"{"method": "\#(method)", "url": "\#(url)"}"#
    let stub = #"{"key": "k", "request": \#(request), "responses": [{"json": {"n": 1}}]}"#
    return try ScenarioDocument.decode(Data(#"{"scenario": "s", "stubs": [\#(stub)]}"#.utf8))
  }

  /// A path with `**` is described with a parameter in its place, which is what the stub answers.
  @Test(arguments: [
    ("GET", "https://a.test/files/**", "GET", "https://a.test/files/**", [], 0),
    ("GET", "https://a.test/a/**/b", "HEAD", "https://a.test/a/**/b", [], 0),
    ("GET", "https://a.test/files/all", "GET", "https://a.test/**", ["/files/all"], 1),
    ("PUT", "https://a.test/files/**", "GET", "https://a.test/files/**", ["/files/{rest}"], 1),
  ])
  func anyNumberOfSegmentsIsAParameter(
    method: String, url: String, checked: String, checkedURL: String, gaps: [String], unknown: Int
  ) throws {
    let result = Exporter.result(
      of: ExportContent([try Self.scenario(method, url)]), as: OpenAPIExport())
    let check = try check([try Self.scenario(checked, checkedURL)], with: result)
    #expect(check.gaps.map(\.path) == gaps)
    #expect(check.unknown.count == unknown)
    #expect(check.findings.filter { $0.level == .error } == [])
  }

  @Test func identifiersAndPlaceholdersAreOnePath() throws {
    let urls = ["https://a.test/o/17", "https://b.test/o/{order}", "/o/me", "https://a.test/o/18"]
    let stubs = urls.enumerated().map {
      #"{"key": "s\#($0)", "request": {"method": "GET", "url": "\#($1)"}, "responses": [{"json": {"n": \#($0)}}]}"#
    }
    let json = try ExportRun(stubs: stubs, as: OpenAPIExport()).json
    guard case .object(let members) = json, case .object(let paths) = members["paths"] else {
      Issue.record("no paths")
      return
    }
    #expect(paths.keys.sorted() == ["/o/me", "/o/{id}"])
    #expect(
      members["servers"] == [["url": "https://a.test"], ["url": "https://b.test"]])
  }

  /// The statuses that a description made of a stub has, such as `get /items: 200`, and a check of the stub with it.
  private func described(_ stub: String) throws -> (statuses: [String], check: OpenAPICheck) {
    let document = #"{"scenario": "s", "stubs": [\#(stub)]}"#
    let run = try ExportRun([document], as: OpenAPIExport())
    guard case .object(let members) = try run.json, case .object(let paths)? = members["paths"]
    else { return ([], try check([], with: run.result)) }
    let statuses = paths.flatMap { path, item -> [String] in
      guard case .object(let operations) = item else { return [] }
      return operations.compactMap { method, operation in
        guard case .object(let value) = operation, case .object(let responses)? = value["responses"]
        else { return nil }
        return "\(method) \(path): \(responses.keys.sorted().joined(separator: " "))"
      }
    }
    let scenario = try ScenarioDocument.decode(Data(document.utf8))
    return (statuses.sorted(), try check([scenario], with: run.result))
  }

  /// Each operation of a resource is asked for in a run, and described with the statuses that it got.
  @Test func allOperationsOfAResourceAreDescribed() throws {
    for (kind, replaced, read) in [
      (#""id": "integer", "seed": [{"id": 3, "name": "Ada"}, {"id": 7}]"#, " 404", "200 404"),
      (#""id": "uuid", "page": {"limit": "limit", "offset": "start"}"#, "", "404"),
    ] {
      let resource = #""resource": {"at": "https://a.test/items", \#(kind)}"#
      let (statuses, check) = try described(#"{"key": "k", \#(resource)}"#)
      let all = [
        "delete /items/{id}: 204 404", "get /items/{id}: 200 404", "get /items: 200",
        "patch /items/{id}: 200 400 404 409", "post /items: 201 400 409",
        "put /items/{id}: 200 201 400\(replaced) 409",
      ]
      #expect(statuses == all)
      #expect(check.findings == [] && check.gaps == [])
      for (members, expected) in [
        (#""request": {"method": "GET"}"#, ["get /items/{id}: \(read)", "get /items: 200"]),
        (#""request": {"method": "POST"}"#, [all[4]]),
        (#""request": {"headers": {"Content-Type": "application/vnd.api+json"}}"#, all),
        (#""request": {"captured": {"token": true}}, "then": "fail""#, all),
        (
          #""responses": [{"status": 503}, {}]"#,
          all.map { $0 == "get /items: 200" ? $0 + " 503" : $0 }
        ),
      ] {
        let (statuses, _) = try described(#"{"key": "k", \#(members), \#(resource)}"#)
        #expect(statuses == expected, "\(members)")
      }
    }
  }

  /// What a resource takes is allowed by its description.
  @Test func parametersAndNullOfAResourceAreDescribed() throws {
    let stub = #"""
      {"key": "k", "resource": {"at": "https://a.test/items", "id": "integer", "page": {"limit": "n", "number": "p"},
        "seed": [{"id": 1, "name": "Ada", "done": true, "tags": []}]}}
      """#
    let text = try ExportRun(stubs: [stub], as: OpenAPIExport()).text
    for name in ["n", "p", "name", "done"] {
      #expect(text.contains(#""name": "\#(name)","#), "\(name)")
    }
    #expect(!text.contains(#""name": "tags","#))
    #expect(text.contains("X-Total-Count") && text.contains("null"))
  }
}
