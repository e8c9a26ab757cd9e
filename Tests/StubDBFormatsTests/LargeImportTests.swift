import Foundation
import HTTPTypes
import StubDBJSON
import StubDBModel
import Testing

@testable import StubDBFormats

/// Inputs of a size at which work that grows with its square does not end within a test run.
@Suite struct LargeImportTests {
  @Test func pointersOfAllElementsAreFound() throws {
    let count = 200_000
    let text = #"{"list": [\#((0..<count).map { "[\($0)]" }.joined(separator: ","))]}"#
    let input = try ImportInput(
      file: "a.json", path: ["a"], bytes: Data(text.utf8), log: ReportLog())
    let elements = try #require(input.tree?.root["list"]?.elements)
    #expect(elements.count == count)
    for (place, element) in elements.enumerated().reversed() {
      let inner = try #require(element.elements.first)
      guard inner.pointer.tokens == ["list", "\(place)", "0"] else {
        Issue.record("\(inner.pointer) is not the pointer of element \(place)")
        return
      }
    }
  }

  @Test func valuesThatBelongToNoStubAreReported() throws {
    let count = 20_000
    let list = (0..<count).map {
      #"{"scope": "https://a.test", "path": "/\#($0)", "status": 204, "x\#($0)": 1}"#
    }
    let run = try ImportRun("a.json", "[\(list.joined(separator: ","))]")
    #expect(run.stubs.count == count)
    #expect(run.unknown.count == count)
    #expect(run.result.report.lines.last?.pointer == "/\(count - 1)/x\(count - 1)")
    #expect(run.result.report.lines.last?.key == run.stubs.last?.key.rawValue)
  }

  @Test func statesOfOneNameAreScenariosOfTheirOwn() throws {
    let count = 3_000
    let interactions = (0..<count).map { number in
      let letter = Unicode.Scalar(UInt32(0x4E00 + number)).map(String.init) ?? ""
      return """
        {"description": "d", "providerState": "a \(letter)", "request": {"method": "GET", "path": "/a"},
         "response": {"status": 200}}
        """
    }
    let run = try ImportRun(
      "a.json",
      #"{"consumer": {"name": "a"}, "provider": {"name": "b"}, "interactions": [\#(interactions.joined(separator: ","))]}"#
    )
    #expect(run.result.scenarios.count == count)
    #expect(run.result.scenarios.last?.name == ScenarioName("a-b/a-\(count)"))
  }

  @Test func commandsOfCurlMayBeLong() throws {
    let many = String(repeating: "$A,", count: 200_000)
    let text = "[\(String(repeating: "\"abcdefgh\",", count: 200_000))1]"
    let run = try ImportRun(
      "a.sh",
      """
      curl https://h.test/$A$A$A/x -d "\(many)"
      curl "https://h.test/\(String(repeating: "$A", count: 50_000))"
      curl https://h.test/text -d '\(text)'
      """)
    #expect(run.ids(.dropped) == ["stub-left-out"])
    #expect(run.stubs.map(\.request.path) == [.value(.matches("/[^/]+")), .template("/text")])
    #expect(run.stubs[1].request.body == [.equalToJSON(try JSONValue(parsing: text))])
  }

  @Test func everyBadFileOfAFolderIsReadOnce() throws {
    let log = ReportLog()
    let bad = #"{"request": {"urlPath": "/a"}, "response": {"bodyFileName": "none"}}"#
    let good = #"{"request": {"urlPath": "/b"}, "response": {}}"#
    let inputs = try (0..<400).map { number in
      try ImportInput(
        file: "m/\(number).json", path: ["\(number)"], rootName: "m",
        bytes: Data((number.isMultiple(of: 2) ? bad : good).utf8), log: log)
    }
    let result = try Importer(log: log).scenarios(of: inputs)
    #expect(result.scenarios.map(\.stubs.count) == [200])
    #expect(result.report.lines.map(\.id).count { $0 == .unreadable } == 200)
    // One for each file, so that none was read again.
    #expect(log.beginItem().number == 401)
  }

  @Test func referencesFindTheirMembersInLargeDescriptions() throws {
    let count = 50_000
    let members = (0..<count).map { ##""r\##($0)": {"$anchor": "a\##($0)", "description": "d"}"## }
    let description =
      #"{"openapi": "3.1.0", "list": [\#((0..<count).map(String.init).joined(separator: ","))], "#
      + #""refs": [\#((0..<count).map { ##"{"$ref": "#/all/r\##($0)"}, {"$ref": "#a\##($0)"}, {"$ref": "#/list/\##($0)"}"## }.joined(separator: ","))], "#
      + #""all": {\#(members.joined(separator: ","))}}"#
    let input = try ImportInput(
      file: "a.json", path: ["a"], bytes: Data(description.utf8), log: ReportLog())
    let references = OpenAPIReferences(input)
    let root = try #require(input.tree?.root)
    for (place, reference) in root.list("refs").enumerated() {
      let number = place / 3
      let found = try references.resolved(reference)
      let pointer =
        place % 3 == 2 ? ["list", "\(number)"] : ["all", "r\(number)"]
      guard found.pointer.tokens == pointer else {
        Issue.record("\(reference.peekedJSON.canonicalText) leads to \(found.pointer)")
        return
      }
    }
  }

  @Test func requestsMayHaveManyParameters() throws {
    let count = 10_000
    let query = (0..<count).map { "p\($0)=v" }.joined(separator: "&")
    let entries = ["1767225600001", "1767225600002", "1767225600003"].map {
      HARText.entry("GET", "https://api.shop.test/items?\(query)&other=\($0)")
    }
    let run = try ImportRun("a.har", HARText.archive(entries))
    #expect(run.stubs.map(\.request.query.count) == [count + 1])
    #expect(run.ids(.changed) == ["volatile", "volatile", "volatile"])
  }

  @Test func answersMayHaveManyHeaderFields() throws {
    let count = 50_000
    let names = (0..<count).map { "X-Field-\($0)" }
    var builder = ResponseBuilder()
    for name in names { builder.addHeader(name, ["a"]) }
    for name in names { builder.addHeader(name.lowercased(), ["b"]) }
    #expect(builder.headerNames.count == count)
    #expect(throws: Unanswerable.self) { try builder.checked() }
    #expect(builder.response.headers.count == StubResponse.maximumHeaderCount)
  }

  @Test func answersWithTooManyHeaderFieldsAreLeftOut() throws {
    let fields = (0..<70_000).map { _ in #"{"name": "X", "value": "1"}"# }.joined(separator: ",")
    let run = try ImportRun(
      "a.har",
      HARText.archive([HARText.entry(headers: "[\(fields)]"), HARText.entry("PUT")]))
    #expect(run.stubs.map(\.request.methods) == [[.put]])
    #expect(run.ids(.dropped) == ["too-large"])
  }
}
